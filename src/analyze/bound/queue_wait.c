/* Whenever a kernel of the path is in an EE queue, some head fits nowhere, or the GPU switches kernels. Heads with a
 * low floor are bounded one by one (lemma 3), the others together, by the work that keeps them out (lemma 2). Every
 * split between the two holds, and the one with the smallest sum is taken. */
#include "analyze/bound/queue_wait.h"

#include <stddef.h>
#include <string.h>

#include "base/minmax.h"

#define MAX_LEVELS 64

/* The events of a level, summed. */
typedef struct level_sum {
    wide count;         /* of events */
    wide hold_above_ns; /* one hold of each event above it */
    wide hold_ns;       /* one hold of each event of it */
    wide max_hold_ns;   /* the longest of these */
} level_sum;

/* The events of kernels that can have blocks on the GPU while the path waits, summed. */
typedef struct interference {
    bool has_own;                 /* k's event is one of them */
    wide area;                    /* of all blocks, weight x time */
    wide weight_sum;              /* of all blocks, weight */
    wide resident_weight;         /* weight that can be resident at once: of each stream its heaviest kernel */
    wide max_hold_ns;             /* the longest hold of a kernel */
    wide second_hold_ns;          /* the longest hold of a kernel of any other stream */
    int max_hold_stream;          /* the stream of the kernel with the longest hold; -1: there is none */
    wide hold_sum_ns;             /* one hold of each event */
    wide event_count;             /* events, one of a stream where only one can be on the GPU */
    wide lower_count;             /* how many of these are of a level below the path's, */
    wide upper_count;             /* and how many are not: sums may be WIDE_HUGE, and have no differences then */
    wide total_count;             /* events, all of every stream */
    int lowest_level;             /* of any of them */
    level_sum levels[MAX_LEVELS]; /* of those that the GPU has */
} interference;

static wide events_of(const bound *b, const bound_op *i, const bound_op *k, const interference *c)
{
    size_t n = (size_t)(i - b->ops);
    return wide_add(b->until_ns[n] > b->cut_ns ? b->event_counts[n] : 0, c->has_own && i == k);
}

/* How many events of i's stream can have blocks there while the path waits; 0: all of them. When a kernel of the path
 * enters, of each other stream at most one has entered and not left; and what is not above the path and enters later
 * does not matter until that kernel has started its last block. */
static int event_limit(const bound *b, const bound_op *i, const bound_op *k, const bound_path *path)
{
    bool is_limited = (path->is_alone || path->is_one_stream) && b->one_kernel_per_stream &&
                      path->kernel_count < BOUND_MAX_LARGEST && i->level >= path->lowest_level &&
                      i->op->stream != k->op->stream;
    return is_limited ? (int)path->kernel_count + 1 : 0;
}

/* Events of i, no more than the limit of its stream. */
static wide limited_events(wide events, int limit)
{
    return limit ? wide_min(events, limit) : events;
}

/* Adds the sizes of events to the sum; with a limit, as many of a stream as it says: the largest ones. */
static void add_sizes(wide *sum, bound_stream *stream, bound_size kind, int limit, wide size, wide events)
{
    wide *largest = stream->largest[kind];
    if (!limit) {
        *sum = wide_add(*sum, wide_mul(events, size));
        return;
    }
    for (wide n = limited_events(events, limit); n > 0; n--) {
        int place = stream->counts[kind];
        if (place == limit && size <= largest[place - 1])
            return;
        *sum = wide_add(*sum, place == limit ? size - largest[place - 1] : size);
        if (place == limit)
            place--;
        else
            stream->counts[kind]++;
        for (; place > 0 && largest[place - 1] < size; place--)
            largest[place] = largest[place - 1];
        largest[place] = size;
    }
}

/* The blocks of i that can be resident while kernels of the path are in queues. A kernel below the path's levels starts
 * none in that time: only blocks count that were resident when a kernel of the path entered. k's last block does not
 * count, as the wait ends when it starts. */
static void add_blocks(bound *b, const bound_op *i, const bound_op *k, const bound_path *path, wide events,
                       interference *c)
{
    int limit = event_limit(b, i, k, path);
    bool is_lower = i->level > path->lowest_level;
    wide blocks = (wide)i->op->blocks, hold_ns = i->hold_sum_ns, all_blocks = wide_mul(events, blocks);
    wide resident = wide_mul(i->max_resident, limit ? 1 : wide_add(path->kernel_count, 1));
    if (!limit) {
        blocks = all_blocks;
        hold_ns = wide_mul(events, hold_ns);
        events = 1;
    }
    if (is_lower && resident < blocks) {
        blocks = resident;
        hold_ns = wide_min(hold_ns, wide_mul(resident, i->hold_ns));
        events = limit ? wide_div_up(all_blocks, blocks) : 1; /* others, each time that a kernel of the path enters */
    }
    if (c->has_own && i == k) {
        blocks -= 1;
        hold_ns -= k->last_hold_ns;
    }
    bound_stream *stream = &b->streams[i->op->stream];
    add_sizes(&c->weight_sum, stream, BOUND_WEIGHT, limit, wide_mul(blocks, i->weight), events);
    add_sizes(&c->area, stream, BOUND_AREA, limit, wide_mul(hold_ns, i->weight), events);
    add_sizes(&c->resident_weight, stream, BOUND_RESIDENT, 1,
              wide_mul(wide_min((wide)i->op->blocks, i->max_resident), i->weight), 1);
}

static void add_hold(interference *c, wide hold_ns, int stream)
{
    if (hold_ns > c->max_hold_ns) {
        c->second_hold_ns = stream == c->max_hold_stream ? c->second_hold_ns : c->max_hold_ns;
        c->max_hold_ns = hold_ns;
        c->max_hold_stream = stream;
    } else if (hold_ns > c->second_hold_ns && stream != c->max_hold_stream) {
        c->second_hold_ns = hold_ns;
    }
}

/* The events of i, and one hold of each. */
static void add_events(bound *b, const bound_op *i, int limit, wide events, const bound_path *path, interference *c)
{
    bound_stream *stream = &b->streams[i->op->stream];
    wide hold_ns = 0;
    add_sizes(&hold_ns, stream, BOUND_HOLD, limit, i->hold_ns, events);
    if (limit)
        events = wide_min(events, limit - stream->event_count);
    stream->event_count += limit ? (int)events : 0;
    c->hold_sum_ns = wide_add(c->hold_sum_ns, hold_ns);
    c->event_count = wide_add(c->event_count, events);
    wide *part = i->level > path->lowest_level ? &c->lower_count : &c->upper_count;
    *part = wide_add(*part, events);
    c->lowest_level = max_int(i->level, c->lowest_level);
    c->levels[i->level].count = wide_add(c->levels[i->level].count, events);
    c->levels[i->level].hold_ns = wide_add(c->levels[i->level].hold_ns, hold_ns);
    c->levels[i->level].max_hold_ns = wide_max(c->levels[i->level].max_hold_ns, i->hold_ns);
    for (int level = i->level + 1; level < b->gpu->priority_levels; level++)
        c->levels[level].hold_above_ns = wide_add(c->levels[level].hold_above_ns, hold_ns);
    add_hold(c, i->hold_ns, i->op->stream);
}

static void gather(bound *b, const bound_op *k, const bound_path *path, bool has_own, interference *c)
{
    memset(c, 0, offsetof(interference, levels) + (size_t)b->gpu->priority_levels * sizeof *c->levels);
    c->has_own = has_own;
    c->max_hold_stream = -1;
    for (size_t n = 0; n < b->w->stream_count; n++) {
        memset(b->streams[n].counts, 0, sizeof b->streams[n].counts);
        b->streams[n].event_count = 0;
    }
    for (size_t n = 0; n < b->kernel_count; n++) {
        const bound_op *i = b->by_floor[n];
        wide events = events_of(b, i, k, c);
        if (!events)
            continue;
        c->total_count = wide_add(c->total_count, events);
        add_blocks(b, i, k, path, events, c);
        add_events(b, i, event_limit(b, i, k, path), events, path, c);
    }
}

/* Can as much be resident at once as keeps a block of `head` out (lemma 2)? */
static bool may_wait(const bound *b, const bound_op *head, const interference *c)
{
    wide weight = c->weight_sum;
    if (b->one_kernel_per_stream) {
        const bound_stream *own = &b->streams[head->op->stream];
        wide other_weight = c->resident_weight - (own->counts[BOUND_RESIDENT] ? own->largest[BOUND_RESIDENT][0] : 0);
        weight = wide_min(weight, wide_add(other_weight, wide_mul((wide)head->op->blocks - 1, head->weight)));
    }
    return weight >= head->floor;
}

/* Lemma 3a: when it becomes the head, the blocks that are resident drain; then those of higher levels that started
 * since. */
static wide drain_before(const bound *b, const bound_op *head, const interference *c)
{
    wide other_ns = head->op->stream == c->max_hold_stream ? c->second_hold_ns : c->max_hold_ns;
    wide own_stream = b->one_kernel_per_stream ? 0 : b->gpu->handover_ns - b->gpu->stream_gap_ns;
    return wide_add(wide_max(other_ns, own_stream), c->levels[head->level].hold_above_ns);
}

/* Lemma 3b: each event drains once after its last block, and once more when a higher one comes. */
static wide drain_of_all(const interference *c)
{
    wide above = 0;
    for (int level = 0; level < c->lowest_level; level++)
        above = wide_add(above, c->levels[level].count);
    return wide_add(c->hold_sum_ns, wide_mul(above, c->max_hold_ns));
}

wide bound_waves(const bound_op *k, wide above)
{
    return wide_min(k->waves_ns, wide_add(k->undisturbed_waves_ns, wide_mul(above, k->hold_ns)));
}

/* May k have been overtaken by some that are over? Without a cut, all its blocks start while the path waits. */
static bool is_overtaken_before(const bound *b)
{
    return b->cut_ns != BOUND_NO_CUT && b->is_overtaken;
}

/* Lemma 3c. Heads that started blocks before the path waits may have been overtaken by some that are over. */
static wide waves(const bound *b, const bound_op *head, const bound_op *k, const bound_path *path,
                  const interference *c)
{
    bool is_k = head == k && c->has_own && events_of(b, k, k, c) == 1;
    wide above = is_k ? is_overtaken_before(b) : head->has_above && !path->is_from_idle;
    for (int level = 0; level < head->level; level++)
        above = wide_add(above, c->levels[level].count);
    return bound_waves(head, above);
}

/* Lemma 2, for all heads with this floor or a higher one. */
static wide wait_together(const interference *c, wide floor)
{
    return wide_min(wide_div(c->area, floor), wide_mul(c->max_hold_ns, wide_div(c->weight_sum, floor)));
}

/* Time that heads wait, and the area of blocks that there is for it. */
typedef struct area_use {
    wide area_left;                 /* weight x time of blocks that are not used yet */
    drain_limit levels[MAX_LEVELS]; /* by level: how long its heads may still wait for blocks of others */
    wide below_ns[MAX_LEVELS];      /* by level: the longest hold of blocks below it */
    wide tails_left;                /* how long all heads may still wait for blocks of their level and above */
    wide sum_ns;                    /* waits so far */
} area_use;

/* The whole area; and lemma 3b for the heads of each level: blocks of the level and above are gone a hold after their
 * kernel's last start; those below a hold after the head's entry. */
static void fill_use(const bound *b, const bound_path *path, const interference *c, area_use *u)
{
    wide below_ns = 0, tails_ns = 0;
    u->area_left = c->area;
    u->sum_ns = 0;
    for (int level = b->gpu->priority_levels - 1; level >= 0; level--) {
        u->below_ns[level] = below_ns;
        u->levels[level].below_ns = wide_mul(c->levels[level].count, below_ns);
        u->levels[level].drain_ns = wide_add(c->levels[level].hold_ns, c->levels[level].hold_above_ns);
        tails_ns = wide_add(tails_ns, level <= path->lowest_level ? c->levels[level].hold_ns : 0);
        below_ns = wide_max(below_ns, c->levels[level].max_hold_ns);
    }
    u->tails_left = wide_max(tails_ns - path->tails_ns, 0);
}

/* Lemma 3a for the events of a head: without the blocks above, which all heads of the level wait for together. */
static wide drain_once(const bound *b, const bound_op *head, const interference *c)
{
    return drain_before(b, head, c) - c->levels[head->level].hold_above_ns;
}

/* As much of a wait at a floor as the area allows; false: the area is used up. */
static bool use_area(area_use *u, wide wait_ns, wide floor)
{
    wide used_ns = area_use_up(&u->area_left, wait_ns, floor);
    u->sum_ns = wide_add(u->sum_ns, used_ns);
    return used_ns == wait_ns;
}

/* Events of h that can be heads while the path waits. */
static wide heads_of(const bound *b, const bound_op *h, const bound_op *k, const bound_path *path,
                     const interference *c)
{
    return limited_events(events_of(b, h, k, c), event_limit(b, h, k, path));
}

/* May h be a head that the path waits for? */
static bool may_be_head(const bound *b, const bound_op *h, const bound_op *k, const bound_path *path,
                        const interference *c)
{
    return events_of(b, h, k, c) && h->level <= path->lowest_level && may_wait(b, h, c);
}

/* What the events of h add to the waits of heads: of as many of its stream as can be there. */
static wide wait_of_events(bound *b, const bound_op *h, const bound_op *k, const bound_path *path,
                           const interference *c, wide each_ns, bound_size kind)
{
    wide sum = 0;
    add_sizes(&sum, &b->streams[h->op->stream], kind, event_limit(b, h, k, path), each_ns, events_of(b, h, k, c));
    return sum;
}

/* Lemma 2 for all heads, with lemma 3 as their limits: the waits with the lowest floors come first, as they need the
 * least area. */
static wide wait_by_area(bound *b, const bound_op *k, const bound_path *path, const interference *c)
{
    area_use u;
    bool has_area = true;
    fill_use(b, path, c, &u);
    for (size_t mixed = 0, own = 0; has_area && (mixed < b->kernel_count || own < b->kernel_count);) {
        const bound_op *m = mixed < b->kernel_count ? b->by_floor[mixed] : NULL;
        const bound_op *h = own < b->kernel_count ? b->by_own_floor[own] : NULL;
        if (m && (!h || m->floor <= h->own_floor)) {
            mixed++;
            if (!may_be_head(b, m, k, path, c))
                continue;
            wide wait_ns = wait_of_events(b, m, k, path, c, drain_once(b, m, c), BOUND_SHARED_DRAIN);
            wait_ns =
                drain_use(&u.levels[m->level], &u.tails_left, wide_add(wait_ns, c->levels[m->level].hold_above_ns));
            has_area = use_area(&u, wait_ns, m->floor);
        } else {
            own++;
            if (may_be_head(b, h, k, path, c))
                has_area = use_area(&u, wait_of_events(b, h, k, path, c, waves(b, h, k, path, c), BOUND_SHARED_WAVES),
                                    h->own_floor);
        }
    }
    return u.sum_ns;
}

/* The same, where waits for blocks below have floors of their own, but no limit together with the others of a head. */
static wide wait_by_parts(bound *b, const bound_op *k, const bound_path *path, const interference *c)
{
    area_use u;
    fill_use(b, path, c, &u);
    for (int level = 0; level < b->gpu->priority_levels; level++)
        u.levels[level].below_ns = 0;
    wait_lists lists = {.by_floor = b->by_floor,
                        .by_own_floor = b->by_own_floor,
                        .head_count = b->kernel_count,
                        .parts = b->parts,
                        .part_count = b->part_count};
    for (bool has_area = true; has_area;) {
        while (lists.part < b->part_count && !events_of(b, b->parts[lists.part].op, k, c))
            lists.part++;
        head_wait next = wait_next(&lists);
        const bound_op *h = next.op;
        if (next.kind == WAIT_NONE)
            break;
        if (!may_be_head(b, h, k, path, c))
            continue;
        wide heads = heads_of(b, h, k, path, c), wait_ns = 0;
        if (next.kind == WAIT_MIXED)
            wait_ns = drain_use(&u.levels[h->level], &u.tails_left,
                                wide_add(wide_mul(heads, drain_once(b, h, c)), c->levels[h->level].hold_above_ns));
        else if (next.kind == WAIT_OWN)
            wait_ns = wide_mul(heads, waves(b, h, k, path, c));
        else
            wait_ns =
                wide_mul(heads, wide_max(wide_min(u.below_ns[h->level], next.part->until_ns) - next.part->from_ns, 0));
        has_area = !wait_ns || use_area(&u, wait_ns, next.floor);
    }
    return u.sum_ns;
}

/* How long heads fit nowhere, by the best split between lemma 3, for low floors, and lemma 2. */
static wide wait_of_heads(bound *b, const bound_op *k, const bound_path *path, const interference *c)
{
    wide waves_ns = 0, drain_ns = 0, in_turn_ns = 0, smallest = WIDE_HUGE;
    for (size_t n = 0; n < b->kernel_count && in_turn_ns < smallest; n++) {
        const bound_op *head = b->by_floor[n];
        int limit = event_limit(b, head, k, path);
        wide events = events_of(b, head, k, c);
        if (!events || head->level > path->lowest_level || !may_wait(b, head, c))
            continue;
        bound_stream *stream = &b->streams[head->op->stream];
        smallest = wide_min(smallest, wide_add(in_turn_ns, wait_together(c, head->floor)));
        add_sizes(&waves_ns, stream, BOUND_WAVES, limit, waves(b, head, k, path, c), events);
        add_sizes(&drain_ns, stream, BOUND_DRAIN, limit, drain_before(b, head, c), events);
        in_turn_ns = wide_add(waves_ns, wide_min(drain_ns, drain_of_all(c)));
    }
    smallest = wide_min(smallest, in_turn_ns);
    if (!smallest)
        return 0;
    smallest = wide_min(smallest, wait_by_area(b, k, path, c));
    return c->lowest_level > 0 && b->part_count ? wide_min(smallest, wait_by_parts(b, k, path, c)) : smallest;
}

/* One switch for each kernel that starts its last block while the path waits. Kernels below the path, and those that
 * have left, did so before: of their switches only the last one matters, each time that a kernel of the path enters. */
static wide switches(const bound *b, const bound_path *path, const interference *c)
{
    wide others = c->total_count < WIDE_HUGE ? c->total_count - c->event_count : WIDE_HUGE;
    wide before = path->is_alone || path->is_one_stream ? wide_add(b->left_count, wide_add(others, c->lower_count))
                                                        : c->lower_count;
    wide entries = wide_add(path->kernel_count, c->has_own);
    return wide_mul(wide_add(c->upper_count - c->has_own, wide_min(before, entries)), b->gpu->switch_ns);
}

wide bound_queue_wait(bound *b, const bound_op *k, const bound_path *path, bool has_own)
{
    interference c;
    gather(b, k, path, has_own, &c);
    wide wait = wait_of_heads(b, k, path, &c), switching = switches(b, path, &c);
    if (has_own && c.levels[k->level].hold_above_ns == 0) {
        /* Nothing starts before k once it is the head, so that its blocks keep no other head out. */
        wide own = may_wait(b, k, &c) ? wide_add(bound_waves(k, is_overtaken_before(b)), drain_before(b, k, &c)) : 0;
        gather(b, k, path, false, &c);
        wait = wide_min(wait, wide_add(wait_of_heads(b, k, path, &c), own));
    }
    return wide_add(wait, switching);
}
