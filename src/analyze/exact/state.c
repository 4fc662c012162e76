#include "analyze/exact/state.h"

#include <stdlib.h>

#include "model/gpu/carveout.h"
#include "simulate/blocks/sm.h"
#include "simulate/run_ops.h"

#define LATER INT64_MAX
#define ENGINES 2        /* that copies use */
#define MOST_OPEN 100000 /* operations at a time: so much backlog hardly comes back */

static const gcast_op *spec(const exact_sweep *s, uint32_t i)
{
    return &s->run->workload->ops[s->run->ops[i].op];
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool make_launches(exact_sweep *s)
{
    const gcast_run *run = s->run;
    s->launches = malloc((run->op_count + 1) * sizeof *s->launches);
    if (!s->launches)
        return false;
    for (size_t i = 0; i < run->op_count; i++)
        s->launches[i] = UINT32_MAX;
    for (size_t i = 0; i < run->op_count; i++)
        if (!run->ops[i].skipped)
            s->launches[run->ops[i].launch] = (uint32_t)i;
    for (size_t i = 0; i < run->op_count; i++)
        if (s->launches[i] != UINT32_MAX)
            s->launches[s->launch_count++] = s->launches[i];
    return true;
}

bool exact_sweep_init(exact_sweep *s, const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    const gcast_gpu *gpu = run->gpu;
    *s = (exact_sweep){.run = run, .once_over = -1, .last_call = -1, .last = {-1}};
    s->sizes = carveout_matters(gpu, w);
    s->settle = larger(larger(gpu->handover_ns, gpu->switch_ns), larger(gpu->stream_gap_ns, gpu->copy_gap_ns));
    s->connections = calloc((size_t)run->connections + 1, sizeof *s->connections);
    s->stream_connection = malloc((w->stream_count + 1) * sizeof *s->stream_connection);
    s->steps = calloc(w->op_count + 1, sizeof *s->steps);
    s->next_quarter = calloc((size_t)gpu->sms, sizeof *s->next_quarter);
    s->channels = calloc(ENGINES * (size_t)gpu->copy_channels + 1, sizeof *s->channels);
    s->stream_channel = malloc((ENGINES * w->stream_count + 1) * sizeof *s->stream_channel);
    if (!s->connections || !s->stream_connection || !s->steps || !s->next_quarter || !s->channels ||
        !s->stream_channel || !make_launches(s))
        return false;
    for (size_t i = 0; i < w->stream_count; i++)
        s->stream_connection[i] = -1;
    for (size_t i = 0; i < ENGINES * w->stream_count; i++)
        s->stream_channel[i] = -1;
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        sm_demand d = sm_demand_of(gpu, &w->ops[i]);
        s->steps[i] = d.quarter_step;
        s->quarters = s->quarters || !d.fills_quarters;
    }
    for (size_t i = 0; i < w->once_count; i++)
        if (!run->ops[i].skipped)
            s->once_over = larger(s->once_over, larger(run->ops[i].end_ns, run->ops[i].return_ns) + s->settle);
    return true;
}

void exact_sweep_free(exact_sweep *s)
{
    free(s->launches);
    free(s->connections);
    free(s->stream_connection);
    free(s->channels);
    free(s->stream_channel);
    free(s->steps);
    free(s->next_quarter);
    vec_free(&s->open);
    vec_free(&s->state);
}

/* Connections and channels remember who joined them, also when they are empty. */
static void note_joins(exact_sweep *s, uint32_t i)
{
    const gcast_run_op *r = &s->run->ops[i];
    int stream = spec(s, i)->stream;
    exact_connection join = {s->next + 1, stream};
    if (r->connection >= 0) {
        s->connections[r->connection] = join;
        s->stream_connection[stream] = r->connection;
    }
    if (r->channel >= 0) {
        s->channels[r->engine * s->run->gpu->copy_channels + r->channel] = join;
        s->stream_channel[(size_t)r->engine * s->run->workload->stream_count + (size_t)stream] = r->channel;
    }
}

static bool open_called(exact_sweep *s, int64_t t)
{
    for (; s->next < s->launch_count && s->run->ops[s->launches[s->next]].call_ns < t; s->next++) {
        uint32_t i = s->launches[s->next];
        int64_t call = s->run->ops[i].call_ns;
        bool woken = s->last_call < 0 || call - s->last_call >= s->run->gpu->copy_idle_ns;
        s->last_call = call;
        if (!gcast_kind_on_gpu(spec(s, i)->kind))
            continue;
        note_joins(s, i);
        if (!vec_push(&s->open, ((exact_open){.op = i, .woken = woken})))
            return false;
    }
    return true;
}

/* Of blocks that start at one time the last is of the kernel that does not get all of its
 * own started, else of the lowest level, and there of the last to enter. */
static void see_start(exact_sweep *s, uint32_t i, const gcast_block *b)
{
    const gcast_run_op *r = &s->run->ops[i];
    const int64_t key[4] = {b->start_ns, r->dispatched_ns > b->start_ns, run_level(s->run, i), (int64_t)r->entry};
    int k = 0;
    while (k < 3 && key[k] == s->last[k])
        k++;
    if (key[k] < s->last[k])
        return;
    for (k = 0; k < 4; k++)
        s->last[k] = key[k];
    s->last_sm = b->sm;
}

/* Which blocks have started and ended since the last time. */
static void see_blocks(exact_sweep *s, exact_open *x, int64_t t)
{
    const gcast_run_op *r = &s->run->ops[x->op];
    int64_t handover = s->run->gpu->handover_ns;
    for (; r->blocks && x->started < r->block_count && r->blocks[x->started].start_ns < t; x->started++) {
        const gcast_block *b = &r->blocks[x->started];
        s->next_quarter[b->sm] = (s->next_quarter[b->sm] + s->steps[r->op]) % GCAST_QUARTERS;
        see_start(s, x->op, b);
    }
    while (x->ended < x->started && r->blocks[x->ended].end_ns + handover < t)
        x->ended++;
}

/* How fast a copy went so far is up to those the other way: whoever was there since the
 * start of one that goes on is kept. */
static int64_t oldest_needed(const exact_sweep *s, int64_t t)
{
    int64_t oldest = t;
    for (size_t i = 0; i < s->open.count; i++) {
        const gcast_run_op *r = &s->run->ops[s->open.at[i].op];
        if (spec(s, s->open.at[i].op)->kind != GCAST_KIND_KERNEL && r->end_ns >= t && r->start_ns < oldest)
            oldest = r->start_ns;
    }
    return oldest;
}

static void see_progress(exact_sweep *s, int64_t t)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->open.count; i++) {
        see_blocks(s, &s->open.at[i], t);
        const gcast_run_op *r = &s->run->ops[s->open.at[i].op];
        if (r->enter_ns < t && r->entry + 1 > s->entered)
            s->entered = r->entry + 1;
        if (r->engine >= 0 && r->start_ns < t && r->start_ns >= s->served_at[r->engine]) {
            s->served_at[r->engine] = r->start_ns;
            s->served[r->engine] = r->channel;
        }
    }
    int64_t oldest = oldest_needed(s, t);
    for (size_t i = 0; i < s->open.count; i++)
        if (s->run->ops[s->open.at[i].op].end_ns + s->settle >= oldest)
            s->open.at[kept++] = s->open.at[i];
    s->open.count = kept;
}

static bool put(exact_sweep *s, int64_t v)
{
    return vec_push(&s->state, v);
}

static bool put_time(exact_sweep *s, int64_t time, int64_t t)
{
    return put(s, time < t ? time - t : LATER);
}

/* A copy to the host may be taken by its engine some time before it starts. */
static bool put_taken(exact_sweep *s, const gcast_run_op *r, int64_t t)
{
    bool may_be = r->engine == 1 && r->start_ns >= t && r->start_ns - t < s->run->gpu->d2h_start_ns;
    return put(s, may_be ? r->start_ns - t : LATER);
}

/* A kernel may have been given its turn some time before it enters. */
static bool put_turn(exact_sweep *s, const gcast_run_op *r, int64_t t)
{
    bool may_be = s->run->gpu->turn_ns && r->connection >= 0 && r->head_ns < t && r->enter_ns >= t &&
                  (r->enter_ns - t) / s->run->gpu->turn_ns <= s->run->connections;
    return put(s, may_be ? r->enter_ns - t : LATER);
}

static bool put_open(exact_sweep *s, const exact_open *x, int64_t t)
{
    const gcast_run_op *r = &s->run->ops[x->op];
    int64_t handover = s->run->gpu->handover_ns;
    bool ok = put(s, r->op) && put_time(s, r->call_ns, t) && put_time(s, r->head_ns, t) &&
              put_time(s, r->enter_ns, t) && put_time(s, r->start_ns, t) && put_time(s, r->dispatched_ns, t) &&
              put_time(s, r->end_ns, t) && put(s, r->enter_ns < t ? (int64_t)(s->entered - r->entry) : 0) &&
              put(s, r->connection) && put(s, r->channel) && put(s, x->woken) && put_taken(s, r, t) &&
              put_turn(s, r, t) && put(s, (int64_t)x->started);
    for (uint64_t b = x->ended; b < x->started && ok; b++) {
        const gcast_block *block = &r->blocks[b];
        if (block->end_ns + handover >= t)
            ok = put(s, block->end_ns - t) && put(s, block->sm) && put(s, s->quarters ? block->quarter : 0);
    }
    return ok && put(s, LATER);
}

/* In which order, and by whom, were these joined last? */
static bool put_joins(exact_sweep *s, const exact_connection *list, int n)
{
    bool ok = true;
    for (int c = 0; c < n && ok; c++) {
        int64_t later = 0;
        for (int other = 0; other < n && list[c].joined; other++)
            later += list[other].joined > list[c].joined;
        ok = put(s, list[c].joined ? later : LATER) && put(s, list[c].stream);
    }
    return ok;
}

/* What stays when nothing is left of any operation. */
static bool put_memory(exact_sweep *s, int64_t t)
{
    int64_t idle = s->run->gpu->copy_idle_ns;
    size_t streams = s->run->workload->stream_count;
    int channels = s->run->gpu->copy_channels;
    bool ok = put(s, s->last_call >= 0 && t - s->last_call < idle ? t - s->last_call : idle) &&
              put_joins(s, s->connections, s->run->connections);
    for (int e = 0; e < ENGINES && channels && ok; e++)
        ok = put_joins(s, s->channels + e * channels, channels) && put(s, s->served[e]);
    for (size_t i = 0; i < streams && ok; i++)
        ok = put(s, s->stream_connection[i]);
    for (size_t i = 0; i < ENGINES * streams && channels && ok; i++)
        ok = put(s, s->stream_channel[i]);
    for (int sm = 0; sm < s->run->gpu->sms && s->quarters && ok; sm++)
        ok = put(s, s->next_quarter[sm]);
    if (ok && s->run->gpu->placement == GCAST_PLACE_ROUND_ROBIN)
        ok = put(s, s->last[0] < 0 ? LATER : (int64_t)s->last_sm);
    return ok;
}

/* Can it be told without the blocks, and with them: what size have the SMs where some are? */
static bool is_known(const exact_sweep *s, int64_t t)
{
    const gcast_run *run = s->run;
    if (t <= s->once_over || s->open.count > MOST_OPEN)
        return false;
    if (run->blocks_recorded && !s->sizes)
        return true;
    bool turns = s->quarters || (run->gpu->placement == GCAST_PLACE_ROUND_ROBIN && run->gpu->sms > 1);
    if (turns && !run->blocks_recorded)
        return false;
    for (size_t i = 0; i < s->open.count; i++) {
        const gcast_run_op *r = &run->ops[s->open.at[i].op];
        if (spec(s, s->open.at[i].op)->kind == GCAST_KIND_KERNEL && r->start_ns < t &&
            r->end_ns + run->gpu->handover_ns >= t)
            return false;
    }
    return true;
}

exact_answer exact_sweep_to(exact_sweep *s, int64_t t)
{
    if (!open_called(s, t))
        return EXACT_NO_MEMORY;
    see_progress(s, t);
    if (!is_known(s, t))
        return EXACT_UNKNOWN;
    s->state.count = 0;
    bool ok = put(s, (int64_t)s->open.count);
    for (size_t i = 0; i < s->open.count && ok; i++)
        ok = put_open(s, &s->open.at[i], t);
    return ok && put_memory(s, t) ? EXACT_STATE : EXACT_NO_MEMORY;
}
