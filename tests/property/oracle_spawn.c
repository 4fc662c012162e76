/* "SPAWN" of docs/model.md: may a launcher launch? Independent of the simulator on purpose: every average is computed
 * anew from the list of all child blocks. */
#include <stdlib.h>

#include "property/oracle_state.h"

#define COUNTER_MAX 65535

/* What the SPAWN controller reads at a decision; n_con is num / den. */
typedef struct readings {
    int64_t t_cta, t_warp;
    __int128 n_con_num, n_con_den;
} readings;

/* A child block that has ended. */
typedef struct ended {
    int64_t end_ns;
    int64_t counted_ns; /* its time, as the counter has it */
    int64_t warps;      /* with items */
} ended;

static gcast_spawn_options spawn_options(const oracle_state *o)
{
    gcast_spawn_options s = o->options->spawn ? *o->options->spawn : gcast_spawn_options_default();
    s.window_ns = s.window_ns ? s.window_ns : o->gpu->spawn_window_ns;
    return s;
}

static int64_t counted(const gcast_spawn_options *s, int64_t value)
{
    switch (s->counters) {
    case GCAST_SPAWN_COUNTER_SATURATE:
        return value > COUNTER_MAX ? COUNTER_MAX : value;
    case GCAST_SPAWN_COUNTER_WRAP:
        return value % (COUNTER_MAX + 1);
    default:
        return value;
    }
}

void oracle_spawn_ends(oracle_state *o)
{
    gcast_spawn_options s = spawn_options(o);
    for (size_t i = o->count; i < o->all; i++)
        for (uint64_t b = 0; oracle_is_child(&o->ops[i]) && b < o->ops[i].started; b++)
            if (o->ops[i].blocks[b].end_ns == o->now) {
                if (o->spawn_n > 0)
                    o->spawn_n--;
                else if (s.counters == GCAST_SPAWN_COUNTER_WRAP)
                    o->spawn_n = COUNTER_MAX;
            }
}

void oracle_spawn_called(oracle_state *o, uint64_t blocks)
{
    gcast_spawn_options s = spawn_options(o);
    o->spawn_n = (uint64_t)counted(&s, (int64_t)(o->spawn_n + blocks));
}

static int by_end(const void *a, const void *b)
{
    const ended *x = a, *y = b;
    if (x->end_ns != y->end_ns)
        return x->end_ns < y->end_ns ? -1 : 1;
    return (x->counted_ns > y->counted_ns) - (x->counted_ns < y->counted_ns);
}

/* All child blocks that have ended, in the order of their ends; to be freed. */
static ended *list_ended(const oracle_state *o, const gcast_spawn_options *s, size_t *count)
{
    size_t max_count = 1;
    for (size_t i = o->count; i < o->all; i++)
        max_count += o->ops[i].started;
    ended *list = calloc(max_count, sizeof *list);
    *count = 0;
    if (!list)
        abort();
    for (size_t i = o->count; i < o->all; i++)
        for (uint64_t b = 0; oracle_is_child(&o->ops[i]) && b < o->ops[i].started; b++) {
            const gcast_block *block = &o->ops[i].blocks[b];
            int64_t items = oracle_block_items(&o->ops[i], b), threads = o->ops[i].op->shape.threads;
            if (block->end_ns <= o->now)
                list[(*count)++] = (ended){.end_ns = block->end_ns,
                                           .counted_ns = counted(s, block->end_ns - block->start_ns),
                                           .warps = ((items < threads ? items : threads) + 31) / 32};
        }
    qsort(list, *count, sizeof *list, by_end);
    return list;
}

/* The average over the last window that is over and in which child blocks ended, each as often as it has warps, or
 * once; 0: none. */
static int64_t window_average(const oracle_state *o, int64_t window_ns, const ended *list, size_t count, bool by_warp)
{
    int64_t windows = o->now / window_ns, last = -1, sum = 0, number = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].end_ns / window_ns < windows)
            last = list[i].end_ns / window_ns;
    for (size_t i = 0; i < count; i++)
        if (list[i].end_ns / window_ns == last) {
            sum += list[i].counted_ns * (by_warp ? list[i].warps : 1);
            number += by_warp ? list[i].warps : 1;
        }
    return number ? sum / number : 0;
}

static int64_t average_block(const oracle_state *o, const gcast_spawn_options *s, const ended *list, size_t count)
{
    int64_t sum = 0, average = 0;
    if (s->average == GCAST_SPAWN_AVERAGE_WINDOW)
        return window_average(o, s->window_ns, list, count, false);
    for (size_t i = 0; i < count; i++) {
        sum += list[i].counted_ns;
        average = i ? average + (list[i].counted_ns - average) / 8 : list[i].counted_ns;
    }
    if (s->average == GCAST_SPAWN_AVERAGE_MOVING)
        return average;
    return count ? sum / (int64_t)count : 0;
}

/* Nanoseconds of child blocks that ran in a window. */
static int64_t ran_in_window(const oracle_state *o, int64_t window, int64_t window_ns)
{
    int64_t sum = 0;
    for (size_t i = o->count; i < o->all; i++)
        for (uint64_t b = 0; oracle_is_child(&o->ops[i]) && b < o->ops[i].started; b++) {
            int64_t from = o->ops[i].blocks[b].start_ns, to = o->ops[i].blocks[b].end_ns;
            from = from < window * window_ns ? window * window_ns : from;
            to = to > (window + 1) * window_ns ? (window + 1) * window_ns : to;
            sum += to > from ? to - from : 0;
        }
    return sum;
}

/* False: there is no number of running blocks to go by. */
static bool average_running(const oracle_state *o, const gcast_spawn_options *s, readings *r)
{
    bool is_peak = s->idle == GCAST_SPAWN_IDLE_PEAK;
    int64_t last = o->now / s->window_ns - 1, least = is_peak || s->idle == GCAST_SPAWN_IDLE_LAST ? 0 : last;
    r->n_con_num = 0;
    r->n_con_den = s->fractions ? s->window_ns : 1;
    for (int64_t window = last; window >= 0 && window >= least; window--) {
        int64_t sum = ran_in_window(o, window, s->window_ns), n_con = s->fractions ? sum : sum / s->window_ns;
        r->n_con_num = n_con > r->n_con_num ? n_con : r->n_con_num;
        if (r->n_con_num && (window == last || !is_peak))
            return true;
    }
    if (r->n_con_num)
        return true;
    r->n_con_num = r->n_con_den = 1;
    return s->idle == GCAST_SPAWN_IDLE_ONE;
}

static int64_t overhead(const oracle_state *o, uint32_t place)
{
    return o->gpu->child_launch_ns + place * o->gpu->child_step_ns;
}

static bool spawn_launches(const oracle_state *o, uint64_t items, uint64_t blocks, uint32_t place)
{
    gcast_spawn_options s = spawn_options(o);
    size_t count;
    ended *list = list_ended(o, &s, &count);
    readings r = {.t_cta = average_block(o, &s, list, count),
                  .t_warp = window_average(o, s.window_ns, list, count, true)};
    free(list);
    if (r.t_cta == 0 || (s.start == GCAST_SPAWN_START_KNOWN && r.t_warp == 0))
        return true;
    if (o->spawn_n + blocks > s.queue_limit)
        return false;
    if (!average_running(o, &s, &r))
        return true;
    return overhead(o, place) * r.n_con_num + (__int128)(o->spawn_n + blocks) * r.t_cta * r.n_con_den <=
           (__int128)items * r.t_warp * r.n_con_num;
}

gcast_spawn_policy oracle_policy(const oracle_state *o, const gcast_launches *l)
{
    return o->options->override_spawn ? o->options->spawn_policy : l->policy;
}

bool oracle_spawn_is_early(const oracle_state *o, const gcast_launches *l)
{
    for (size_t i = o->count; i < o->all; i++)
        for (uint64_t b = 0; oracle_is_child(&o->ops[i]) && b < o->ops[i].started; b++)
            if (o->ops[i].blocks[b].end_ns <= o->now)
                return false;
    return oracle_policy(o, l) == GCAST_SPAWN_SPAWN;
}

bool oracle_policy_launches(const oracle_state *o, const gcast_launches *l, uint64_t launcher, uint32_t place)
{
    uint32_t threshold = o->options->override_spawn ? o->options->spawn_threshold : l->threshold;
    uint64_t items = oracle_items(l, launcher);
    uint64_t blocks = (items + oracle_items_per_block(l) - 1) / oracle_items_per_block(l);
    switch (oracle_policy(o, l)) {
    case GCAST_SPAWN_FLAT:
        return false;
    case GCAST_SPAWN_THRESHOLD:
        return items >= threshold;
    case GCAST_SPAWN_SPAWN:
        return spawn_launches(o, items, blocks, place);
    default:
        return true;
    }
}
