/* A window begins when an event enters an engine's queue that was empty, and ends when k's last block, or the copy,
 * starts. Whatever the engine serves in it entered in it, and before k: so events that surely entered before the
 * window, or surely enter after k, do not count. All begins are tried, by intervals within which the same events count.
 * While k waits, some head fits nowhere, or the GPU switches kernels: lemmas 2 and 3, where blocks from before the
 * window are gone after one hold. */
#include "analyze/bound/by_job/latest_start.h"

#include <stdlib.h>

#include "analyze/bound/by_job/job_events.h"
#include "analyze/bound/by_job/job_paths.h"
#include "analyze/bound/queue_wait.h"
#include "base/integers.h"

/* A window in which k, a kernel, waits. */
typedef struct sm_window {
    job_events *s;     /* its head_counts and tail_counts are for the window */
    const bound_op *k; /* the op of the event that waits */
    wide head_count;   /* other events whose blocks start in the window */
    bool has_earlier;  /* a kernel may have started its last block before the window */
    wide enough_ns;    /* a wait up to this need not be known more exactly */
    bool is_cut;       /* it begins at a cut: heads may have entered before */
} sm_window;

/* Sums over the blocks in a window. */
typedef struct presence {
    const sm_window *w;
    bool has_k;                        /* k's blocks count, except the last one */
    wide area;                         /* weight x time of all blocks */
    wide weight_sum;                   /* weight of all blocks */
    wide resident_weight;              /* weight that can be there at once: the heaviest kernel of each stream */
    int64_t tail_hold_ns;              /* blocks from before the window are gone after this */
    int64_t max_hold_ns;               /* the longest hold without k's */
    int64_t second_hold_ns;            /* the longest hold in any other stream, without k's */
    int max_hold_stream;               /* the stream with the longest hold */
    int level_count;                   /* levels from the highest to k's */
    wide counts[BY_JOB_LEVELS];        /* by level: number of heads */
    wide holds_ns[BY_JOB_LEVELS];      /* by level: one hold of each head except k */
    wide max_holds[BY_JOB_LEVELS];     /* by level: the longest hold */
    wide above_ns[BY_JOB_LEVELS];      /* by level: one hold of each head of higher levels */
    wide above_count[BY_JOB_LEVELS];   /* by level: number of heads of higher levels */
    wide below_ns[BY_JOB_LEVELS];      /* by level: the longest hold of heads of lower levels */
    drain_limit levels[BY_JOB_LEVELS]; /* by level: longest wait of its heads for blocks of others */
    wide all_ns;                       /* longest wait of all heads for blocks of their level and above */
} presence;

static wide heads_of(const presence *p, const bound_op *op)
{
    const job_events *s = p->w->s;
    return s->head_counts[op - s->b->ops] + (p->has_k && op == p->w->k);
}

static wide resident_weight(const bound_op *op)
{
    return wide_mul(wide_min((wide)op->op->blocks, op->max_resident), op->weight);
}

static void add_hold(presence *p, const bound_op *op)
{
    int stream = op->op->stream;
    if (op->hold_ns > p->max_hold_ns) {
        p->second_hold_ns = stream == p->max_hold_stream ? p->second_hold_ns : p->max_hold_ns;
        p->max_hold_ns = op->hold_ns;
        p->max_hold_stream = stream;
    } else if (op->hold_ns > p->second_hold_ns && stream != p->max_hold_stream) {
        p->second_hold_ns = op->hold_ns;
    }
}

static void add_largest(wide *sum, wide *largest, wide size)
{
    if (size > *largest) {
        *sum = wide_add(*sum, size - *largest);
        *largest = size;
    }
}

/* Adds the op's blocks from before the window: at most as many as can be resident; if only one kernel of a stream can
 * hold resources, the blocks of one. */
static void add_tails(presence *p, const bound_op *op)
{
    job_events *s = p->w->s;
    bool is_one = s->b->one_kernel_per_stream;
    wide count = s->tail_counts[op - s->b->ops], *largest = &s->stream_area[op->op->stream];
    wide blocks = wide_mul((wide)op->op->blocks, is_one ? 1 : count);
    wide weight = wide_mul(wide_min(blocks, op->max_resident), op->weight);
    wide area = wide_min(wide_mul(weight, op->hold_ns), wide_mul(wide_mul(count, op->hold_sum_ns), op->weight));
    if (!count)
        return;
    if (is_one)
        add_largest(&p->area, largest, area);
    else
        p->area = wide_add(p->area, area);
    p->weight_sum = wide_add(p->weight_sum, weight);
    add_largest(&p->resident_weight, &s->stream_weight[op->op->stream], weight);
    add_hold(p, op);
    p->tail_hold_ns = max_i64(p->tail_hold_ns, op->hold_ns);
}

/* Adds the op's heads, all with all their blocks. */
static void add_heads(presence *p, const bound_op *op)
{
    job_events *s = p->w->s;
    wide count = s->head_counts[op - s->b->ops];
    bool is_k = p->has_k && op == p->w->k;
    if (!count && !is_k)
        return;
    wide blocks = wide_mul(count + is_k, (wide)op->op->blocks) - is_k;
    wide hold_ns = wide_mul(count + is_k, op->hold_sum_ns) - (is_k ? op->last_hold_ns : 0);
    p->area = wide_add(p->area, wide_mul(hold_ns, op->weight));
    p->weight_sum = wide_add(p->weight_sum, wide_mul(blocks, op->weight));
    add_largest(&p->resident_weight, &s->stream_weight[op->op->stream], resident_weight(op));
    p->counts[op->level] += count + is_k;
    p->max_holds[op->level] = wide_max(p->max_holds[op->level], op->hold_ns);
    p->holds_ns[op->level] = wide_add(p->holds_ns[op->level], wide_mul(count, op->hold_ns));
    if (count)
        add_hold(p, op);
}

/* Lemma 3b for the heads of each level. Blocks from before the window are gone after one hold. */
static void fill_levels(presence *p)
{
    wide below_ns = 0;
    for (int level = 1; level < p->level_count; level++) {
        p->above_ns[level] = wide_add(p->above_ns[level - 1], p->holds_ns[level - 1]);
        p->above_count[level] = p->above_count[level - 1] + p->counts[level - 1];
    }
    if (p->w->is_cut) /* there may also be blocks of heads that wait for kernels above */
        p->tail_hold_ns = max_i64(p->tail_hold_ns, p->max_hold_ns);
    p->all_ns = p->tail_hold_ns;
    for (int level = p->level_count - 1; level >= 0; level--) {
        p->below_ns[level] = below_ns;
        p->levels[level].below_ns = wide_mul(p->counts[level], below_ns);
        p->levels[level].drain_ns = wide_add(wide_add(p->holds_ns[level], p->above_ns[level]), p->tail_hold_ns);
        p->all_ns = wide_add(p->all_ns, p->holds_ns[level]);
        below_ns = wide_max(below_ns, p->max_holds[level]);
    }
}

static presence presence_of(const sm_window *w, bool has_k)
{
    job_events *s = w->s;
    presence p = {.w = w, .has_k = has_k, .max_hold_stream = -1, .level_count = w->k->level + 1};
    for (size_t n = 0; n < s->present_count; n++)
        s->stream_weight[s->present[n]->op->stream] = s->stream_area[s->present[n]->op->stream] = 0;
    for (size_t n = 0; n < s->present_count; n++) {
        add_heads(&p, s->present[n]);
        add_tails(&p, s->present[n]);
    }
    fill_levels(&p);
    return p;
}

/* Can enough be there at once to keep a block of `head` out? */
static bool may_wait(const presence *p, const bound_op *head)
{
    const bound *b = p->w->s->b;
    wide weight = p->weight_sum;
    if (b->one_kernel_per_stream) {
        wide others = p->resident_weight - p->w->s->stream_weight[head->op->stream];
        weight = wide_min(weight, wide_add(others, wide_mul((wide)head->op->blocks - 1, head->weight)));
    }
    return weight >= head->floor;
}

/* Lemma 3a: blocks that are there when it becomes the head, then those of higher levels. */
static wide drain_of(const presence *p, const bound_op *head)
{
    const bound *b = p->w->s->b;
    wide drain_ns = head->op->stream == p->max_hold_stream ? p->second_hold_ns : p->max_hold_ns;
    if (p->has_k && head->level < p->w->k->level)
        drain_ns = wide_max(drain_ns, p->w->k->hold_ns);
    if (!b->one_kernel_per_stream)
        drain_ns = wide_max(drain_ns, b->gpu->handover_ns - b->gpu->stream_gap_ns);
    return wide_add(drain_ns, p->above_ns[head->level]);
}

/* Waits of heads so far. */
typedef struct wait_sum {
    wide area_left;   /* unused weight x time of blocks */
    wide by_area_ns;  /* waits as far as the area allows (lemma 2) */
    wide mixed_ns;    /* waits for blocks of others, one by one */
    wide own_ns;      /* waits for own blocks, one by one */
    wide together_ns; /* least sum of one-by-one waits for lower floors and lemma 2 (times a hold apart) for the rest */
    drain_limit levels[BY_JOB_LEVELS]; /* by level: remaining wait of its heads for blocks of others */
    wide all_left;                     /* remaining wait of all heads for blocks of their level and above */
} wait_sum;

/* Adds waits of heads at a floor, in ascending order of floors. */
static void add_wait(const presence *p, wait_sum *sum, wide floor, wide limit_ns, int level, bool is_mixed, wide all_ns)
{
    wide hold_ns = wide_max(p->max_hold_ns, p->has_k ? p->w->k->hold_ns : 0);
    wide one_by_one_ns = wide_add(sum->own_ns, wide_min(sum->mixed_ns, all_ns));
    sum->together_ns =
        wide_min(sum->together_ns, wide_add(one_by_one_ns, wide_mul(hold_ns, wide_div(p->weight_sum, floor))));
    *(is_mixed ? &sum->mixed_ns : &sum->own_ns) = wide_add(is_mixed ? sum->mixed_ns : sum->own_ns, limit_ns);
    wide wait_ns = is_mixed ? drain_use(&sum->levels[level], &sum->all_left, limit_ns) : limit_ns;
    sum->by_area_ns = wide_add(sum->by_area_ns, area_use_up(&sum->area_left, wait_ns, floor));
}

/* How long a head waits for its own blocks. */
static wide own_wait(const presence *p, const bound_op *op)
{
    bool after_above = p->w->is_cut && op->has_above; /* kernels above that are over at the cut (lemma 3c) */
    return bound_waves(op, p->above_count[op->level] + after_above);
}

/* The first part from `n` on whose op has heads that wait for blocks of lower levels. */
static size_t next_part(const presence *p, size_t n)
{
    const job_events *s = p->w->s;
    const bound *b = s->b;
    while (n < b->part_count && (!s->head_counts[b->parts[n].op - b->ops] || b->parts[n].op->level >= p->level_count ||
                                 p->below_ns[b->parts[n].op->level] <= b->parts[n].from_ns))
        n++;
    return n;
}

/* As wait_by_area, but waits for blocks of lower levels have floors of their own, and no common limit with a head's
 * other waits. */
static wide wait_by_parts(const presence *p)
{
    const job_events *s = p->w->s;
    const bound *b = s->b;
    wide area_left = p->area, all_left = p->all_ns, sum_ns = 0;
    drain_limit levels[BY_JOB_LEVELS];
    for (int level = 0; level < p->level_count; level++)
        levels[level] = (drain_limit){0, p->levels[level].drain_ns};
    wait_lists lists = {.by_floor = s->present,
                        .by_own_floor = s->present_own,
                        .head_count = s->present_count,
                        .parts = b->parts,
                        .part_count = b->part_count};
    while (area_left > 0) {
        lists.part = next_part(p, lists.part);
        head_wait next = wait_next(&lists);
        const bound_op *h = next.op;
        if (next.kind == WAIT_NONE)
            break;
        const head_waits *waits = &s->waits[h - b->ops];
        wide wait_ns;
        if (next.kind == WAIT_MIXED)
            wait_ns = drain_use(&levels[h->level], &all_left, waits->mixed_ns);
        else if (next.kind == WAIT_OWN)
            wait_ns = waits->own_ns;
        else
            wait_ns = wide_mul(waits->count, wide_min(p->below_ns[h->level], next.part->until_ns) - next.part->from_ns);
        if (wait_ns)
            sum_ns = wide_add(sum_ns, area_use_up(&area_left, wait_ns, next.floor));
    }
    return sum_ns;
}

/* Fills s->waits and returns their sum. `all_ns`: limit of all waits for blocks of others together. */
static wide find_waits(const presence *p, wide all_ns)
{
    const job_events *s = p->w->s;
    wide mixed_ns = 0, own_ns = 0;
    for (size_t n = 0; n < s->present_count; n++) {
        const bound_op *op = s->present[n];
        head_waits *waits = &s->waits[op - s->b->ops];
        wide count = heads_of(p, op);
        *waits = (head_waits){0};
        if (!count || !may_wait(p, op))
            continue;
        *waits = (head_waits){count, wide_mul(count, drain_of(p, op)), wide_mul(count, own_wait(p, op))};
        mixed_ns = wide_add(mixed_ns, waits->mixed_ns);
        own_ns = wide_add(own_ns, waits->own_ns);
    }
    return wide_add(own_ns, wide_min(mixed_ns, all_ns));
}

/* Lemma 2: waits with the lowest floors first, as they need the least area. `all_ns`: as in find_waits. */
static wait_sum wait_by_area(const presence *p, wide all_ns)
{
    const job_events *s = p->w->s;
    wait_sum sum = {.area_left = p->area, .together_ns = WIDE_HUGE, .all_left = p->all_ns};
    for (int level = 0; level < p->level_count; level++)
        sum.levels[level] = p->levels[level];
    for (size_t mixed = 0, own = 0; mixed < s->present_count || own < s->present_count;) {
        const bound_op *mixed_op = mixed < s->present_count ? s->present[mixed] : NULL;
        const bound_op *own_op = own < s->present_count ? s->present_own[own] : NULL;
        bool is_mixed = mixed_op && (!own_op || mixed_op->floor <= own_op->own_floor);
        const bound_op *head = is_mixed ? mixed_op : own_op;
        const head_waits *waits = &s->waits[head - s->b->ops];
        wide wait_ns = is_mixed ? waits->mixed_ns : waits->own_ns;
        mixed += is_mixed;
        own += !is_mixed;
        if (wait_ns)
            add_wait(p, &sum, is_mixed ? head->floor : head->own_floor, wait_ns, head->level, is_mixed, all_ns);
    }
    return sum;
}

/* How long heads fit nowhere. Stops at a bound of `enough_ns` or less. */
static wide wait_of_heads(const presence *p, wide enough_ns)
{
    wide hold_ns = wide_max(p->max_hold_ns, p->has_k ? p->w->k->hold_ns : 0);
    wide all_ns = wide_add(p->all_ns, wide_mul(p->above_count[p->w->k->level], hold_ns));
    wide wait_ns = find_waits(p, all_ns);
    if (wait_ns <= enough_ns)
        return wait_ns;
    wait_sum sum = wait_by_area(p, all_ns);
    wait_ns = wide_min(wait_ns, wide_min(sum.by_area_ns, sum.together_ns));
    if (wait_ns <= enough_ns || !p->above_count[p->w->k->level])
        return wait_ns;
    return wide_min(wait_ns, wait_by_parts(p));
}

/* Longest time from the begin of the window to the start of k's last block. */
static wide sm_wait(const sm_window *w)
{
    presence p = presence_of(w, true);
    wide switches_ns = wide_mul(w->head_count + w->has_earlier, w->s->b->gpu->switch_ns);
    wide enough_ns = w->enough_ns - switches_ns, wait_ns = wait_of_heads(&p, enough_ns);
    if (!p.above_count[w->k->level] && wait_ns > wide_max(enough_ns, 0) && w->head_count) {
        /* Once k is the head, nothing else starts, so its blocks keep no other head out. */
        wide own_ns = 0;
        if (may_wait(&p, w->k))
            own_ns = wide_add(bound_waves(w->k, w->is_cut && w->k->has_above), drain_of(&p, w->k));
        p = presence_of(w, false);
        wait_ns = wide_min(wait_ns, wide_add(wait_of_heads(&p, enough_ns - own_ns), own_ns));
    }
    return wide_add(wait_ns, switches_ns);
}

static int descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Adds a boundary between windows with different counts, if it is before k's latest entry and not before the cut. */
static void add_point(job_events *s, size_t *count, size_t k, int64_t point_ns)
{
    if (point_ns < s->events[k].max_entry_ns && point_ns >= s->cut_ns)
        s->points_ns[(*count)++] = point_ns;
}

/* All windows begin after this time. */
static int64_t before_cut(const job_events *s)
{
    return s->cut_ns == INT64_MIN ? INT64_MIN : s->cut_ns - 1;
}

/* Sorts the points in descending order and removes duplicates; returns their number. */
static size_t order_points(job_events *s, size_t count)
{
    size_t kept = 0;
    qsort(s->points_ns, count, sizeof *s->points_ns, descending);
    for (size_t i = 0; i < count; i++)
        if (!kept || s->points_ns[i] != s->points_ns[kept - 1])
            s->points_ns[kept++] = s->points_ns[i];
    return kept;
}

/* A copy waits for one copy of each other stream that may be there when it enters, and for the rest of a gap: a
 * stream's next copy enters only when the previous one has left. */
static wide wait_for_streams(job_events *s, const job_event *k, size_t before)
{
    wide wait_ns = wide_add(s->b->gpu->copy_gap_ns, s->below_copies_ns[k->op->copy_engine]);
    for (size_t i = 0; i < before; i++)
        s->stream_weight[s->events[s->before[i]].op->op->stream] = 0;
    for (size_t i = 0; i < before; i++) {
        const bound_op *op = s->events[s->before[i]].op;
        if (op->op->stream == k->op->op->stream || s->events[s->before[i]].max_released_ns < k->min_entry_ns)
            continue;
        wide *longest_ns = &s->stream_weight[op->op->stream], busy_ns = (wide)op->max_ns + s->b->gpu->copy_gap_ns;
        wait_ns = wide_add(wait_ns, wide_max(busy_ns - *longest_ns, 0));
        *longest_ns = wide_max(*longest_ns, busy_ns);
    }
    return wait_ns;
}

/* How long the engine is busy with copies that enter after `after_ns`. `is_cut`: copies that may not be over by then
 * count, too; -1 if there are none. */
static wide copies_from(job_events *s, size_t before, int64_t after_ns, bool is_cut)
{
    wide busy_ns = 0;
    bool may_begin = !is_cut;
    for (size_t i = 0; i < before; i++) {
        const job_event *other = &s->events[s->before[i]];
        if (!is_cut && other->max_entry_ns <= after_ns)
            continue;
        busy_ns = wide_add(busy_ns, (wide)other->op->max_ns + s->b->gpu->copy_gap_ns);
        may_begin = may_begin || other->min_entry_ns < after_ns;
    }
    s->work++;
    return may_begin ? busy_ns : -1;
}

int64_t by_job_latest_copy(job_events *s, size_t k)
{
    const job_event *event = &s->events[k];
    int engine = event->op->copy_engine;
    size_t before = 0, points = 0;
    int64_t start_ns = event->max_entry_ns, end_ns = event->max_entry_ns;
    for (size_t j = s->from; j < s->until; j++) {
        const bound_op *op = s->events[j].op;
        if (op->is_kernel || op->copy_engine != engine || !by_job_may_start_before(s, j, k) ||
            s->events[j].max_released_ns < s->cut_ns)
            continue;
        s->before[before++] = j;
        add_point(s, &points, k, s->events[j].max_entry_ns);
    }
    wide by_streams_ns =
        s->b->gpu->copy_channels ? WIDE_HUGE : wide_add(event->max_entry_ns, wait_for_streams(s, event, before));
    if (s->below_copies_ns[engine])
        return (int64_t)wide_min(by_streams_ns, BOUND_MAX_NS);
    points = order_points(s, points);
    for (size_t n = 0; n <= points; end_ns = n < points ? s->points_ns[n] : 0, n++) {
        int64_t after_ns = n < points ? s->points_ns[n] : before_cut(s);
        wide busy_ns = wide_max(copies_from(s, before, after_ns, false), 0);
        start_ns = (int64_t)wide_min(wide_max(start_ns, wide_add(end_ns, busy_ns)), BOUND_MAX_NS);
    }
    wide cut_busy_ns = s->cut_ns == INT64_MIN ? -1 : copies_from(s, before, s->cut_ns, true);
    if (cut_busy_ns >= 0)
        start_ns = (int64_t)wide_min(wide_max(start_ns, wide_add(s->cut_ns, cut_busy_ns)), BOUND_MAX_NS);
    return (int64_t)wide_min(start_ns, by_streams_ns);
}

/* Fills s->before with the kernels that can start blocks while k waits, and the points; returns their number. */
static size_t gather_before(job_events *s, size_t k, size_t *points, int64_t *first_ns)
{
    size_t before = 0;
    *first_ns = s->events[k].min_entry_ns;
    for (size_t j = s->from; j < s->until; j++) {
        const job_event *other = &s->events[j];
        if (!other->op->is_kernel || other->op->level > s->events[k].op->level || !by_job_may_start_before(s, j, k))
            continue;
        s->before[before++] = j;
        add_point(s, points, k, other->max_entry_ns);
        *first_ns = min_i64(*first_ns, other->min_entry_ns);
    }
    return before;
}

/* Inserts an op into `present` and `present_own`, which are sorted by floor. */
static void add_present(job_events *s, const bound_op *op)
{
    size_t n = (size_t)(op - s->b->ops), place = s->present_count++, own = place;
    for (; place > 0 && s->floor_rank[s->present[place - 1] - s->b->ops] > s->floor_rank[n]; place--)
        s->present[place] = s->present[place - 1];
    for (; own > 0 && s->own_floor_rank[s->present_own[own - 1] - s->b->ops] > s->own_floor_rank[n]; own--)
        s->present_own[own] = s->present_own[own - 1];
    s->present[place] = s->present_own[own] = op;
}

static void count_one(job_events *s, uint32_t *counts, const bound_op *op, const bound_op *k)
{
    size_t n = (size_t)(op - s->b->ops);
    if (!s->head_counts[n] && !s->tail_counts[n] && op != k)
        add_present(s, op);
    counts[n]++;
}

static void clear_counts(job_events *s)
{
    for (size_t i = 0; i < s->present_count; i++) {
        size_t n = (size_t)(s->present[i] - s->b->ops);
        s->head_counts[n] = s->tail_counts[n] = 0;
    }
    s->present_count = 0;
}

/* Latest entry of an event or, for a window at a cut, its latest last start. */
static int64_t waits_until(const job_event *event, bool is_cut)
{
    return is_cut ? event->max_last_ns : event->max_entry_ns;
}

/* How long k waits in a window that begins after `after_ns` and no later than `begin_ns`; -1: none can begin there.
 * Waits up to `enough_ns` need not be exact. `is_cut`: heads may have entered before the window. */
static wide wait_in_window(job_events *s, size_t k, size_t before, int64_t after_ns, int64_t begin_ns, wide enough_ns,
                           bool is_cut)
{
    sm_window w = {.s = s, .k = s->events[k].op, .enough_ns = enough_ns, .is_cut = is_cut};
    bool may_begin = s->events[k].min_entry_ns <= begin_ns;
    clear_counts(s);
    add_present(s, w.k);
    for (size_t i = 0; i < before; i++) {
        const job_event *other = &s->events[s->before[i]];
        if (waits_until(other, is_cut) <= after_ns)
            continue;
        count_one(s, s->head_counts, other->op, w.k);
        w.head_count++;
        may_begin = may_begin || other->min_entry_ns <= begin_ns;
    }
    if (!may_begin)
        return -1;
    for (size_t j = s->from, next = 0; j < s->until && s->events[j].call_ns < begin_ns; j++) {
        const job_event *other = &s->events[j];
        bool is_before = next < before && s->before[next] == j;
        bool is_below = other->op->is_kernel && other->op->level > w.k->level;
        next += is_before;
        if (!(is_below || (is_before && waits_until(other, is_cut) <= after_ns)) || other->min_entry_ns >= begin_ns)
            continue;
        w.has_earlier = true;
        if (other->max_released_ns > after_ns)
            count_one(s, s->tail_counts, other->op, w.k);
    }
    for (size_t n = 0; n < s->below_count; n++) {
        count_one(s, s->tail_counts, s->below[n], w.k);
        if (!s->b->one_kernel_per_stream) /* any number of the op's events may still hold resources */
            s->tail_counts[s->below[n] - s->b->ops] = UINT32_MAX;
    }
    w.has_earlier = w.has_earlier || s->below_count;
    s->work++;
    return sm_wait(&w);
}

/* Latest last start of k if at `begin_ns`, the cut, a kernel that entered before is waiting; at least `start_ns`. */
static int64_t latest_from_cut(job_events *s, size_t k, size_t before, int64_t begin_ns, int64_t start_ns)
{
    wide wait_ns = wait_in_window(s, k, before, begin_ns - 1, begin_ns, start_ns - begin_ns, true);
    return max_i64(start_ns, (int64_t)wide_min(wide_add(begin_ns, wide_max(wait_ns, 0)), BOUND_MAX_NS));
}

/* A search through all windows, the latest begin first. */
typedef struct window_search {
    size_t before;    /* events that can start blocks while k waits */
    size_t points;    /* number of points in s->points_ns */
    size_t next;      /* the next point */
    size_t group;     /* intervals between points that are tried as one */
    int64_t first_ns; /* earliest begin of a window */
    int64_t begin_ns; /* windows that begin later are done */
    int64_t start_ns; /* latest last start of k in the windows done so far */
} window_search;

/* Tries the windows that begin in the next group of intervals. If the group as a whole may give a later start, halves
 * it and returns false. */
static bool try_next_group(job_events *s, size_t k, window_search *w)
{
    size_t last = w->next + w->group - 1 < w->points ? w->next + w->group - 1 : w->points;
    int64_t after_ns = last < w->points ? s->points_ns[last] : before_cut(s);
    wide wait_ns = wait_in_window(s, k, w->before, after_ns, w->begin_ns, w->start_ns - w->begin_ns, false);
    int64_t start_ns = (int64_t)wide_min(wide_add(w->begin_ns, wait_ns), BOUND_MAX_NS);
    if (wait_ns >= 0 && start_ns > w->start_ns && last > w->next) {
        w->group = (last - w->next + 1) / 2;
        return false;
    }
    if (wait_ns >= 0)
        w->start_ns = max_i64(w->start_ns, start_ns);
    w->begin_ns = after_ns;
    w->next = last + 1;
    w->group *= 2;
    return true;
}

int64_t by_job_latest_kernel(job_events *s, size_t k)
{
    int64_t entry_ns = s->events[k].max_entry_ns;
    window_search w = {.group = 1, .begin_ns = entry_ns};
    w.start_ns = s->holds ? entry_ns : max_i64(entry_ns, s->events[k].max_last_ns);
    int64_t latest_ns = /* upper limit for all windows */
        min_i64(by_job_latest_by_paths(s, k, s->holds ? INT64_MIN : w.start_ns), s->events[k].limit_ns);
    if (w.start_ns >= latest_ns)
        return latest_ns;
    w.before = gather_before(s, k, &w.points, &w.first_ns);
    w.points = order_points(s, w.points);
    /* With the events of all windows, no window takes longer. */
    wide longest_ns = wait_in_window(s, k, w.before, INT64_MIN, entry_ns, 0, false);
    while (w.next <= w.points && w.begin_ns >= w.first_ns && wide_add(w.begin_ns, longest_ns) > w.start_ns) {
        if (try_next_group(s, k, &w) && w.next <= w.points)
            latest_ns = min_i64(latest_ns, latest_from_cut(s, k, w.before, w.begin_ns, w.start_ns));
        if (w.start_ns >= latest_ns)
            return latest_ns;
    }
    if (w.first_ns < s->cut_ns)
        w.start_ns = latest_from_cut(s, k, w.before, s->cut_ns, w.start_ns);
    return min_i64(w.start_ns, latest_ns);
}
