/* A step: a choice starts in a state. Its blocks take the slots that come free first, once with everything as
 * early as it can be and once as late: for a given order of jobs, times grow with every duration, entry and slot,
 * so that all executions lie between the two.
 *
 * Responses are judged for one call at a time. A response shrinks when the call moves later and nothing else does, so
 * the worst is at the earliest call, the best at the latest. What moves with the call is known of two: of a job that
 * is in its engine's highest queue, since all that started before has entered no later; and of one right behind another
 * of the same job in its stream. */
#include <string.h>

#include "analyze/explore.h"

typedef struct step {
    const explore_job *j;
    const explore_choice *c;
    int64_t *lo, *hi; /* of the successor */
    size_t at, slots; /* of its engine */
    uint64_t started; /* blocks, before */
    int64_t late_sum; /* of the EE's slots, after */
    explore_outcome o;
} step;

static explore_fill fill_of(const explore *x, const step *p, bool longest, int64_t floor, uint64_t count)
{
    return (explore_fill){.ns = longest ? p->j->max_ns : p->j->min_ns,
                          .each = p->j->each ? p->j->each + p->started : NULL,
                          .handover = p->j->engine ? 0 : x->handover,
                          .floor = floor,
                          .limit = INT64_MAX,
                          .ring = x->ring,
                          .count = count};
}

/* The EE's last start and end are no later than if all that it has started were spread over its slots alike, of which
 * `sum` is what they come to before. Returns what they come to after. */
static int64_t bound_by_sum(const explore *x, const step *p, explore_fill *f, int64_t sum)
{
    int64_t start = (sum + explore_work(f, f->count - 1)) / (int64_t)p->slots;
    f->floor = earlier(f->floor, start);
    f->end = earlier(f->end, start + p->j->max_ns);
    return sum + explore_work(f, f->count) + (int64_t)p->slots * x->switching;
}

/* Entries of this engine's jobs never come before those of jobs that it started before. */
static bool leads(const step *p)
{
    return (p->j->engine || !p->j->queue) && !p->c->resumed;
}

/* Slots and engine if no entry is later than the earliest that the latest of them can be; returns what they come to. */
static explore_fill fill_early(explore *x, step *p, uint64_t count)
{
    size_t last = x->at.last + p->j->engine;
    int64_t *reference = &p->lo[x->at.reference + p->j->engine], *sum = &p->hi[x->at.early_sum];
    int64_t moved = p->c->resumed ? 0 : later(0, p->c->enter_lo - *reference), *early = p->hi + x->at.early + p->at;
    int64_t enter = earlier(p->c->enter_hi, *reference += moved);
    int64_t floor = later(enter, earlier(p->hi[last], p->hi[x->at.early + last] + moved));
    for (size_t i = 0; i < p->slots; i++)
        early[i] = earlier(p->hi[p->at + i], early[i] + moved);
    int64_t before = earlier(p->hi[x->at.sum], *sum + (int64_t)p->slots * moved);
    before = earlier(before + explore_idle(p->lo + p->at, p->slots, enter), explore_sum_from(early, p->slots, floor));
    explore_fill f = fill_of(x, p, true, floor, count);
    explore_fill_slots(early, p->slots, &f);
    if (!p->j->engine)
        *sum = bound_by_sum(x, p, &f, before);
    p->lo[x->at.newest_first + p->j->engine] = p->hi[x->at.newest_last + p->j->engine] = leads(p) ? p->c->job + 1 : 0;
    return f;
}

/* When the job's stream lets it go, if it is called then: its stream's last may be of the same job, and was called
 * as much earlier as it always is. */
static int64_t let_go(const explore *x, const step *p, int64_t call, int64_t complete, size_t response,
                      const int64_t *v)
{
    if (!p->j->same_job)
        return complete + x->gap;
    int64_t then = call - p->j->first + x->jobs[p->j->before].first + v[response];
    return (v == p->hi ? earlier(complete, then) : later(complete, then)) + x->gap;
}

/* How much later than the reference the latest entry is, if the job is called then; more than any time if that
 * is not known. */
static int64_t moved_by(const explore *x, const step *p, int64_t call)
{
    size_t e = p->j->engine;
    if (!p->j->same_job || p->lo[x->at.newest_first + e] != (int64_t)p->j->before + 1 ||
        p->hi[x->at.newest_last + e] != (int64_t)p->j->before + 1)
        return EXPLORE_LATEST;
    int64_t entry = call - p->j->first + x->jobs[p->j->before].first + p->hi[x->at.stream_entry + p->j->stream];
    return later(0, entry - p->lo[x->at.reference + e]);
}

/* With the job called as early as it can be, and all else late. */
static void worst_response(explore *x, step *p, uint64_t count)
{
    const explore_choice *c = p->c;
    size_t last = x->at.last + p->j->engine;
    int64_t call = c->timely ? c->enter_lo - p->j->latency : c->call_lo, *slots = x->scratch[0];
    int64_t enter = call + p->j->latency, moved = moved_by(x, p, call);
    if (!c->timely)
        enter = later(enter, let_go(x, p, call, c->complete_hi, x->at.stream_most + p->j->stream, p->hi));
    enter = earlier(enter, c->enter_hi);
    int64_t floor = later(enter, earlier(p->hi[last], p->hi[x->at.early + last] + moved));
    for (size_t i = 0; i < p->slots; i++)
        slots[i] = earlier(p->hi[p->at + i], p->hi[x->at.early + p->at + i] + moved);
    explore_fill f = fill_of(x, p, true, floor, count);
    explore_fill_slots(slots, p->slots, &f);
    p->o.worst = f.end - call;
    p->o.entry = enter - call;
}

static int64_t best_response(explore *x, const step *p, uint64_t count)
{
    const explore_choice *c = p->c;
    int64_t call = earlier(c->call_hi, c->enter_hi - p->j->latency);
    int64_t floor = later(later(call + p->j->latency, c->start_lo), p->lo[x->at.last + p->j->engine]);
    if (p->j->stream != EXPLORE_NONE)
        floor = later(floor, let_go(x, p, call, c->complete_lo, x->at.stream_least + p->j->stream, p->lo));
    explore_fill f = fill_of(x, p, false, floor, count);
    memcpy(x->scratch[0], p->lo + p->at, p->slots * sizeof *p->lo);
    explore_fill_slots(x->scratch[0], p->slots, &f);
    return f.end - call;
}

/* Everything as late as it can be, to scratch[1]. */
static explore_fill fill_late(explore *x, step *p)
{
    int64_t floor = later(p->c->enter_hi, p->hi[x->at.last + p->j->engine]), *slots = x->scratch[1];
    explore_fill f = fill_of(x, p, true, floor, p->j->blocks - p->started);
    f.limit = p->c->limit;
    memcpy(slots, p->hi + p->at, p->slots * sizeof *slots);
    int64_t sum = earlier(p->hi[x->at.sum] + explore_idle(p->lo + p->at, p->slots, p->c->enter_hi),
                          explore_sum_from(slots, p->slots, floor));
    explore_fill_slots(slots, p->slots, &f);
    p->late_sum = p->j->engine ? p->hi[x->at.sum] : bound_by_sum(x, p, &f, sum);
    return f;
}

static explore_fill fill_least(explore *x, step *p, uint64_t count)
{
    int64_t floor = later(p->c->start_lo, p->lo[x->at.last + p->j->engine]), *sum = &p->lo[x->at.least_sum];
    explore_fill f = fill_of(x, p, false, floor, count);
    if (!p->j->engine)
        *sum = later(*sum, explore_sum_from(p->lo, p->slots, floor)) + explore_work(&f, count);
    explore_fill_slots(p->lo + p->at, p->slots, &f);
    return f;
}

/* Start as many blocks as one step may; returns how many. */
static uint64_t start_blocks(explore *x, step *p)
{
    size_t last = x->at.last + p->j->engine;
    const explore_choice *c = p->c;
    /* It starts by start_hi, so slot and engine are free by then. */
    p->hi[p->at] = earlier(p->hi[p->at], c->start_hi);
    p->hi[last] = earlier(p->hi[last], c->start_hi);
    explore_fill late = fill_late(x, p);
    if (!c->resumed) {
        p->o.best = best_response(x, p, late.count);
        worst_response(x, p, late.count);
    }
    explore_fill early = fill_early(x, p, late.count);
    if (leads(p) && c->timely)
        p->o.worst = early.end - (p->lo[x->at.reference + p->j->engine] - p->j->latency);
    explore_fill least = fill_least(x, p, late.count);
    memcpy(p->hi + p->at, x->scratch[1], p->slots * sizeof *p->hi);
    p->o.end_lo = least.end;
    p->o.end_hi = late.end;
    bool over = !p->j->engine && p->started + late.count == p->j->blocks;
    int64_t more = over ? x->switching : 0, passed = later(0, least.floor + more - p->hi[last]);
    if (!p->j->engine) {
        p->hi[x->at.sum] = p->late_sum;
        p->hi[x->at.tail] = later(later(0, p->j->max_ns + x->handover - more), p->hi[x->at.tail] - passed);
    }
    for (size_t l = 0; l < p->j->queue && !p->j->engine; l++) /* A2: nothing of these had entered */
        if (p->lo[x->at.entered + l] <= least.floor) {
            p->lo[x->at.entered + l] = least.floor + 1;
            p->lo[x->at.entered_rank + l] = 0;
        }
    p->lo[last] = least.floor + more;
    p->hi[last] = late.floor + more;
    p->hi[x->at.early + last] = early.floor + more;
    return late.count;
}

void explore_forget_past(const explore *x, explore_state *n)
{
    int64_t *lo = state_lo(x, n), *hi = state_hi(x, n);
    int64_t past = lo[x->at.now] - 1, idle = explore_idle(lo, x->slot_count[0], past);
    hi[x->at.sum] += idle;
    hi[x->at.early_sum] += idle;
    for (size_t e = 0; e < x->engines; e++) {
        size_t last = x->at.last + e;
        lo[last] = later(lo[last], past);
        hi[last] = later(hi[last], past);
        hi[x->at.early + last] = later(hi[x->at.early + last], past);
        for (size_t i = x->slot_at[e]; i < x->slot_at[e] + x->slot_count[e]; i++) {
            lo[i] = later(lo[i], lo[last]);
            hi[i] = later(hi[i], hi[last]);
            hi[x->at.early + i] = later(hi[x->at.early + i], hi[x->at.early + last]);
        }
    }
}

/* The stream's last job is complete: when matters only from the next one's arrival on. */
static void complete_stream(const explore *x, explore_state *n, uint32_t stream, const explore_outcome *o)
{
    int64_t *lo = state_lo(x, n), *hi = state_hi(x, n), next = INT64_MAX;
    const explore_stream *all = &x->streams[stream];
    for (uint32_t i = explore_first_left(all, n); i < all->count; i++) {
        const explore_job *j = &x->jobs[all->jobs[i]];
        if (j->first + x->least_latency >= next)
            break;
        if (!state_has(n, all->jobs[i]))
            next = earlier(next, j->first + j->latency);
    }
    bool none = next == INT64_MAX;
    lo[x->at.stream + stream] = none ? 0 : later(o->end_lo, next - x->gap);
    hi[x->at.stream + stream] = none ? 0 : later(o->end_hi, next - x->gap);
    hi[x->at.stream_most + stream] = none ? 0 : o->worst;
    hi[x->at.stream_entry + stream] = none ? 0 : o->entry;
    lo[x->at.stream_least + stream] = none ? 0 : o->best;
    lo[x->at.called + stream] = none ? 0 : o->call_lo;
}

void explore_dispatched(explore *x, explore_state *n, uint32_t job, const explore_outcome *o)
{
    uint32_t op = x->jobs[job].op;
    x->best[op] = earlier(x->best[op], o->best);
    x->worst[op] = later(x->worst[op], o->worst);
    x->ends[job] = later(x->ends[job], o->end_hi);
    n->words[job / 64] |= UINT64_C(1) << (job % 64);
    while (n->first < x->job_count && state_has(n, n->first))
        n->first++;
    if (x->jobs[job].stream != EXPLORE_NONE)
        complete_stream(x, n, x->jobs[job].stream, o);
}

static void join_partial(const explore *x, step *p)
{
    size_t l = p->j->queue;
    p->o.best = later(p->lo[x->at.partial_least + l], p->o.end_lo - p->j->last);
    p->o.worst = later(p->hi[x->at.partial_most + l], p->o.end_hi - p->j->first);
    p->o.entry = p->o.worst;
    p->o.end_lo = later(p->o.end_lo, p->lo[x->at.partial + l]);
    p->o.end_hi = later(p->o.end_hi, p->hi[x->at.partial + l]);
}

/* What is kept of the job that its level has dispatched in part; nothing where it is over. */
static void set_partial(const explore *x, explore_state *n, const step *p, uint64_t started, bool over)
{
    uint64_t *partial = state_partial(x, n, p->j->queue);
    size_t l = p->j->queue;
    partial[0] = over ? EXPLORE_NONE : p->c->job;
    partial[1] = over ? 0 : started;
    p->lo[x->at.partial + l] = over ? 0 : p->o.end_lo;
    p->hi[x->at.partial + l] = over ? 0 : p->o.end_hi;
    p->lo[x->at.partial_least + l] = over ? 0 : p->o.best;
    p->hi[x->at.partial_most + l] = over ? 0 : p->o.worst;
}

void explore_step(explore *x, explore_state *s, const explore_choice *c)
{
    explore_state *n = x->next;
    const explore_job *j = &x->jobs[c->job];
    memcpy(n, s, x->state_bytes);
    step p = {.j = j,
              .c = c,
              .lo = state_lo(x, n),
              .hi = state_hi(x, n),
              .at = x->slot_at[j->engine],
              .slots = x->slot_count[j->engine],
              .o = {.call_lo = c->call_lo},
              .started = c->resumed ? state_partial(x, n, j->queue)[1] : 0};
    uint64_t count = start_blocks(x, &p);
    bool over = p.started + count == j->blocks;
    n->done += count;
    if (!c->resumed) {
        p.lo[x->at.entered + j->queue] = c->enter_lo;
        p.lo[x->at.entered_rank + j->queue] = c->timely && !j->loose ? j->index : 0;
    }
    p.lo[x->at.now] = later(p.lo[x->at.now], c->start_lo);
    if (c->resumed)
        join_partial(x, &p);
    if (x->partials && !j->engine)
        set_partial(x, n, &p, p.started + count, over);
    explore_forget_past(x, n);
    if (over)
        explore_dispatched(x, n, c->job, &p.o);
}
