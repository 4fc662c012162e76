#include "analyze/thesis/first_calls.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/minmax.h"

static const char is_skipped[] = " is skipped, as it comes due too late";

/* A host thread up to the op that is looked at. */
typedef struct host_state {
    int64_t returned_ns; /* when its last call returned */
    bool waits;          /* one of its calls waits, until a time that is not known here */
} host_state;

/* The time of a call of a host; NULL, or why it is not known. */
static const char *host_call(host_state *h, const gcast_op *op, int64_t *call_ns)
{
    if (h->waits)
        return " is called after its host thread has waited, and when that ends is not known to the thesis";
    if (!checked_add(h->returned_ns, op->delay_ns, call_ns))
        return " is called later than 64-bit nanoseconds hold";
    *call_ns = max_i64(*call_ns, op->release_ns);
    if (*call_ns >= op->skip_ns)
        return is_skipped;
    h->returned_ns = *call_ns;
    h->waits = op->host_waits;
    return NULL;
}

static int by_call(const void *a, const void *b)
{
    const first_call *x = a, *y = b;
    if (x->call_ns != y->call_ns)
        return x->call_ns < y->call_ns ? -1 : 1;
    if (x->job_release_ns != y->job_release_ns)
        return x->job_release_ns < y->job_release_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* A wait at the end of a host thread delays nothing. */
static const char *add_call(const gcast_workload *w, size_t op_index, host_state *hosts, first_call *c, bool *is_call)
{
    const gcast_op *op = &w->ops[op_index];
    *is_call = op->kind == GCAST_KIND_KERNEL;
    if (op->kind == GCAST_KIND_SYNC && op->host != GCAST_NO_HOST) {
        hosts[op->host].waits = true;
        return NULL;
    }
    if (!*is_call)
        return " is not a kernel, and the thesis has only kernels";
    c->op = op_index;
    c->job_release_ns = op->task == GCAST_ONCE ? 0 : w->tasks[op->task].offset_ns;
    c->call_ns = c->job_release_ns + op->release_ns;
    if (op->host != GCAST_NO_HOST)
        return host_call(&hosts[op->host], op, &c->call_ns);
    return c->call_ns >= op->skip_ns ? is_skipped : NULL;
}

bool thesis_first_calls(const gcast_workload *w, arena *memory, first_call **calls, size_t *count, size_t *refused,
                        const char **why_not)
{
    host_state *hosts = arena_alloc_array(memory, w->host_count + 1, sizeof *hosts);
    *calls = arena_alloc_array(memory, w->op_count + 1, sizeof **calls);
    if (!hosts || !*calls)
        return false;
    *count = 0;
    *why_not = NULL;
    for (size_t i = 0; i < w->op_count && !*why_not; i++) {
        bool is_call;
        *refused = i;
        *why_not = add_call(w, i, hosts, &(*calls)[*count], &is_call);
        *count += is_call;
    }
    if (*count)
        qsort(*calls, *count, sizeof **calls, by_call);
    return true;
}
