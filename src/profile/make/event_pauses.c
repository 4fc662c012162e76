/* What handling events costs a host: pauses in which it recorded an event or made a stream wait for one are longer than
 * its others. By how much longer than the median of those is what the program would save with one stream. */
#include <stdlib.h>

#include "base/minmax.h"
#include "profile/make/draft.h"

#define LEAST_PAUSES 3 /* fewer say nothing */
#define MOST_EVENT_NS                                                                                                  \
    1000000 /* of a pause; calls of events take microseconds: what is longer is something else, such as                \
               a library that is loaded or tries its kernels */

typedef struct pause {
    uint32_t thread;
    int64_t ns;
} pause;

static int by_thread(const void *a, const void *b)
{
    const pause *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->ns > y->ns) - (x->ns < y->ns);
}

/* Sets has_events of the items: did their thread handle events since its item before? */
static bool find_events(making *m)
{
    const prof_trace *t = m->t;
    uint32_t *item_of = malloc((t->call_count + 1) * sizeof *item_of);
    bool *handles = calloc(t->thread_count + 1, sizeof *handles);
    for (size_t i = 0; item_of && handles && i < t->call_count; i++)
        item_of[i] = PROF_NONE;
    for (uint32_t i = 0; item_of && handles && i < m->items.count; i++)
        if (m->items.at[i].call != PROF_NONE)
            item_of[m->items.at[i].call] = i;
    for (size_t i = 0; item_of && handles && i < t->call_count; i++) {
        const prof_call *c = &t->calls[i];
        bool is_event = c->kind == PROF_CALL_EVENT_RECORD || c->kind == PROF_CALL_STREAM_WAIT;
        if (item_of[i] != PROF_NONE)
            m->items.at[item_of[i]].has_events = handles[c->thread];
        handles[c->thread] = item_of[i] == PROF_NONE && (handles[c->thread] || is_event);
    }
    bool ok = item_of && handles;
    free(item_of);
    free(handles);
    return ok;
}

/* By items: the pause before it; -1: it is the first of its thread. */
static void find_pauses(const draft *d, int64_t *pauses, int64_t *returned_ns)
{
    making *m = d->m;
    for (size_t i = 0; i < m->t->thread_count; i++)
        returned_ns[i] = INT64_MIN;
    for (size_t i = 0; i < m->items.count; i++) {
        const made_item *item = &m->items.at[d->items[i]];
        pauses[d->items[i]] = -1;
        if (item->thread == PROF_NONE)
            continue;
        if (returned_ns[item->thread] != INT64_MIN)
            pauses[d->items[i]] = max_i64(item->call_ns - returned_ns[item->thread], 0);
        returned_ns[item->thread] = item->return_ns;
    }
}

/* By threads: the median pause before operations without events; INT64_MAX: there are too few. */
static bool find_usual(const making *m, const int64_t *pauses, int64_t *usual_ns)
{
    VEC(pause) plain = {0};
    bool ok = true;
    for (size_t i = 0; i < m->t->thread_count; i++)
        usual_ns[i] = INT64_MAX;
    for (size_t i = 0; ok && i < m->items.count; i++) {
        const made_item *item = &m->items.at[i];
        if (item->kind == ITEM_OPS && !item->has_events && pauses[i] >= 0)
            ok = vec_push(&plain, ((pause){item->thread, pauses[i]}));
    }
    if (ok && plain.count)
        qsort(plain.at, plain.count, sizeof *plain.at, by_thread);
    for (size_t first = 0, end; ok && first < plain.count; first = end) {
        for (end = first; end < plain.count && plain.at[end].thread == plain.at[first].thread; end++)
            ;
        if (end - first >= LEAST_PAUSES)
            usual_ns[plain.at[first].thread] = plain.at[first + (end - first) / 2].ns;
    }
    vec_free(&plain);
    return ok;
}

gcast_status event_pauses(draft *d)
{
    making *m = d->m;
    int64_t *pauses = malloc((m->items.count + 1) * sizeof *pauses);
    int64_t *by_threads = malloc((m->t->thread_count + 1) * sizeof *by_threads);
    bool ok = pauses && by_threads && find_events(m);
    if (ok) {
        find_pauses(d, pauses, by_threads);
        ok = find_usual(m, pauses, by_threads);
    }
    for (size_t i = 0; ok && i < m->items.count; i++) {
        made_item *item = &m->items.at[i];
        bool counts = item->kind == ITEM_OPS && item->has_events && pauses[i] >= 0;
        item->event_pause_ns = counts ? min_i64(max_i64(pauses[i] - by_threads[item->thread], 0), MOST_EVENT_NS) : 0;
    }
    free(pauses);
    free(by_threads);
    return ok ? GCAST_OK : gcast_error_set_memory(m->err);
}
