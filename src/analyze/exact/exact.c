/* With everything fixed there is one execution, and the simulator gives it. Without tasks it ends. With tasks, releases
 * repeat with the hyperperiod: once the state at the start of a hyperperiod is that at the start of an earlier one, all
 * that follows has been seen. The window is doubled until then. A simulation is right up to its horizon, whatever is
 * released later, so only ends up to there count. */
#include "analyze/exact/exact.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/call_latency.h"
#include "analyze/exact/sweep.h"
#include "analyze/exact/utilization.h"
#include "analyze/time_limit.h"
#include "base/arena.h"
#include "base/index.h"
#include "base/integers.h"
#include "base/units.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"
#include "model/workload/workload.h"
#include "simulate/duration.h"

#define MAX_STATE_BYTES ((size_t)1 << 28)
#define MAX_WINDOWS 1024 /* hyperperiods */
#define MAX_OPERATIONS 1000000
#define MAX_BLOCKS 4000000 /* recorded blocks */
#define NO_TIME (-1)
#define NO_MEMORY (-2)

/* Two times at which the run is in the same state. */
typedef struct repetition {
    int64_t earlier_ns;
    int64_t later_ns; /* NO_TIME: there are none */
} repetition;

/* The states so far. */
typedef struct history {
    arena memory;     /* of the states */
    hash_index index; /* of `states`, by content */
    VEC(struct {
        int64_t time;         /* of the state */
        const int64_t *state; /* from exact_sweep_to */
        size_t count;         /* numbers in it */
    })
    states;
    size_t bytes; /* of all states */
} history;

/* The earlier time of this state, or NO_TIME after adding it, or NO_MEMORY. */
static int64_t find_state(history *seen, int64_t time, const int64_t *state, size_t count)
{
    size_t bytes = count * sizeof *state;
    uint64_t hash = index_hash(state, bytes);
    if (!vec_reserve(&seen->states, seen->states.count + 1))
        return NO_MEMORY;
    for (index_probe probe = index_start(&seen->index, hash); index_next(&seen->index, &probe);)
        if (seen->states.at[probe.value].count == count &&
            memcmp(seen->states.at[probe.value].state, state, bytes) == 0)
            return seen->states.at[probe.value].time;
    if ((seen->bytes += bytes) > MAX_STATE_BYTES)
        return NO_TIME;
    const int64_t *copy = arena_copy(&seen->memory, state, bytes);
    if (!copy || !index_add(&seen->index, hash, (uint32_t)seen->states.count))
        return NO_MEMORY;
    seen->states.count++;
    seen->states.at[seen->states.count - 1].time = time;
    seen->states.at[seen->states.count - 1].state = copy;
    seen->states.at[seen->states.count - 1].count = count;
    return NO_TIME;
}

/* Finds the first two of the times first_ns, first_ns + hyperperiod_ns, ... up to the run's horizon with equal states.
 * Finds none once may_continue returns false. False without memory. */
static bool find_repetition(const gcast_run *run, int64_t first_ns, int64_t hyperperiod_ns,
                            bool (*may_continue)(void *, double), void *data, repetition *found)
{
    exact_sweep sweep;
    history seen = {0};
    bool ok = exact_sweep_init(&sweep, run);
    *found = (repetition){NO_TIME, NO_TIME};
    for (int64_t t = first_ns; ok && found->later_ns < 0 && t <= run->horizon_ns && may_continue(data, 1);
         t += hyperperiod_ns) {
        exact_answer answer = exact_sweep_to(&sweep, t);
        ok = answer != EXACT_NO_MEMORY;
        if (answer != EXACT_STATE)
            continue;
        found->earlier_ns = find_state(&seen, t, sweep.state.at, sweep.state.count);
        ok = found->earlier_ns != NO_MEMORY;
        if (found->earlier_ns >= 0)
            found->later_ns = t;
    }
    exact_sweep_free(&sweep);
    index_free(&seen.index);
    vec_free(&seen.states);
    arena_free(&seen.memory);
    return ok;
}

typedef struct search {
    owned_analysis *o;                    /* the analysis that is filled in */
    const gcast_workload *w;              /* the workload */
    const gcast_gpu *gpu;                 /* the GPU */
    const gcast_analyze_options *options; /* the caller's options */
    gcast_error *err;                     /* the caller's */
    int64_t hyperperiod;                  /* of all tasks */
    int64_t first_ns;                     /* from here on all releases repeat */
    time_limit limit;                     /* of the whole analysis */
    bool is_late;                         /* the limit has passed */
    bool stopped;                         /* the caller stopped it */
    bool too_large;                       /* a window has too many operations */
} search;

static bool in_time(void *data, double fraction)
{
    search *s = data;
    s->is_late = s->is_late || limit_passed(&s->limit);
    if (s->options->progress && !s->options->progress(s->options->progress_data, fraction))
        s->stopped = true;
    return !s->is_late && !s->stopped;
}

static gcast_status simulate(search *s, int64_t horizon, bool record, gcast_run **run)
{
    gcast_simulate_options options = gcast_simulate_options_default();
    options.horizon_ns = horizon;
    options.record_blocks = record;
    options.progress = in_time;
    options.progress_data = s;
    return gcast_workload_simulate(s->w, s->gpu, &options, run, s->err);
}

static void count_response(gcast_response *r, int64_t response, bool *is_counted)
{
    if (!*is_counted || response > r->worst_ns)
        r->worst_ns = response;
    if (!*is_counted || response < r->best_ns)
        r->best_ns = response;
    *is_counted = true;
}

/* Fills in the responses of all operations released before `end_ns`; false without memory. */
static bool fill_responses(search *s, const gcast_run *run, int64_t end_ns)
{
    size_t *place = malloc((s->w->op_count + 1) * sizeof *place);
    bool *is_counted = calloc(s->w->op_count + 1, sizeof *is_counted), ok = place && is_counted;
    for (size_t i = 0; ok && i < s->o->a.response_count; i++)
        place[s->o->responses[i].op] = i;
    for (size_t i = 0; ok && i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (gcast_kind_on_gpu(s->w->ops[r->op].kind) && !r->skipped && r->release_ns < end_ns)
            count_response(&s->o->responses[place[r->op]], gcast_response_ns(r), &is_counted[r->op]);
    }
    for (size_t i = 0; ok && i < s->o->a.response_count; i++) {
        gcast_response *r = &s->o->responses[i];
        if (!is_counted[r->op])
            ok = analysis_never_called(s->o, s->w, r);
    }
    free(place);
    free(is_counted);
    return ok;
}

/* Does the window have few enough operations to simulate? *record: and few enough blocks to record. */
static bool window_fits(const search *s, int64_t horizon, bool *record)
{
    uint64_t ops = 0, blocks = 0;
    for (size_t i = 0; i < s->w->op_count; i++) {
        const gcast_op *op = &s->w->ops[i];
        uint64_t jobs = op->task == GCAST_ONCE ? 1 : (uint64_t)(horizon / s->w->tasks[op->task].period_ns) + 1, all;
        if (jobs > MAX_OPERATIONS || (ops += jobs) > MAX_OPERATIONS)
            return false;
        if (op->kind == GCAST_KIND_KERNEL &&
            (!checked_mul(jobs, op->blocks, &all) || !checked_add(blocks, all, &blocks)))
            blocks = UINT64_MAX / 2;
    }
    *record = blocks <= MAX_BLOCKS;
    return true;
}

/* Does everything released before `end_ns` end within the run's horizon? */
static bool all_ended(const gcast_run *run, int64_t end_ns)
{
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        if (!r->skipped && r->release_ns < end_ns && r->end_ns > run->horizon_ns)
            return false;
    }
    return true;
}

static bool assume_repetition(search *s, const repetition *found)
{
    char first[40], second[40], text[300];
    units_format_time(found->earlier_ns, first, sizeof first);
    units_format_time(found->later_ns, second, sizeof second);
    snprintf(text, sizeof text,
             "the GPU and the releases have the same state at %s as at %s: jobs released before then represent all",
             second, first);
    return analysis_assume(s->o, text);
}

static gcast_status give_up_search(search *s, int64_t windows)
{
    char text[300], period[40];
    units_format_time(s->hyperperiod, period, sizeof period);
    if (s->is_late)
        snprintf(text, sizeof text, "it reached its time limit; the window was %lld hyperperiods of %s",
                 (long long)windows, period);
    else if (s->stopped)
        snprintf(text, sizeof text, "it was stopped");
    else if (windows < 2 && s->too_large)
        snprintf(text, sizeof text, "two hyperperiods of %s, and the time before, have more than %d operations", period,
                 MAX_OPERATIONS);
    else if (windows < 2)
        snprintf(text, sizeof text, "two hyperperiods of %s after the last first release end at 2^61 ns or later",
                 period);
    else
        snprintf(text, sizeof text,
                 "no state repeats within %lld hyperperiods of %s, the limit: response times may grow without bound",
                 (long long)windows, period);
    analysis_give_up(s->o, text);
    return GCAST_OK;
}

/* Simulates one window. *done: it was long enough, and responses are filled in. */
static gcast_status try_window(search *s, int64_t horizon, bool record, bool *done)
{
    gcast_run *run;
    repetition found;
    gcast_status status = simulate(s, horizon, record, &run);
    if (status != GCAST_OK)
        return status;
    bool ok = find_repetition(run, s->first_ns, s->hyperperiod, in_time, s, &found);
    *done = ok && found.later_ns >= 0 && all_ended(run, found.later_ns);
    if (*done)
        ok = fill_responses(s, run, found.later_ns) && assume_repetition(s, &found);
    gcast_run_free(run);
    return ok ? GCAST_OK : gcast_error_set_memory(s->err);
}

static gcast_status search_windows(search *s)
{
    bool done = false, record;
    for (int64_t windows = 2, horizon;; windows *= 2) {
        if (windows > MAX_WINDOWS || !checked_mul(windows, s->hyperperiod, &horizon) ||
            !checked_add(horizon, s->first_ns, &horizon) || horizon > INT64_MAX / 4 ||
            (s->too_large = !window_fits(s, horizon, &record)))
            return give_up_search(s, windows / 2);
        s->o->a.states = (uint64_t)windows;
        gcast_status status = try_window(s, horizon, record, &done);
        if (done)
            return status;
        if (s->is_late || s->stopped)
            return give_up_search(s, windows);
        if (status != GCAST_OK)
            return status;
    }
}

static gcast_status analyze_tasks(search *s)
{
    char why[200];
    if (exact_overload(s->w, s->gpu, false, why, sizeof why)) {
        analysis_give_up(s->o, why);
        return GCAST_OK;
    }
    if (!gcast_workload_hyperperiod(s->w, &s->hyperperiod)) {
        analysis_give_up(s->o, "the least common multiple of the periods does not fit in 64-bit nanoseconds");
        return GCAST_OK;
    }
    for (size_t i = s->w->once_count; i < s->w->op_count; i++) {
        int64_t first_ns = s->w->tasks[s->w->ops[i].task].offset_ns + s->w->ops[i].release_ns;
        if (s->w->ops[i].skip_ns != GCAST_NEVER) /* its jobs lack it from then on */
            first_ns = max_i64(first_ns, s->w->ops[i].skip_ns);
        s->first_ns = max_i64(first_ns, s->first_ns);
    }
    return search_windows(s);
}

/* One simulation, if there are no tasks or a horizon is given. */
static gcast_status simulate_once(search *s)
{
    gcast_run *run;
    char text[200], horizon[40];
    gcast_status status = simulate(s, s->options->horizon_ns, false, &run);
    if (status != GCAST_OK && (s->is_late || s->stopped)) {
        analysis_give_up(s->o, s->is_late ? "it reached its time limit" : "it was stopped");
        return GCAST_OK;
    }
    if (status != GCAST_OK)
        return status;
    bool ok = fill_responses(s, run, INT64_MAX);
    if (ok && s->w->task_count) {
        units_format_time(s->options->horizon_ns, horizon, sizeof horizon);
        snprintf(text, sizeof text, "no job is released at %s or later", horizon);
        ok = analysis_assume(s->o, text);
    }
    gcast_run_free(run);
    return ok ? GCAST_OK : gcast_error_set_memory(s->err);
}

/* Is there only one execution? If not, `why` says why. */
static bool is_fixed(const search *s, char *why, size_t size)
{
    const gcast_workload *w = s->w;
    int process = -1;
    if (call_latency_is_range(&s->o->a)) {
        snprintf(why, size, "%s", call_latency_why_not(&s->o->a));
        return false;
    }
    if (s->options->any_order && w->op_count > 1) {
        snprintf(why, size, "calls may be made in any order: each order is a different execution");
        return false;
    }
    if (s->gpu->noise_ns) {
        snprintf(why, size,
                 "every block and copy may take up to %" PRId64 " ns longer (noise_ns of the GPU), and shorter times "
                 "can lead to a later end",
                 s->gpu->noise_ns);
        return false;
    }
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (op->max_ns == GCAST_UNKNOWN_NS && copy_slowest_ns(s->gpu, op, 100) > 100) {
            snprintf(why, size,
                     "the speed of %.200s varies (copy_slow_percent), and shorter times can lead to a later end",
                     op->label);
            return false;
        }
        if (!op->block_ns && op->min_ns != op->max_ns) {
            snprintf(why, size, "the duration of %.200s is a range, and shorter times can lead to a later end",
                     op->label);
            return false;
        }
        int p = op->stream < 0 ? process : w->streams[op->stream].process;
        if (process >= 0 && p != process) {
            snprintf(why, size, "several processes share the GPU by time slices, which is not predicted");
            return false;
        }
        process = p;
    }
    for (size_t i = 0; i < w->task_count; i++)
        if (w->tasks[i].jitter_ns || w->tasks[i].sporadic) {
            snprintf(why, size, "%.200s %s: its release times are not fixed", w->tasks[i].name,
                     w->tasks[i].sporadic ? "is sporadic" : "has jitter");
            return false;
        }
    return true;
}

gcast_status analyze_exact(owned_analysis *o, const gcast_workload *w, const gcast_gpu *gpu,
                           const gcast_analyze_options *options, gcast_error *err)
{
    search s = {.o = o, .w = w, .gpu = gpu, .options = options, .err = err, .limit = limit_from_now(options->max_ms)};
    char why[300];
    if (!is_fixed(&s, why, sizeof why)) {
        analysis_give_up(o, why);
        return GCAST_OK;
    }
    if (!analysis_assume(o, "every block and copy takes as long as the workload says, and jobs are released on time") ||
        !analysis_assume(o, "calls that come due together are made in the order of the file"))
        return gcast_error_set_memory(err);
    return w->task_count && !options->horizon_ns ? analyze_tasks(&s) : simulate_once(&s);
}
