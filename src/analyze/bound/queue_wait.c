/* While a kernel of the path is in an EE queue, some head fits nowhere, or the GPU switches kernels. Heads with a low
 * floor are bounded one by one (lemma 3), the others together, by the work that keeps them out (lemma 2). Every split
 * between the two gives a bound; the smallest is taken. */
#include "analyze/bound/queue_wait.h"

#include <stddef.h>
#include <string.h>

#include "base/integers.h"

#define MAX_LEVELS 64

/* Sums over the events of a level. */
typedef struct level_sum {
    wide count;         /* events */
    wide hold_above_ns; /* one hold of each event of higher levels */
    wide hold_ns;       /* one hold of each event of this level */
    wide max_hold_ns;   /* the longest of these */
} level_sum;

/* Sums over the events whose blocks can be on the GPU while the path waits. */
typedef struct interference {
    bool has_own;                 /* k's event counts, too */
    wide area;                    /* weight x time of all blocks */
    wide weight_sum;              /* weight of all blocks */
    wide resident_weight;         /* weight that can be resident at once: the heaviest kernel of each stream */
    wide max_hold_ns;             /* the longest hold of a kernel */
    wide second_hold_ns;          /* the longest hold in any other stream */
    int max_hold_stream;          /* the stream with the longest hold; -1: none */
    wide hold_sum_ns;             /* one hold of each event */
    wide event_count;             /* events, limited where a stream can only have some on the GPU */
    wide lower_count;             /* of these, events of levels below the path's */
    wide upper_count;             /* and the rest; not a difference, since sums may saturate */
    wide total_count;             /* all events */
    int lowest_level;             /* the lowest level of any event */
    level_sum levels[MAX_LEVELS]; /* by level */
} interference;

static wide events_of(const bound *b, const bound_op *op, const bound_op *k, const interference *sums)
{
    size_t n = (size_t)(op - b->ops);
    return wide_add(b->until_ns[n] > b->cut_ns ? b->event_counts[n] : 0, sums->has_own && op == k);
}

/* How many events of the op's stream can have blocks on the GPU while the path waits; 0: all. When a kernel of the path
 * enters, at most one of each other stream has entered and not left; kernels that enter later and are not above the
 * path do not matter until that kernel has started its last block. */
static int event_limit(const bound *b, const bound_op *op, const bound_op *k, const bound_path *path)
{
    bool is_limited = (path->is_alone || path->is_one_stream) && b->one_kernel_per_stream &&
                      path->kernel_count < BOUND_MAX_LARGEST && op->level >= path->lowest_level &&
                      op->op->stream != k->op->stream;
    return is_limited ? (int)path->kernel_count + 1 : 0;
}

static wide limited_events(wide events, int limit)
{
    return limit ? wide_min(events, limit) : events;
}

/* Adds the sizes of events to the sum; with a limit, only the stream's largest ones up to the limit. */
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

/* Adds the op's blocks that can be resident while kernels of the path are in queues. A kernel below the path's levels
 * starts none in that time: only its blocks that were resident when a kernel of the path entered count. k's last block
 * does not count, since the wait ends when it starts. */
static void add_blocks(bound *b, const bound_op *op, const bound_op *k, const bound_path *path, wide events,
                       interference *sums)
{
    int limit = event_limit(b, op, k, path);
    bool is_lower = op->level > path->lowest_level;
    wide blocks = (wide)op->op->blocks, hold_ns = op->hold_sum_ns, all_blocks = wide_mul(events, blocks);
    wide resident = wide_mul(op->max_resident, limit ? 1 : wide_add(path->kernel_count, 1));
    if (!limit) {
        blocks = all_blocks;
        hold_ns = wide_mul(events, hold_ns);
        events = 1;
    }
    if (is_lower && resident < blocks) {
        blocks = resident;
        hold_ns = wide_min(hold_ns, wide_mul(resident, op->hold_ns));
        events = limit ? wide_div_up(all_blocks, blocks)
                       : 1; /* up to `resident` each time that a kernel of the path enters */
    }
    if (sums->has_own && op == k) {
        blocks -= 1;
        hold_ns -= k->last_hold_ns;
    }
    bound_stream *stream = &b->streams[op->op->stream];
    add_sizes(&sums->weight_sum, stream, BOUND_WEIGHT, limit, wide_mul(blocks, op->weight), events);
    add_sizes(&sums->area, stream, BOUND_AREA, limit, wide_mul(hold_ns, op->weight), events);
    add_sizes(&sums->resident_weight, stream, BOUND_RESIDENT, 1,
              wide_mul(wide_min((wide)op->op->blocks, op->max_resident), op->weight), 1);
}

static void add_hold(interference *sums, wide hold_ns, int stream)
{
    if (hold_ns > sums->max_hold_ns) {
        sums->second_hold_ns = stream == sums->max_hold_stream ? sums->second_hold_ns : sums->max_hold_ns;
        sums->max_hold_ns = hold_ns;
        sums->max_hold_stream = stream;
    } else if (hold_ns > sums->second_hold_ns && stream != sums->max_hold_stream) {
        sums->second_hold_ns = hold_ns;
    }
}

/* Adds the op's events, and one hold of each. */
static void add_events(bound *b, const bound_op *op, int limit, wide events, const bound_path *path, interference *sums)
{
    bound_stream *stream = &b->streams[op->op->stream];
    wide hold_ns = 0;
    add_sizes(&hold_ns, stream, BOUND_HOLD, limit, op->hold_ns, events);
    if (limit)
        events = wide_min(events, limit - stream->event_count);
    stream->event_count += limit ? (int)events : 0;
    sums->hold_sum_ns = wide_add(sums->hold_sum_ns, hold_ns);
    sums->event_count = wide_add(sums->event_count, events);
    wide *part = op->level > path->lowest_level ? &sums->lower_count : &sums->upper_count;
    *part = wide_add(*part, events);
    sums->lowest_level = max_int(op->level, sums->lowest_level);
    sums->levels[op->level].count = wide_add(sums->levels[op->level].count, events);
    sums->levels[op->level].hold_ns = wide_add(sums->levels[op->level].hold_ns, hold_ns);
    sums->levels[op->level].max_hold_ns = wide_max(sums->levels[op->level].max_hold_ns, op->hold_ns);
    for (int level = op->level + 1; level < b->gpu->priority_levels; level++)
        sums->levels[level].hold_above_ns = wide_add(sums->levels[level].hold_above_ns, hold_ns);
    add_hold(sums, op->hold_ns, op->op->stream);
}

static void gather(bound *b, const bound_op *k, const bound_path *path, bool has_own, interference *sums)
{
    memset(sums, 0, offsetof(interference, levels) + (size_t)b->gpu->priority_levels * sizeof *sums->levels);
    sums->has_own = has_own;
    sums->max_hold_stream = -1;
    for (size_t n = 0; n < b->w->stream_count; n++) {
        memset(b->streams[n].counts, 0, sizeof b->streams[n].counts);
        b->streams[n].event_count = 0;
    }
    for (size_t n = 0; n < b->kernel_count; n++) {
        const bound_op *op = b->by_floor[n];
        wide events = events_of(b, op, k, sums);
        if (!events)
            continue;
        sums->total_count = wide_add(sums->total_count, events);
        add_blocks(b, op, k, path, events, sums);
        add_events(b, op, event_limit(b, op, k, path), events, path, sums);
    }
}

/* Can enough be resident at once to keep a block of `head` out (lemma 2)? */
static bool may_wait(const bound *b, const bound_op *head, const interference *sums)
{
    wide weight = sums->weight_sum;
    if (b->one_kernel_per_stream) {
        const bound_stream *own = &b->streams[head->op->stream];
        wide other_weight = sums->resident_weight - (own->counts[BOUND_RESIDENT] ? own->largest[BOUND_RESIDENT][0] : 0);
        weight = wide_min(weight, wide_add(other_weight, wide_mul((wide)head->op->blocks - 1, head->weight)));
    }
    return weight >= head->floor;
}

/* Lemma 3a: when it becomes the head, the resident blocks drain; then those of higher levels that started since. */
static wide drain_before(const bound *b, const bound_op *head, const interference *sums)
{
    wide other_ns = head->op->stream == sums->max_hold_stream ? sums->second_hold_ns : sums->max_hold_ns;
    wide own_stream = b->one_kernel_per_stream ? 0 : b->gpu->handover_ns - b->gpu->stream_gap_ns;
    return wide_add(wide_max(other_ns, own_stream), sums->levels[head->level].hold_above_ns);
}

/* Lemma 3b: each event drains once after its last block, and once more for each event that comes in above it. */
static wide drain_of_all(const interference *sums)
{
    wide above = 0;
    for (int level = 0; level < sums->lowest_level; level++)
        above = wide_add(above, sums->levels[level].count);
    return wide_add(sums->hold_sum_ns, wide_mul(above, sums->max_hold_ns));
}

wide bound_waves(const bound_op *k, wide above)
{
    return wide_min(k->waves_ns, wide_add(k->undisturbed_waves_ns, wide_mul(above, k->hold_ns)));
}

/* May events that are over have overtaken k? Without a cut, all of k's blocks start while the path waits. */
static bool is_overtaken_before(const bound *b)
{
    return b->cut_ns != BOUND_NO_CUT && b->is_overtaken;
}

/* Lemma 3c. Events that are over may have overtaken heads that started blocks before the path waits. */
static wide waves(const bound *b, const bound_op *head, const bound_op *k, const bound_path *path,
                  const interference *sums)
{
    bool is_k = head == k && sums->has_own && events_of(b, k, k, sums) == 1;
    wide above = is_k ? is_overtaken_before(b) : head->has_above && !path->is_from_idle;
    for (int level = 0; level < head->level; level++)
        above = wide_add(above, sums->levels[level].count);
    return bound_waves(head, above);
}

/* Lemma 2 for all heads with this floor or a higher one. */
static wide wait_together(const interference *sums, wide floor)
{
    return wide_min(wide_div(sums->area, floor), wide_mul(sums->max_hold_ns, wide_div(sums->weight_sum, floor)));
}

/* Waits of heads so far, and what is left of the area and the limits. */
typedef struct area_use {
    wide area_left;                 /* unused weight x time of blocks */
    drain_limit levels[MAX_LEVELS]; /* by level: remaining wait of its heads for blocks of others */
    wide below_ns[MAX_LEVELS];      /* by level: the longest hold of blocks of lower levels */
    wide tails_left;                /* remaining wait of all heads for blocks of their level and above */
    wide sum_ns;                    /* waits so far */
} area_use;

/* Starts with the whole area and the limits of lemma 3b by level: blocks of the level and above are gone a hold after
 * their kernel's last start, those below a hold after the head's entry. */
static void fill_use(const bound *b, const bound_path *path, const interference *sums, area_use *use)
{
    wide below_ns = 0, tails_ns = 0;
    use->area_left = sums->area;
    use->sum_ns = 0;
    for (int level = b->gpu->priority_levels - 1; level >= 0; level--) {
        use->below_ns[level] = below_ns;
        use->levels[level].below_ns = wide_mul(sums->levels[level].count, below_ns);
        use->levels[level].drain_ns = wide_add(sums->levels[level].hold_ns, sums->levels[level].hold_above_ns);
        tails_ns = wide_add(tails_ns, level <= path->lowest_level ? sums->levels[level].hold_ns : 0);
        below_ns = wide_max(below_ns, sums->levels[level].max_hold_ns);
    }
    use->tails_left = wide_max(tails_ns - path->tails_ns, 0);
}

/* Lemma 3a for one head, without the blocks above it: all heads of the level wait for these together. */
static wide drain_once(const bound *b, const bound_op *head, const interference *sums)
{
    return drain_before(b, head, sums) - sums->levels[head->level].hold_above_ns;
}

/* Adds a wait as far as the area allows; false: the area is used up. */
static bool use_area(area_use *use, wide wait_ns, wide floor)
{
    wide used_ns = area_use_up(&use->area_left, wait_ns, floor);
    use->sum_ns = wide_add(use->sum_ns, used_ns);
    return used_ns == wait_ns;
}

/* How many events of h can be heads while the path waits. */
static wide heads_of(const bound *b, const bound_op *h, const bound_op *k, const bound_path *path,
                     const interference *sums)
{
    return limited_events(events_of(b, h, k, sums), event_limit(b, h, k, path));
}

/* May h be a head that the path waits for? */
static bool may_be_head(const bound *b, const bound_op *h, const bound_op *k, const bound_path *path,
                        const interference *sums)
{
    return events_of(b, h, k, sums) && h->level <= path->lowest_level && may_wait(b, h, sums);
}

/* What the events of h add to the waits of heads, within the limit of its stream. */
static wide wait_of_events(bound *b, const bound_op *h, const bound_op *k, const bound_path *path,
                           const interference *sums, wide each_ns, bound_size kind)
{
    wide sum = 0;
    add_sizes(&sum, &b->streams[h->op->stream], kind, event_limit(b, h, k, path), each_ns, events_of(b, h, k, sums));
    return sum;
}

/* Lemma 2 for all heads, limited by lemma 3. Waits with the lowest floors come first, as they need the least area. */
static wide wait_by_area(bound *b, const bound_op *k, const bound_path *path, const interference *sums)
{
    area_use use;
    bool has_area = true;
    fill_use(b, path, sums, &use);
    for (size_t mixed = 0, own = 0; has_area && (mixed < b->kernel_count || own < b->kernel_count);) {
        const bound_op *m = mixed < b->kernel_count ? b->by_floor[mixed] : NULL;
        const bound_op *h = own < b->kernel_count ? b->by_own_floor[own] : NULL;
        if (m && (!h || m->floor <= h->own_floor)) {
            mixed++;
            if (!may_be_head(b, m, k, path, sums))
                continue;
            wide wait_ns = wait_of_events(b, m, k, path, sums, drain_once(b, m, sums), BOUND_SHARED_DRAIN);
            wait_ns = drain_use(&use.levels[m->level], &use.tails_left,
                                wide_add(wait_ns, sums->levels[m->level].hold_above_ns));
            has_area = use_area(&use, wait_ns, m->floor);
        } else {
            own++;
            if (may_be_head(b, h, k, path, sums))
                has_area =
                    use_area(&use, wait_of_events(b, h, k, path, sums, waves(b, h, k, path, sums), BOUND_SHARED_WAVES),
                             h->own_floor);
        }
    }
    return use.sum_ns;
}

/* As wait_by_area, but waits for blocks of lower levels have floors of their own, and no common limit with a head's
 * other waits. */
static wide wait_by_parts(bound *b, const bound_op *k, const bound_path *path, const interference *sums)
{
    area_use use;
    fill_use(b, path, sums, &use);
    for (int level = 0; level < b->gpu->priority_levels; level++)
        use.levels[level].below_ns = 0;
    wait_lists lists = {.by_floor = b->by_floor,
                        .by_own_floor = b->by_own_floor,
                        .head_count = b->kernel_count,
                        .parts = b->parts,
                        .part_count = b->part_count};
    for (bool has_area = true; has_area;) {
        while (lists.part < b->part_count && !events_of(b, b->parts[lists.part].op, k, sums))
            lists.part++;
        head_wait next = wait_next(&lists);
        const bound_op *h = next.op;
        if (next.kind == WAIT_NONE)
            break;
        if (!may_be_head(b, h, k, path, sums))
            continue;
        wide heads = heads_of(b, h, k, path, sums), wait_ns = 0;
        if (next.kind == WAIT_MIXED)
            wait_ns =
                drain_use(&use.levels[h->level], &use.tails_left,
                          wide_add(wide_mul(heads, drain_once(b, h, sums)), sums->levels[h->level].hold_above_ns));
        else if (next.kind == WAIT_OWN)
            wait_ns = wide_mul(heads, waves(b, h, k, path, sums));
        else
            wait_ns = wide_mul(heads,
                               wide_max(wide_min(use.below_ns[h->level], next.part->until_ns) - next.part->from_ns, 0));
        has_area = !wait_ns || use_area(&use, wait_ns, next.floor);
    }
    return use.sum_ns;
}

/* How long heads fit nowhere: the best split between lemma 3, for low floors, and lemma 2, and the limits by area. */
static wide wait_of_heads(bound *b, const bound_op *k, const bound_path *path, const interference *sums)
{
    wide waves_ns = 0, drain_ns = 0, in_turn_ns = 0, smallest = WIDE_HUGE;
    for (size_t n = 0; n < b->kernel_count && in_turn_ns < smallest; n++) {
        const bound_op *head = b->by_floor[n];
        int limit = event_limit(b, head, k, path);
        wide events = events_of(b, head, k, sums);
        if (!events || head->level > path->lowest_level || !may_wait(b, head, sums))
            continue;
        bound_stream *stream = &b->streams[head->op->stream];
        smallest = wide_min(smallest, wide_add(in_turn_ns, wait_together(sums, head->floor)));
        add_sizes(&waves_ns, stream, BOUND_WAVES, limit, waves(b, head, k, path, sums), events);
        add_sizes(&drain_ns, stream, BOUND_DRAIN, limit, drain_before(b, head, sums), events);
        in_turn_ns = wide_add(waves_ns, wide_min(drain_ns, drain_of_all(sums)));
    }
    smallest = wide_min(smallest, in_turn_ns);
    if (!smallest)
        return 0;
    smallest = wide_min(smallest, wait_by_area(b, k, path, sums));
    return sums->lowest_level > 0 && b->part_count ? wide_min(smallest, wait_by_parts(b, k, path, sums)) : smallest;
}

/* One switch for each kernel that starts its last block while the path waits. Kernels below the path, and kernels that
 * have left, started theirs before: only their last switch matters, each time that a kernel of the path enters. */
static wide switches(const bound *b, const bound_path *path, const interference *sums)
{
    wide others = sums->total_count < WIDE_HUGE ? sums->total_count - sums->event_count : WIDE_HUGE;
    wide before = path->is_alone || path->is_one_stream ? wide_add(b->left_count, wide_add(others, sums->lower_count))
                                                        : sums->lower_count;
    wide entries = wide_add(path->kernel_count, sums->has_own);
    return wide_mul(wide_add(sums->upper_count - sums->has_own, wide_min(before, entries)), b->gpu->switch_ns);
}

wide bound_queue_wait(bound *b, const bound_op *k, const bound_path *path, bool has_own)
{
    interference sums;
    gather(b, k, path, has_own, &sums);
    wide wait = wait_of_heads(b, k, path, &sums), switching = switches(b, path, &sums);
    if (has_own && sums.levels[k->level].hold_above_ns == 0) {
        /* Once k is the head, nothing starts before it, so its blocks keep no other head out. */
        wide own =
            may_wait(b, k, &sums) ? wide_add(bound_waves(k, is_overtaken_before(b)), drain_before(b, k, &sums)) : 0;
        gather(b, k, path, false, &sums);
        wait = wide_min(wait, wide_add(wait_of_heads(b, k, path, &sums), own));
    }
    return wide_add(wait, switching);
}
