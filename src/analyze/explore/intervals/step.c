/* A step: what a state becomes when a choice starts. */
#include <string.h>

#include "analyze/explore/explore.h"

void explore_forget_past(const explore *x, explore_state *n)
{
    int64_t *lo = state_lo(x, n), *hi = state_hi(x, n);
    int64_t past = lo[x->at.now] - 1, idle = x->shares ? 0 : explore_idle(lo, x->slot_count[0], past);
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

static void join_partial(const explore *x, explore_start *p)
{
    size_t l = p->j->queue;
    p->o.best = later(p->lo[x->at.partial_least + l], p->o.end_lo - p->j->last);
    p->o.worst = later(p->hi[x->at.partial_most + l], p->o.end_hi - p->j->first);
    p->o.entry = p->o.worst;
    p->o.end_lo = later(p->o.end_lo, p->lo[x->at.partial + l]);
    p->o.end_hi = later(p->o.end_hi, p->hi[x->at.partial + l]);
}

/* What is kept of the job that its level has dispatched in part; nothing where it is over. */
static void set_partial(const explore *x, explore_state *n, const explore_start *p)
{
    uint64_t *partial = state_partial(x, n, p->j->queue), most = p->started_most + p->most;
    size_t l = p->j->queue;
    bool cut = p->c->cut > 0;
    partial[0] = cut ? p->c->job : EXPLORE_NONE;
    partial[1] = cut;
    p->lo[x->at.started + l] = cut ? (int64_t)(p->started_least + p->surely) : 0;
    p->hi[x->at.started + l] = cut ? (int64_t)(most < p->j->blocks ? most : p->j->blocks - 1) : 0;
    p->lo[x->at.partial + l] = cut ? p->o.end_lo : 0;
    p->hi[x->at.partial + l] = cut ? p->o.end_hi : 0;
    p->lo[x->at.partial_least + l] = cut ? p->o.best : 0;
    p->hi[x->at.partial_most + l] = cut ? p->o.worst : 0;
}

/* Jobs that were cut may go on once one of a higher level is through. States come in an order in which every step leads
 * on: by jobs that are through, then by jobs that are cut. */
static void move_on(const explore *x, explore_state *n, const explore_start *p)
{
    if (p->c->cut) {
        n->done++;
        return;
    }
    n->done += x->partials + 1;
    for (size_t l = p->j->queue + 1; l < x->partials && !p->j->engine; l++) {
        n->done -= state_partial(x, n, l)[1];
        state_partial(x, n, l)[1] = 0;
    }
}

bool explore_step(explore *x, explore_state *s, const explore_choice *c)
{
    explore_state *n = x->next;
    const explore_job *j = &x->jobs[c->job];
    memcpy(n, s, x->state_bytes);
    explore_start p = {.j = j,
                       .c = c,
                       .lo = state_lo(x, n),
                       .hi = state_hi(x, n),
                       .at = x->slot_at[j->engine],
                       .slots = x->slot_count[j->engine],
                       .o = {.call_lo = c->call_lo}};
    if (c->resumed) {
        p.started_least = (uint64_t)p.lo[x->at.started + j->queue];
        p.started_most = (uint64_t)p.hi[x->at.started + j->queue];
    }
    if (!explore_start_blocks(x, &p))
        return false;
    move_on(x, n, &p);
    if (!c->resumed) {
        p.lo[x->at.entered + j->queue] = c->enter_lo;
        p.lo[x->at.entered_rank + j->queue] = c->timely && !j->loose ? j->index : 0;
    }
    p.lo[x->at.now] = later(p.lo[x->at.now], c->start_lo);
    if (c->resumed)
        join_partial(x, &p);
    if (x->partials && !j->engine)
        set_partial(x, n, &p);
    explore_forget_past(x, n);
    if (!c->cut)
        explore_dispatched(x, n, c->job, &p.o);
    return true;
}
