/* Bursts: jobs that may arrive in so many orders that exploring them would take too long. Where the EE has one queue
 * and their streams do not hold them, work bounds them, as Graham's bound does a list: from a job's entry on no slot is
 * idle until its last block starts (but while the EE switches), so that this is by when all work of the jobs before it,
 * of its own earlier blocks and of what the slots still hold would be done on all slots alike. */
#include <stdlib.h>
#include <string.h>

#include "analyze/explore/explore.h"

#define PART_OF_STATES 10 /* what exploring a burst may take of the states allowed */

typedef __int128 sum;

/* What a job's blocks hold of slots, together. */
static sum work(const explore *x, const explore_job *j, bool longest)
{
    sum all = (sum)j->blocks * ((longest ? j->max_ns : j->min_ns) + x->handover);
    if (!j->each)
        return all;
    all = (sum)j->blocks * x->handover;
    for (uint64_t b = 0; b < j->blocks; b++)
        all += j->each[b] + (longest ? x->noise : 0);
    return all;
}

/* And what slots are idle for after it. */
static sum work_and_switch(const explore *x, const explore_job *j)
{
    return work(x, j, true) + (sum)x->slot_count[0] * x->switching;
}

static int by_least(const void *a, const void *b)
{
    const explore_least *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Between which places in the order of calls a job may be. */
static explore_least call_from(const explore *x, const explore_job *j)
{
    return (explore_least){j->first, x->options->any_order ? 0 : j->index};
}

static explore_least call_to(const explore_job *j)
{
    return (explore_least){j->last, j->loose ? EXPLORE_NONE : j->index};
}

/* About how many states these jobs would take: any that may be called together may be dispatched in part. */
static uint64_t state_estimate(const explore *x, uint32_t from, uint32_t to, explore_least *ends)
{
    uint64_t states = 0;
    uint32_t ended = 0;
    for (uint32_t i = from; i < to; i++)
        ends[i - from] = call_to(&x->jobs[i]);
    qsort(ends, to - from, sizeof *ends, by_least);
    for (uint32_t i = from; i < to; i++) {
        explore_least start = call_from(x, &x->jobs[i]);
        while (by_least(&ends[ended], &start) < 0)
            ended++;
        uint32_t open = i + 1 - from - ended;
        states += UINT64_C(1) << (open < 40 ? open : 40);
    }
    return states;
}

/* No stream has two of them. */
static bool streams_differ(explore *x, uint32_t from, uint32_t to)
{
    x->look++;
    for (uint32_t i = from; i < to; i++) {
        uint32_t stream = x->jobs[i].stream;
        if (stream == EXPLORE_NONE)
            continue;
        if (x->seen_look[stream] == x->look)
            return false;
        x->seen_look[stream] = x->look;
    }
    return true;
}

bool explore_find_bursts(explore *x)
{
    uint64_t most = (x->options->max_states ? x->options->max_states : EXPLORE_STATES) / PART_OF_STATES;
    explore_least *ends = malloc(((size_t)x->job_count + 1) * sizeof *ends);
    x->burst_end = arena_alloc_array(&x->memory, (size_t)x->job_count + 1, sizeof *x->burst_end);
    x->burst_before = arena_alloc_array(&x->memory, (size_t)x->job_count + 1, sizeof *x->burst_before);
    x->last_alike = arena_alloc_array(&x->memory, (size_t)x->job_count + 1, sizeof *x->last_alike);
    if (!ends || !x->burst_end || !x->burst_before || !x->last_alike) {
        free(ends);
        return false;
    }
    for (uint32_t i = 0; i < x->job_count; i++)
        x->burst_before[i + 1] = x->burst_before[i] + work_and_switch(x, &x->jobs[i]);
    for (uint32_t from = 0, to; from < x->job_count && x->levels == 1 && x->queues == 1 && !x->shares; from = to) {
        explore_least end = call_to(&x->jobs[from]);
        for (to = from + 1; to < x->job_count; to++) {
            explore_least start = call_from(x, &x->jobs[to]), other = call_to(&x->jobs[to]);
            if (by_least(&end, &start) < 0)
                break;
            end = by_least(&end, &other) < 0 ? other : end;
        }
        if (state_estimate(x, from, to, ends) > most && streams_differ(x, from, to))
            x->burst_end[from] = to;
    }
    free(ends);
    return true;
}

typedef struct burst {
    uint32_t from, to;
    const int64_t *lo, *hi; /* of the state before */
    size_t slots;
    int64_t longest;          /* that a block holds a slot */
    int64_t first, last;      /* entry: the earliest, and the latest of all */
    int64_t last_lo;          /* all have entered no sooner */
    sum least_work, all_work; /* with the switches after each */
    uint32_t *last_alike;     /* the last job that is called at the earliest when this one is */
} burst;

/* A slot's time at most when something enters at `enter`, and everything before it no later. */
static int64_t slot_by(const explore *x, const burst *b, size_t slot, int64_t enter)
{
    int64_t moved = later(0, enter - b->lo[x->at.reference]);
    return later(enter, earlier(b->hi[slot], b->hi[x->at.early + slot] + moved));
}

static sum held_by(const explore *x, const burst *b, int64_t enter)
{
    sum all = 0;
    for (size_t i = 0; i < b->slots; i++)
        all += slot_by(x, b, i, enter);
    return all;
}

/* When job i ends if it is called at `call`, after all others before `to`. */
static int64_t end_by(const explore *x, const burst *b, uint32_t i, uint32_t to, int64_t call)
{
    const explore_job *j = &x->jobs[i];
    sum others = x->burst_before[to] - x->burst_before[b->from] - work_and_switch(x, j);
    sum own = work(x, j, true) - (j->each ? 0 : j->max_ns + x->handover);
    return (int64_t)((held_by(x, b, call + j->latency) + others + own) / (sum)b->slots) + j->max_ns;
}

/* All others may be before it that are called no later. Its response shrinks as it is called later, until one more may
 * be. */
static explore_outcome outcome(explore *x, const burst *b, uint32_t i)
{
    const explore_job *j = &x->jobs[i];
    explore_outcome o = {.call_lo = j->first, .entry = j->latency};
    for (uint32_t k = b->last_alike[i - b->from]; x->jobs[k].first <= j->last;) {
        int64_t call = x->jobs[k].first;
        o.worst = later(o.worst, end_by(x, b, i, k + 1, call) - call);
        o.end_hi = end_by(x, b, i, k + 1, j->last);
        if (++k == b->to)
            break;
        k = b->last_alike[k - b->from];
    }
    for (int late = 0; late < 2; late++) {
        explore_fill f = {
            .ns = j->min_ns, .each = j->each, .limit = INT64_MAX, .latest = INT64_MAX, .count = j->blocks};
        int64_t call = late ? j->last : j->first;
        f.handover = x->handover;
        f.ring = x->ring;
        f.floor = later(call + j->latency, b->lo[x->at.last]);
        for (size_t s = 0; s < b->slots; s++)
            x->scratch[0][s] = b->lo[s];
        explore_fill_slots(x->scratch[0], b->slots, &f);
        *(late ? &o.best : &o.end_lo) = f.end - (late ? call : 0);
    }
    return o;
}

/* The least that the k-th slot to come free comes to: those after it hold no more than a block longer. */
static int64_t fill_up(const explore *x, const burst *b, size_t k)
{
    sum left = b->least_work - (sum)(b->slots - 1 - k) * b->longest;
    int64_t level = 0;
    for (size_t n = 1; n <= b->slots && left > 0; n++) {
        int64_t at = later(later(b->lo[n - 1], b->first), b->lo[x->at.last]);
        sum room = n < b->slots ? (sum)n * (later(later(b->lo[n], b->first), at) - at) : left;
        sum take = room < left ? room : left;
        level = at + (int64_t)((take + (sum)n - 1) / (sum)n);
        left -= take;
    }
    return later(level, b->lo[k]);
}

static void fill_all(const explore *x, const burst *b, explore_state *n)
{
    int64_t *lo = state_lo(x, n), *hi = state_hi(x, n);
    sum all = held_by(x, b, b->last) + b->all_work, early = held_by(x, b, b->last_lo) + b->all_work;
    sum slots = (sum)b->slots;
    for (size_t k = 0; k < b->slots; k++) {
        sum more = (sum)k * b->longest;
        lo[k] = fill_up(x, b, k);
        hi[x->at.early + k] = later(slot_by(x, b, k, b->last_lo), (int64_t)((early + more) / slots));
        hi[k] = later(later(b->hi[k], b->last), (int64_t)((all + more) / slots));
    }
    lo[x->at.last] = later(b->last_lo, b->lo[x->at.last]);
    hi[x->at.last] = (int64_t)(all / slots);
    hi[x->at.early + x->at.last] = (int64_t)(early / slots);
    hi[x->at.sum] = (int64_t)all;
    hi[x->at.early_sum] = (int64_t)early;
    hi[x->at.tail] = later(b->longest, b->hi[x->at.tail]);
    lo[x->at.least_sum] += (int64_t)b->least_work;
    lo[x->at.entered] = b->last_lo;
    lo[x->at.entered_rank] = 0;
    lo[x->at.reference] = b->last_lo;
    lo[x->at.newest_first] = hi[x->at.newest_last] = 0;
    lo[x->at.now] = b->last_lo;
}

/* Does the stream of none of them hold it? */
static bool timely(const explore *x, const burst *b)
{
    for (uint32_t i = b->from; i < b->to; i++) {
        const explore_job *j = &x->jobs[i];
        if (j->stream != EXPLORE_NONE && b->hi[x->at.stream + j->stream] + x->gap > j->first + j->latency)
            return false;
    }
    return true;
}

bool explore_burst(explore *x, explore_state *s)
{
    explore_state *n = x->next;
    burst b = {.from = s->first, .to = x->burst_end[s->first], .slots = x->slot_count[0]};
    b.lo = state_lo(x, s);
    b.hi = state_hi(x, s);
    b.first = INT64_MAX;
    for (uint32_t i = b.from; i < b.to; i++) {
        const explore_job *j = &x->jobs[i];
        if (state_has(s, i))
            return false;
        b.first = earlier(b.first, j->first + j->latency);
        b.last_lo = later(b.last_lo, j->first + j->latency);
        b.last = later(b.last, j->last + j->latency);
        b.longest = later(b.longest, j->max_ns + x->handover);
        b.least_work += work(x, j, false);
        b.all_work += work_and_switch(x, j);
    }
    if (!b.to || !timely(x, &b))
        return false;
    memcpy(n, s, x->state_bytes);
    fill_all(x, &b, n);
    b.last_alike = x->last_alike;
    for (uint32_t i = b.to; i-- > b.from;)
        b.last_alike[i - b.from] =
            i + 1 < b.to && x->jobs[i + 1].first == x->jobs[i].first ? b.last_alike[i + 1 - b.from] : i;
    for (uint32_t i = b.from; i < b.to; i++) {
        if (x->large && !explore_in_time(x))
            return true;
        explore_outcome o = outcome(x, &b, i);
        n->done++;
        explore_dispatched(x, n, i, &o);
    }
    explore_forget_past(x, n);
    x->bounded = true;
    return true;
}
