/* How the blocks of a choice start: they take the slots that come free first, once with everything as early as it can
 * be and once as late. For a given order of jobs, times grow with every duration, entry, slot and further block, so
 * that all executions lie between the two.
 *
 * Responses are judged for one call at a time. A response shrinks when the call moves later and nothing else does, so
 * the worst is at the earliest call, the best at the latest. What moves with the call is known of two: of a job that
 * is in its engine's highest queue, since all that started before has entered no later; and of one right behind another
 * of the same job in its stream. */
#include <string.h>

#include "analyze/explore/explore.h"

/* Of a kernel that lists its blocks: how many there are of which it is not known whether they are among those that
 * start in this step, at either end of them. */
static uint64_t in_doubt(const explore_start *p)
{
    return p->j->each && p->c->cut ? p->started_most - p->started_least : 0;
}

/* The blocks as late as they can be, or as early: all that may be among them, and only those that surely are, or the
 * shortest where it is not known which is. Blocks before and behind those that start only make everything later. */
static explore_fill fill_of(const explore *x, const explore_start *p, bool late, int64_t floor)
{
    uint64_t started = late ? p->started_least : p->started_most, doubt = in_doubt(p);
    uint64_t most = p->most + doubt, left = p->j->blocks - started;
    const explore_share *share = &p->j->share;
    explore_fill f = {.ns = late ? p->j->max_ns : p->j->min_ns,
                      .each = p->j->each ? p->j->each + started : NULL,
                      .more = late ? x->noise : 0,
                      .shared = x->shares && !p->j->engine,
                      .nth = late ? share->late_at : share->early_at - x->early_from,
                      .take = late ? share->late_take : share->early_take,
                      .first = late ? p->c->start_hi : INT64_MAX,
                      .handover = p->j->engine ? x->copy_gap : x->handover,
                      .floor = floor,
                      .limit = INT64_MAX,
                      .latest = late ? p->c->latest : INT64_MAX,
                      .ring = x->ring,
                      .count = late ? (most < left ? most : left) : p->least - doubt};
    if (!late && p->least <= doubt) {
        f.each = NULL;
        f.count = 1;
    }
    return f;
}

/* The EE's last start and end are no later than if all that it has started were spread over its slots alike, of which
 * `sum` is what they come to before. Returns what they come to after. */
static int64_t bound_by_sum(const explore *x, const explore_start *p, explore_fill *f, int64_t sum)
{
    int64_t start = (sum + explore_work(f, f->count - 1)) / (int64_t)p->slots;
    f->floor = earlier(f->floor, start);
    f->end = earlier(f->end, start + p->j->max_ns);
    return sum + explore_work(f, f->count) + (int64_t)p->slots * x->switching;
}

/* Entries of this engine's jobs never come before those of jobs that it started before. */
static bool leads(const explore *x, const explore_start *p)
{
    return (p->j->engine ? !x->passing : !p->j->queue) && !p->c->resumed;
}

/* Slots and engine if no entry is later than the earliest that the latest of them can be; returns what they come to. */
static explore_fill fill_early(explore *x, explore_start *p)
{
    size_t last = x->at.last + p->j->engine;
    int64_t *reference = &p->lo[x->at.reference + p->j->engine], *sum = &p->hi[x->at.early_sum];
    int64_t moved = p->c->resumed ? 0 : later(0, p->c->enter_lo - *reference), *early = p->hi + x->at.early + p->at;
    int64_t enter = earlier(p->c->enter_hi, *reference += moved);
    int64_t floor = later(enter, earlier(p->hi[last], p->hi[x->at.early + last] + moved));
    for (size_t i = 0; i < p->slots; i++)
        early[i] = earlier(p->hi[p->at + i], early[i] + moved);
    int64_t before = earlier(p->hi[x->at.sum], *sum + (int64_t)p->slots * moved);
    if (!x->shares)
        before =
            earlier(before + explore_idle(p->lo + p->at, p->slots, enter), explore_sum_from(early, p->slots, floor));
    explore_fill f = fill_of(x, p, true, floor);
    explore_fill_slots(early, p->slots, &f);
    if (!p->j->engine && !x->shares)
        *sum = bound_by_sum(x, p, &f, before);
    p->lo[x->at.newest_first + p->j->engine] = p->hi[x->at.newest_last + p->j->engine] =
        leads(x, p) ? p->c->job + 1 : 0;
    return f;
}

/* When the job's stream lets it go, if it is called then: its stream's last may be of the same job, and was called
 * as much earlier as it always is. */
static int64_t let_go(const explore *x, const explore_start *p, int64_t call, int64_t complete, size_t response,
                      const int64_t *v)
{
    if (!p->j->same_job)
        return complete + x->gap;
    int64_t then = call - p->j->first + x->jobs[p->j->before].first + v[response];
    return (v == p->hi ? earlier(complete, then) : later(complete, then)) + x->gap;
}

/* How much later than the reference the latest entry is, if the job is called then; more than any time if that
 * is not known. */
static int64_t moved_by(const explore *x, const explore_start *p, int64_t call)
{
    size_t e = p->j->engine;
    if (!p->j->same_job || p->lo[x->at.newest_first + e] != (int64_t)p->j->before + 1 ||
        p->hi[x->at.newest_last + e] != (int64_t)p->j->before + 1)
        return EXPLORE_LATEST;
    int64_t entry = call - p->j->first + x->jobs[p->j->before].first + p->hi[x->at.stream_entry + p->j->stream];
    return later(0, entry - p->lo[x->at.reference + e]);
}

/* With the job called as early as it can be, and all else late. */
static void worst_response(explore *x, explore_start *p)
{
    const explore_choice *c = p->c;
    size_t last = x->at.last + p->j->engine;
    int64_t call = c->timely ? c->enter_lo - p->j->latency : c->call_lo, *slots = x->scratch[0];
    int64_t enter = call + p->j->latency, moved = moved_by(x, p, call);
    if (!c->timely)
        enter = later(enter, let_go(x, p, call, c->complete_hi, x->at.stream_most + p->j->stream, p->hi) +
                                 (p->j->engine ? 0 : x->turn));
    enter = earlier(enter, c->enter_hi);
    int64_t floor = later(enter, earlier(p->hi[last], p->hi[x->at.early + last] + moved));
    for (size_t i = 0; i < p->slots; i++)
        slots[i] = earlier(p->hi[p->at + i], p->hi[x->at.early + p->at + i] + moved);
    explore_fill f = fill_of(x, p, true, floor);
    explore_fill_slots(slots, p->slots, &f);
    p->o.worst = f.end - call;
    p->o.entry = enter - call;
}

/* With shares only the last of the slots are early ones. */
static void fill_earliest(const explore *x, int64_t *slots, const explore_start *p, explore_fill *f)
{
    size_t none = f->shared ? x->early_from : 0;
    explore_fill_slots(slots + none, p->slots - none, f);
}

static int64_t best_response(explore *x, const explore_start *p)
{
    const explore_choice *c = p->c;
    int64_t call = earlier(c->call_hi, c->enter_hi - p->j->latency);
    int64_t floor = later(later(call + p->j->latency, c->start_lo), p->lo[x->at.last + p->j->engine]);
    if (p->j->stream != EXPLORE_NONE)
        floor = later(floor, let_go(x, p, call, c->complete_lo, x->at.stream_least + p->j->stream, p->lo));
    explore_fill f = fill_of(x, p, false, floor);
    memcpy(x->scratch[0], p->lo + p->at, p->slots * sizeof *p->lo);
    fill_earliest(x, x->scratch[0], p, &f);
    return f.end - call;
}

/* Everything as late as it can be, to scratch[1]. */
static explore_fill fill_late(explore *x, explore_start *p)
{
    int64_t floor = later(p->c->enter_hi, p->hi[x->at.last + p->j->engine]), *slots = x->scratch[1];
    explore_fill f = fill_of(x, p, true, floor);
    memcpy(slots, p->hi + p->at, p->slots * sizeof *slots);
    p->late_sum = p->hi[x->at.sum];
    if (x->shares || p->j->engine) {
        explore_fill_slots(slots, p->slots, &f);
        return f;
    }
    int64_t sum = earlier(p->hi[x->at.sum] + explore_idle(p->lo + p->at, p->slots, p->c->enter_hi),
                          explore_sum_from(slots, p->slots, floor));
    explore_fill_slots(slots, p->slots, &f);
    p->late_sum = bound_by_sum(x, p, &f, sum);
    return f;
}

static explore_fill fill_least(explore *x, explore_start *p)
{
    int64_t floor = later(p->c->start_lo, p->lo[x->at.last + p->j->engine]), *sum = &p->lo[x->at.least_sum];
    explore_fill f = fill_of(x, p, false, floor);
    if (!p->j->engine && !x->shares)
        *sum = later(*sum, explore_sum_from(p->lo, p->slots, floor)) + explore_work(&f, f.count);
    fill_earliest(x, p->lo + p->at, p, &f);
    return f;
}

/* How many blocks would start by `limit`, but the first in any case. */
static uint64_t count_by(explore *x, const explore_start *p, bool late, int64_t limit)
{
    const int64_t *slots = (late ? p->hi : p->lo) + p->at;
    int64_t floor = late ? later(p->c->enter_hi, p->hi[x->at.last + p->j->engine])
                         : later(p->c->start_lo, p->lo[x->at.last + p->j->engine]);
    explore_fill f = fill_of(x, p, late, floor);
    f.limit = limit;
    f.latest = INT64_MAX;
    f.count = p->j->blocks - (late ? p->started_least : p->started_most);
    memcpy(x->scratch[0], slots, p->slots * sizeof *slots);
    if (late)
        explore_fill_slots(x->scratch[0], p->slots, &f);
    else
        fill_earliest(x, x->scratch[0], p, &f);
    return f.count;
}

/* At least and at most how many blocks start in this step; false where it cannot be. */
static bool count_blocks(explore *x, explore_start *p)
{
    uint64_t left_most = p->j->blocks - p->started_least, left_least = p->j->blocks - p->started_most;
    const explore_choice *c = p->c;
    p->most = left_most;
    p->least = left_least;
    if (!c->cut)
        return c->latest == INT64_MAX || count_by(x, p, false, c->latest) == left_least;
    uint64_t surely = count_by(x, p, true, c->limit), possibly = count_by(x, p, false, c->latest);
    surely = surely > in_doubt(p) ? surely - in_doubt(p) : 1;
    if (possibly == left_least || possibly + in_doubt(p) >= left_most)
        possibly = left_most - 1; /* also where fewer have started before */
    else
        possibly += in_doubt(p);
    uint64_t span = possibly - surely + 1, parts = span < EXPLORE_CUTS ? span : EXPLORE_CUTS;
    if (surely > possibly || c->cut > parts)
        return false;
    p->surely = surely + span * (c->cut - 1) / parts;
    p->most = surely + span * c->cut / parts - 1;
    p->least = p->surely < left_least ? p->surely : left_least - 1;
    p->least = p->least ? p->least : 1;
    return true;
}

bool explore_start_blocks(explore *x, explore_start *p)
{
    size_t last = x->at.last + p->j->engine;
    const explore_choice *c = p->c;
    /* It starts by start_hi, so slot and engine are free by then; with shares another one may have let it. */
    if (!x->shares || p->j->engine)
        p->hi[p->at] = earlier(p->hi[p->at], c->start_hi);
    p->hi[last] = earlier(p->hi[last], c->start_hi);
    if (!count_blocks(x, p))
        return false;
    explore_fill late = fill_late(x, p);
    if (!c->resumed) {
        p->o.best = best_response(x, p);
        worst_response(x, p);
    }
    explore_fill early = fill_early(x, p);
    if (leads(x, p) && c->timely)
        p->o.worst = early.end - (p->lo[x->at.reference + p->j->engine] - p->j->latency);
    explore_fill least = fill_least(x, p);
    memcpy(p->hi + p->at, x->scratch[1], p->slots * sizeof *p->hi);
    p->o.end_lo = least.end;
    p->o.end_hi = late.end;
    int64_t more = p->j->engine || c->cut ? 0 : x->switching, passed = later(0, least.floor + more - p->hi[last]);
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
    return true;
}
