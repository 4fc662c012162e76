/* While k waits, some head fits nowhere, or the GPU switches kernels: lemmas 2 and 3, where blocks from before the
 * window are gone after one hold, all of them. */
#include "analyze/bound/by_job/waits/sm_wait.h"

#include "analyze/bound/queue_wait.h"
#include "base/minmax.h"

/* What is there in a window, summed. */
typedef struct presence {
    const sm_window *w;
    bool has_k;                        /* k's blocks count, all but the last */
    wide area;                         /* of all blocks, weight x time */
    wide weight_sum;                   /* of all blocks, weight */
    wide resident_weight;              /* that can be there at once: of each stream its heaviest kernel */
    int64_t tail_hold_ns;              /* blocks from before the window are gone after this */
    int64_t max_hold_ns;               /* the longest hold but k's */
    int64_t second_hold_ns;            /* the longest hold of another stream, but k's */
    int max_hold_stream;               /* the stream with the longest hold */
    int level_count;                   /* levels up to k's */
    wide counts[BY_JOB_LEVELS];        /* by level: heads */
    wide holds_ns[BY_JOB_LEVELS];      /* by level: one hold of each head but k */
    wide max_holds[BY_JOB_LEVELS];     /* by level: the longest hold */
    wide above_ns[BY_JOB_LEVELS];      /* by level: one hold of each head above it */
    wide above_count[BY_JOB_LEVELS];   /* by level: heads above it */
    wide below_ns[BY_JOB_LEVELS];      /* by level: the longest hold of heads below it */
    drain_limit levels[BY_JOB_LEVELS]; /* by level: how long its heads may wait for blocks of others */
    wide all_ns;                       /* how long all heads may wait for blocks of their level and above */
} presence;

static wide heads_of(const presence *p, const bound_op *i)
{
    const job_events *s = p->w->s;
    return s->head_counts[i - s->b->ops] + (p->has_k && i == p->w->k);
}

static wide resident_weight(const bound_op *i)
{
    return wide_mul(wide_min((wide)i->op->blocks, i->max_resident), i->weight);
}

static void add_hold(presence *p, const bound_op *i)
{
    int stream = i->op->stream;
    if (i->hold_ns > p->max_hold_ns) {
        p->second_hold_ns = stream == p->max_hold_stream ? p->second_hold_ns : p->max_hold_ns;
        p->max_hold_ns = i->hold_ns;
        p->max_hold_stream = stream;
    } else if (i->hold_ns > p->second_hold_ns && stream != p->max_hold_stream) {
        p->second_hold_ns = i->hold_ns;
    }
}

static void add_largest(wide *sum, wide *largest, wide size)
{
    if (size > *largest) {
        *sum = wide_add(*sum, size - *largest);
        *largest = size;
    }
}

/* When the window begins, at most as many blocks of i are there as can be resident; where kernels of a stream exclude
 * each other, those of one. */
static void add_tails(presence *p, const bound_op *i)
{
    job_events *s = p->w->s;
    bool is_one = s->b->one_kernel_per_stream;
    wide count = s->tail_counts[i - s->b->ops], *largest = &s->stream_area[i->op->stream];
    wide blocks = wide_mul((wide)i->op->blocks, is_one ? 1 : count);
    wide weight = wide_mul(wide_min(blocks, i->max_resident), i->weight);
    wide area = wide_min(wide_mul(weight, i->hold_ns), wide_mul(wide_mul(count, i->hold_sum_ns), i->weight));
    if (!count)
        return;
    if (is_one)
        add_largest(&p->area, largest, area);
    else
        p->area = wide_add(p->area, area);
    p->weight_sum = wide_add(p->weight_sum, weight);
    add_largest(&p->resident_weight, &s->stream_weight[i->op->stream], weight);
    add_hold(p, i);
    p->tail_hold_ns = max_i64(p->tail_hold_ns, i->hold_ns);
}

static void add_heads(presence *p, const bound_op *i)
{
    job_events *s = p->w->s;
    wide count = s->head_counts[i - s->b->ops];
    bool is_k = p->has_k && i == p->w->k;
    if (!count && !is_k)
        return;
    wide blocks = wide_mul(count + is_k, (wide)i->op->blocks) - is_k;
    wide hold_ns = wide_mul(count + is_k, i->hold_sum_ns) - (is_k ? i->last_hold_ns : 0);
    p->area = wide_add(p->area, wide_mul(hold_ns, i->weight));
    p->weight_sum = wide_add(p->weight_sum, wide_mul(blocks, i->weight));
    add_largest(&p->resident_weight, &s->stream_weight[i->op->stream], resident_weight(i));
    p->counts[i->level] += count + is_k;
    p->max_holds[i->level] = wide_max(p->max_holds[i->level], i->hold_ns);
    p->holds_ns[i->level] = wide_add(p->holds_ns[i->level], wide_mul(count, i->hold_ns));
    if (count)
        add_hold(p, i);
}

/* Lemma 3b for the heads of each level. Blocks from before the window are gone after one hold. */
static void fill_levels(presence *p)
{
    wide below_ns = 0;
    for (int level = 1; level < p->level_count; level++) {
        p->above_ns[level] = wide_add(p->above_ns[level - 1], p->holds_ns[level - 1]);
        p->above_count[level] = p->above_count[level - 1] + p->counts[level - 1];
    }
    if (p->w->is_cut) /* blocks of heads that wait for others above may be there, too */
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

/* Can as much be there at once as keeps a block of `head` out? */
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

/* Lemma 3a: blocks that are there when it becomes the head, then those above. */
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
    wide area_left;   /* weight x time of blocks that are not used yet */
    wide by_area_ns;  /* waits as long as there is area for them (lemma 2) */
    wide mixed_ns;    /* waits for blocks of others, one by one */
    wide own_ns;      /* waits for own blocks, one by one */
    wide together_ns; /* the least by lemma 2 for times a hold apart, with those of lower floors one by one */
    drain_limit levels[BY_JOB_LEVELS]; /* by level: how long its heads may still wait for blocks of others */
    wide all_left;                     /* how long all heads may still wait for blocks of their level and above */
} wait_sum;

/* Adds waits of heads at a floor; those of lower floors have been added. */
static void add_wait(const presence *p, wait_sum *u, wide floor, wide limit_ns, int level, bool is_mixed, wide all_ns)
{
    wide hold_ns = wide_max(p->max_hold_ns, p->has_k ? p->w->k->hold_ns : 0);
    wide one_by_one_ns = wide_add(u->own_ns, wide_min(u->mixed_ns, all_ns));
    u->together_ns =
        wide_min(u->together_ns, wide_add(one_by_one_ns, wide_mul(hold_ns, wide_div(p->weight_sum, floor))));
    *(is_mixed ? &u->mixed_ns : &u->own_ns) = wide_add(is_mixed ? u->mixed_ns : u->own_ns, limit_ns);
    wide wait_ns = is_mixed ? drain_use(&u->levels[level], &u->all_left, limit_ns) : limit_ns;
    u->by_area_ns = wide_add(u->by_area_ns, area_use_up(&u->area_left, wait_ns, floor));
}

/* How long a head waits for its own blocks. */
static wide own_wait(const presence *p, const bound_op *i)
{
    bool after_above = p->w->is_cut && i->has_above; /* those above that are over at the cut (lemma 3c) */
    return bound_waves(i, p->above_count[i->level] + after_above);
}

/* The next part, from `n` on, of an op that has heads with others below them. */
static size_t next_part(const presence *p, size_t n)
{
    const job_events *s = p->w->s;
    const bound *b = s->b;
    while (n < b->part_count && (!s->head_counts[b->parts[n].op - b->ops] || b->parts[n].op->level >= p->level_count ||
                                 p->below_ns[b->parts[n].op->level] <= b->parts[n].from_ns))
        n++;
    return n;
}

/* The same as by area below, where waits for blocks below have floors of their own, but no limit together with the
 * others of a head. */
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

/* Notes the waits of the heads of each op, one by one; their sum. `all_ns`: all wait for others no longer. */
static wide find_waits(const presence *p, wide all_ns)
{
    const job_events *s = p->w->s;
    wide mixed_ns = 0, own_ns = 0;
    for (size_t n = 0; n < s->present_count; n++) {
        const bound_op *i = s->present[n];
        head_waits *waits = &s->waits[i - s->b->ops];
        wide count = heads_of(p, i);
        *waits = (head_waits){0};
        if (!count || !may_wait(p, i))
            continue;
        *waits = (head_waits){count, wide_mul(count, drain_of(p, i)), wide_mul(count, own_wait(p, i))};
        mixed_ns = wide_add(mixed_ns, waits->mixed_ns);
        own_ns = wide_add(own_ns, waits->own_ns);
    }
    return wide_add(own_ns, wide_min(mixed_ns, all_ns));
}

/* Waits with the lowest floors first, as they need the least area. `all_ns`: as in find_waits. */
static wait_sum wait_by_area(const presence *p, wide all_ns)
{
    const job_events *s = p->w->s;
    wait_sum u = {.area_left = p->area, .together_ns = WIDE_HUGE, .all_left = p->all_ns};
    for (int level = 0; level < p->level_count; level++)
        u.levels[level] = p->levels[level];
    for (size_t mixed = 0, own = 0; mixed < s->present_count || own < s->present_count;) {
        const bound_op *m = mixed < s->present_count ? s->present[mixed] : NULL;
        const bound_op *o = own < s->present_count ? s->present_own[own] : NULL;
        bool is_mixed = m && (!o || m->floor <= o->own_floor);
        const bound_op *i = is_mixed ? m : o;
        const head_waits *waits = &s->waits[i - s->b->ops];
        wide wait_ns = is_mixed ? waits->mixed_ns : waits->own_ns;
        mixed += is_mixed;
        own += !is_mixed;
        if (wait_ns)
            add_wait(p, &u, is_mixed ? i->floor : i->own_floor, wait_ns, i->level, is_mixed, all_ns);
    }
    return u;
}

/* How long heads fit nowhere. No more is looked at than shows that it is no longer than `enough_ns`. */
static wide wait_of_heads(const presence *p, wide enough_ns)
{
    wide hold_ns = wide_max(p->max_hold_ns, p->has_k ? p->w->k->hold_ns : 0);
    wide all_ns = wide_add(p->all_ns, wide_mul(p->above_count[p->w->k->level], hold_ns));
    wide wait_ns = find_waits(p, all_ns);
    if (wait_ns <= enough_ns)
        return wait_ns;
    wait_sum u = wait_by_area(p, all_ns);
    wait_ns = wide_min(wait_ns, wide_min(u.by_area_ns, u.together_ns));
    if (wait_ns <= enough_ns || !p->above_count[p->w->k->level])
        return wait_ns;
    return wide_min(wait_ns, wait_by_parts(p));
}

wide by_job_sm_wait(const sm_window *w)
{
    presence p = presence_of(w, true);
    wide switches_ns = wide_mul(w->head_count + w->has_earlier, w->s->b->gpu->switch_ns);
    wide enough_ns = w->enough_ns - switches_ns, wait_ns = wait_of_heads(&p, enough_ns);
    if (!p.above_count[w->k->level] && wait_ns > wide_max(enough_ns, 0) && w->head_count) {
        /* Once k is the head nothing else starts, so that its blocks keep no other head out. */
        wide own_ns = 0;
        if (may_wait(&p, w->k))
            own_ns = wide_add(bound_waves(w->k, w->is_cut && w->k->has_above), drain_of(&p, w->k));
        p = presence_of(w, false);
        wait_ns = wide_min(wait_ns, wide_add(wait_of_heads(&p, enough_ns - own_ns), own_ns));
    }
    return wide_add(wait_ns, switches_ns);
}
