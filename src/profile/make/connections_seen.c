/* How many connections the program had, by the hardware queues of its kernels: streams get them in turn, so that where
 * two streams that were used at the same time have the same one, there were no more than are seen. */
#include <stdlib.h>

#include "base/minmax.h"
#include "profile/make/draft.h"

#define MOST_CONNECTIONS 32 /* that CUDA has */

typedef struct stream_use {
    int64_t pid, context;
    int channel;               /* of all its kernels; PROF_UNKNOWN: it has none, it is not told, or there are several */
    int64_t first_ns, last_ns; /* from its first kernel to the end of its last */
} stream_use;

static void use(stream_use *s, const prof_op *op)
{
    if (s->last_ns == INT64_MIN)
        s->channel = op->channel;
    else if (s->channel != op->channel)
        s->channel = PROF_UNKNOWN;
    s->first_ns = min_i64(s->first_ns, op->start_ns);
    s->last_ns = max_i64(s->last_ns, op->end_ns);
}

static int by_channel(const void *a, const void *b)
{
    const stream_use *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    if (x->channel != y->channel)
        return x->channel < y->channel ? -1 : 1;
    return (x->first_ns > y->first_ns) - (x->first_ns < y->first_ns);
}

/* Has a channel two streams at one time? Of those of a channel, one that begins before the last one ended. */
static bool is_shared(stream_use *uses, size_t count)
{
    qsort(uses, count, sizeof *uses, by_channel);
    for (size_t i = 1; i < count; i++) {
        const stream_use *x = &uses[i - 1], *y = &uses[i];
        bool same = x->pid == y->pid && x->context == y->context && x->channel == y->channel && x->channel >= 0;
        if (same && y->first_ns <= x->last_ns)
            return true;
    }
    return false;
}

gcast_status connections_seen(const making *m, int *connections)
{
    const prof_trace *t = m->t;
    stream_use *uses = malloc((t->stream_count + 1) * sizeof *uses);
    int most = -1;
    if (!uses)
        return gcast_error_set_memory(m->err);
    for (size_t i = 0; i < t->stream_count; i++)
        uses[i] = (stream_use){.pid = t->streams[i].pid,
                               .context = t->streams[i].context,
                               .channel = PROF_UNKNOWN,
                               .first_ns = INT64_MAX,
                               .last_ns = INT64_MIN};
    for (size_t i = 0; i < t->op_count; i++) {
        const prof_op *op = &t->ops[i];
        if (op->kind != GCAST_KIND_KERNEL || op->graph > 0 || t->streams[op->stream].device != m->device)
            continue;
        use(&uses[op->stream], op);
        most = max_int(most, op->channel);
    }
    *connections = is_shared(uses, t->stream_count) && most < MOST_CONNECTIONS ? most + 1 : -1;
    free(uses);
    return GCAST_OK;
}
