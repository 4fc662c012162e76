/* What may start next in a state. Steps are in order of their first start, over all engines: in any
 * execution the next one starts when something surely would have, at the latest (`surely`). So a job whose
 * stream waits for one that has not started enters too late to matter (durations are at least 1 ns).
 * X1: of one queue, the job that entered first. A2: none that a higher level has entered before. */
#include "analyze/explore/explore.h"

/* By when an engine, and the slot of it at `at`, are free. */
static int64_t slot_by(const explore *x, const int64_t *hi, size_t engine, size_t at)
{
    return later(hi[x->slot_at[engine] + at], hi[x->at.last + engine]);
}

/* When anything of an engine starts that is there by `enter`, at the latest: perhaps another one goes first. */
static int64_t starts_by(const explore *x, const int64_t *hi, size_t engine, int64_t enter)
{
    return later(enter, slot_by(x, hi, engine, engine ? 0 : x->hardest));
}

static void add_least(explore_least least[2], explore_least t)
{
    bool first = t.time < least[0].time || (t.time == least[0].time && t.rank < least[0].rank);
    if (first) {
        least[1] = least[0];
        least[0] = t;
    } else if (t.time < least[1].time || (t.time == least[1].time && t.rank < least[1].rank)) {
        least[1] = t;
    }
}

/* When it enters if it is the next of its stream, of which `call` is the first call at the latest. */
static explore_choice enters(const explore *x, explore_state *s, uint32_t i, int64_t call)
{
    const explore_job *j = &x->jobs[i];
    const int64_t *lo = state_lo(x, s), *hi = state_hi(x, s);
    explore_choice c = {.job = i, .timely = true, .call_lo = j->first, .call_hi = earlier(j->last, call)};
    c.limit = INT64_MAX;
    bool first_in = !j->engine || !x->passing; /* X1, C2: those that wait for its queue go in the order of entries */
    c.enter_lo = first_in ? lo[x->at.entered + j->queue] : 0;
    if (j->stream != EXPLORE_NONE) {
        c.call_lo = later(c.call_lo, lo[x->at.called + j->stream]);
        c.complete_lo = lo[x->at.stream + j->stream];
        c.complete_hi = hi[x->at.stream + j->stream];
        c.timely = c.complete_hi + x->gap <= c.call_lo + j->latency;
        c.enter_lo = later(c.enter_lo, c.complete_lo + x->gap);
        c.enter_hi = c.complete_hi + x->gap + (c.timely || j->engine ? 0 : x->turn);
    }
    c.enter_lo = later(c.enter_lo, c.call_lo + j->latency);
    c.enter_hi = later(c.enter_hi, c.call_hi + j->latency);
    if (first_in && c.timely && !j->loose && c.enter_lo == lo[x->at.entered + j->queue] &&
        j->index < lo[x->at.entered_rank + j->queue])
        c.enter_lo++; /* at the same time it would have been called, and entered, before that one */
    c.enter_hi = later(c.enter_hi, c.enter_lo);
    return c;
}

/* The next of a stream is one of the choices from `from` on; by when does something surely start for it?
 * Kernels that arrive together enter in the order of their calls, where it is known who they are. */
static int64_t surely_starts(explore *x, explore_state *s, size_t from)
{
    explore_choice *c = x->choices.at + from;
    size_t n = x->choices.count - from;
    explore_least enter = {0, EXPLORE_NONE};
    int64_t start = 0;
    bool one_queue = true;
    for (size_t i = 0; i < n; i++) {
        const explore_job *j = &x->jobs[c[i].job];
        start = later(start, starts_by(x, state_hi(x, s), j->engine, c[i].enter_hi));
        enter.time = later(enter.time, c[i].enter_hi);
        one_queue = one_queue && j->queue == x->jobs[c[0].job].queue;
    }
    if (n == 1 && c[0].timely && !x->jobs[c[0].job].loose)
        enter.rank = x->jobs[c[0].job].index;
    if (!one_queue)
        enter.time = INT64_MAX;
    for (size_t i = 0; i < n; i++)
        c[i].surely = enter;
    if (one_queue && n)
        add_least(x->least[x->jobs[c[0].job].queue], enter);
    return n ? start : INT64_MAX;
}

/* Every job that may be the next of this one's stream; false without memory. */
static bool collect_stream(explore *x, explore_state *s, uint32_t first)
{
    const explore_stream *stream = &x->streams[x->jobs[first].stream];
    uint32_t from = explore_first_left(stream, s);
    int64_t call = INT64_MAX;
    for (uint32_t i = from; i < stream->count && x->jobs[stream->jobs[i]].first <= call; i++)
        if (!state_has(s, stream->jobs[i]))
            call = earlier(call, x->jobs[stream->jobs[i]].last);
    for (uint32_t i = from; i < stream->count && x->jobs[stream->jobs[i]].first <= call; i++) {
        const explore_job *j = &x->jobs[stream->jobs[i]];
        if (state_has(s, stream->jobs[i]) || (j->before != EXPLORE_NONE && !state_has(s, j->before)))
            continue;
        if (!vec_push(&x->choices, enters(x, s, stream->jobs[i], call)))
            return false;
    }
    return true;
}

/* What a job that is left adds to the choices; false without memory. */
static bool collect_job(explore *x, explore_state *s, uint32_t i)
{
    const explore_job *j = &x->jobs[i];
    if (j->stream == EXPLORE_NONE)
        return vec_push(&x->choices, enters(x, s, i, j->last));
    if (x->seen_look[j->stream] == x->look)
        return true;
    x->seen_look[j->stream] = x->look;
    return collect_stream(x, s, i);
}

/* The job that the highest level has dispatched in part goes on; lower levels wait for it (A2), and so do the streams
 * of all jobs that are dispatched in part. */
static bool collect_partial(explore *x, explore_state *s, int64_t *surely)
{
    for (size_t l = 0; l < x->partials; l++) {
        const uint64_t *partial = state_partial(x, s, l);
        uint64_t job = partial[0];
        if (job == EXPLORE_NONE)
            continue;
        if (x->jobs[job].stream != EXPLORE_NONE)
            x->seen_look[x->jobs[job].stream] = x->look;
        *surely = starts_by(x, state_hi(x, s), 0, 0); /* its next block, or what has cut it off */
        if (!x->choices.count && !partial[1] &&
            !vec_push(&x->choices,
                      ((explore_choice){
                          .job = (uint32_t)job, .resumed = true, .call_lo = x->jobs[job].first, .limit = INT64_MAX})))
            return false;
    }
    return true;
}

/* Of all kernels that are left, the slot of the one for which most must be free. */
static size_t hardest(const explore *x, const explore_state *s)
{
    size_t at = 0;
    for (uint32_t i = s->first; i < x->job_count && x->shares; i++)
        if (!x->jobs[i].engine && !state_has(s, i) && x->jobs[i].share.late_at > at)
            at = x->jobs[i].share.late_at;
    return at;
}

/* All jobs that may be the next of their streams, and by when something surely starts. */
static bool collect(explore *x, explore_state *s, int64_t *surely)
{
    *surely = INT64_MAX;
    x->hardest = hardest(x, s);
    x->look++;
    x->choices.count = 0;
    for (size_t q = 0; q < x->queues; q++)
        x->least[q][0] = x->least[q][1] = (explore_least){INT64_MAX, EXPLORE_NONE};
    if (!collect_partial(x, s, surely))
        return false;
    for (uint32_t i = s->first; i < x->job_count && x->jobs[i].first + x->least_latency <= *surely; i++) {
        const explore_job *j = &x->jobs[i];
        size_t from = x->choices.count;
        if (state_has(s, i) || (x->partials && !j->engine && *state_partial(x, s, j->queue) == i))
            continue;
        if (!collect_job(x, s, i))
            return false;
        *surely = earlier(*surely, surely_starts(x, s, from));
    }
    return true;
}

/* With shares some kernel has started by when there is one, and there is room for each that may have entered by then:
 * one of these may start first. */
static int64_t any_starts(const explore *x, explore_state *s, int64_t by)
{
    for (size_t l = 0; l < x->partials; l++) { /* these have entered; where one may not go on yet, one above has */
        uint64_t job = *state_partial(x, s, l);
        if (job != EXPLORE_NONE)
            by = later(by, slot_by(x, state_hi(x, s), 0, x->jobs[job].share.late_at));
    }
    for (size_t i = 0; i < x->choices.count; i++) {
        const explore_choice *c = &x->choices.at[i];
        const explore_job *j = &x->jobs[c->job];
        int64_t room = slot_by(x, state_hi(x, s), j->engine, j->share.late_at);
        if (j->engine || c->enter_lo > by || room <= by)
            continue;
        by = room;
        i = SIZE_MAX; /* from the first on again: more may have entered */
    }
    return by;
}

/* By when something surely starts, where it does not only hang by those for which most must be free. */
static int64_t surely_by_shares(const explore *x, explore_state *s, int64_t surely)
{
    const explore_choice *c = x->choices.at;
    for (size_t i = 0, end; i < x->choices.count; i = end) {
        const explore_job *j = &x->jobs[c[i].job];
        int64_t by = 0;
        for (end = i; end < x->choices.count && (end == i || (j->stream != EXPLORE_NONE && !c[i].resumed &&
                                                              x->jobs[c[end].job].stream == j->stream));
             end++) { /* all that may be the next of its stream */
            const explore_job *next = &x->jobs[c[end].job];
            int64_t room = slot_by(x, state_hi(x, s), next->engine, next->share.late_at);
            by = later(by, later(c[end].enter_hi, room));
            by = next->engine ? by : any_starts(x, s, by);
        }
        surely = earlier(surely, by);
    }
    return surely;
}

/* X1: it entered before every other one that waits for its queue. */
static void enter_first(const explore *x, explore_choice *c)
{
    if (x->passing && x->jobs[c->job].engine)
        return;
    const explore_least *least = x->least[x->jobs[c->job].queue];
    explore_least other = least[least[0].time == c->surely.time && least[0].rank == c->surely.rank];
    if (other.time == INT64_MAX)
        return;
    bool tie_lost = c->surely.rank != EXPLORE_NONE && c->surely.rank > other.rank;
    c->enter_hi = earlier(c->enter_hi, other.time - tie_lost);
}

/* A2: before when it must start, so that no higher level has entered; -1: one surely has. */
static int64_t before_higher(const explore *x, explore_state *s, const explore_job *j)
{
    int64_t t = INT64_MAX;
    for (size_t l = 0; l < j->queue && !j->engine && x->partials; l++) {
        if (*state_partial(x, s, l) != EXPLORE_NONE)
            return -1;
        t = earlier(t, x->least[l][0].time);
    }
    return t;
}

/* Until when surely no kernel of a higher level enters, if this one starts at `start` or later. */
static int64_t undisturbed(const explore *x, explore_state *s, const explore_job *j, int64_t start)
{
    int64_t limit = INT64_MAX;
    for (uint32_t i = s->first; i < x->job_count && x->jobs[i].first + x->least_latency <= limit; i++) {
        const explore_job *h = &x->jobs[i];
        if (h->engine || h->queue >= j->queue || state_has(s, i))
            continue;
        int64_t enter = h->first + h->latency;
        if (h->stream != EXPLORE_NONE)
            enter = later(enter, state_lo(x, s)[x->at.stream + h->stream] + x->gap);
        if (h->before != EXPLORE_NONE && !state_has(s, h->before))
            enter = later(enter, start + x->streams[h->stream].min_ns + x->gap);
        limit = earlier(limit, enter - 1);
    }
    return limit;
}

/* By when a slot and the engine are free for it. Where the engine started nothing after the job before it in its
 * stream, that is over when it enters, and has left a slot. */
static int64_t free_by(const explore *x, explore_state *s, const explore_choice *c)
{
    const explore_job *j = &x->jobs[c->job];
    const int64_t *lo = state_lo(x, s), *hi = state_hi(x, s);
    int64_t by = slot_by(x, hi, j->engine, j->share.late_at), before = (int64_t)j->before + 1;
    if (c->resumed || x->shares || j->before == EXPLORE_NONE || !x->streams[j->stream].settled ||
        lo[x->at.newest_first + j->engine] != before || hi[x->at.newest_last + j->engine] != before)
        return by;
    return earlier(by, c->enter_hi - x->gap + later(j->engine ? x->copy_gap : x->handover, x->switching - 1));
}

/* Can it be the next to start? Narrows its intervals to where it is. */
static bool possible(const explore *x, explore_state *s, int64_t surely, explore_choice *c)
{
    const explore_job *j = &x->jobs[c->job];
    const int64_t *lo = state_lo(x, s);
    int64_t higher = before_higher(x, s, j);
    if (higher < 0)
        return false;
    if (!c->resumed) {
        if (x->partials && !j->engine && *state_partial(x, s, j->queue) != EXPLORE_NONE)
            return false;
        enter_first(x, c);
        if (c->enter_lo > c->enter_hi)
            return false;
    }
    int64_t free_lo = later(lo[x->slot_at[j->engine] + j->share.early_at], lo[x->at.last + j->engine]);
    c->start_lo = later(later(c->enter_lo, lo[x->at.now]), free_lo);
    c->start_hi = earlier(later(c->enter_hi, free_by(x, s, c)), earlier(surely, higher - 1));
    if (free_by(x, s, c) < c->start_lo && !c->resumed)
        c->enter_lo = c->start_lo; /* there is room: it starts as it enters */
    c->enter_hi = earlier(c->enter_hi, c->start_hi);
    if (x->partials && !j->engine && j->queue)
        c->limit = undisturbed(x, s, j, c->start_lo);
    c->latest = higher == INT64_MAX ? higher : higher - 1;
    return c->start_lo <= c->start_hi && (c->resumed || c->enter_lo <= c->enter_hi);
}

/* Once through to the end, and once cut off by a higher level, where one may come. */
bool explore_look(explore *x, explore_state *s)
{
    int64_t surely;
    bool ok = collect(x, s, &surely);
    if (ok && x->shares)
        surely = surely_by_shares(x, s, surely);
    size_t n = 0, count = x->choices.count;
    for (size_t i = 0; i < count && ok; i++) {
        explore_choice c = x->choices.at[i];
        if (!possible(x, s, surely, &c))
            continue;
        x->choices.at[n++] = c;
        for (c.cut = 1; c.cut <= EXPLORE_CUTS && c.limit < INT64_MAX && ok; c.cut++)
            ok = vec_push(&x->choices, c);
    }
    if (!ok) {
        x->status = gcast_error_set_memory(x->err);
        return false;
    }
    for (size_t i = count; i < x->choices.count; i++)
        x->choices.at[n++] = x->choices.at[i];
    x->choices.count = n;
    return true;
}
