/* gcast_workload_simulate: checks its arguments, runs the engine, and returns a run that has passed the checker. */
#include "simulate/engine/simulate.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/api.h"
#include "model/gpu.h"
#include "model/run.h"
#include "model/workload/jobs.h"
#include "model/workload/workload.h"
#include "simulate/engine/block_waits.h"
#include "simulate/engine/engine.h"
#include "simulate/engine/launch_state.h"
#include "simulate/engine/state.h"
#include "simulate/launchable.h"
#include "simulate/run_notes.h"

#define MAX_NOISE_NS INT64_C(1000000000)
#define MAX_WINDOW_NS INT64_C(86400000000000) /* a day, as of a GPU */

static gcast_status check_processes(const gcast_workload *w, const gcast_simulate_options *options, gcast_run *run,
                                    gcast_error *err)
{
    int first = -1;
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].stream < 0)
            continue;
        int process = w->streams[w->ops[i].stream].process;
        if (first < 0)
            first = process;
        if (process == first)
            continue;
        if (!options->merge_processes)
            return hint_add(
                err, GCAST_HINT_PROCESSES,
                gcast_error_set(err, GCAST_INPUT, NULL,
                                "several processes share the GPU by time slices, which gridcast does not predict"));
        return run_add_note(run, "several processes are simulated as one") ? GCAST_OK : gcast_error_set_memory(err);
    }
    return GCAST_OK;
}

/* Has every operation ended, and is the GPU empty? */
static gcast_status check_finished(const sim *s, gcast_error *err)
{
    for (uint32_t o = 0; o < s->op_count; o++) {
        const gcast_run_op *r = &s->ops[o];
        if (r->skipped || (r->end_ns >= 0 && s->state[o].dispatched == s->state[o].launch_blocks))
            continue;
        char path[128];
        gcast_workload_op_path(s->w, r->op, path, sizeof path);
        return gcast_error_set(err, GCAST_INPUT, path, "%s never ends: its host thread waits forever",
                               sim_spec(s, o)->label);
    }
    if (s->live_groups || s->queued_count || s->resident_grids)
        return gcast_error_set(err, GCAST_INTERNAL, NULL, "blocks are left on the GPU at the end");
    return GCAST_OK;
}

static gcast_status simulate(gcast_run *run, const gcast_simulate_options *options, const outside *from,
                             gcast_error *err)
{
    gcast_run_op *ops;
    gcast_block *blocks = NULL;
    size_t count;
    const gcast_workload *w = run->workload;
    gcast_status status = jobs_expand(w, run->horizon_ns, &ops, &count, err);
    if (status != GCAST_OK)
        return status;
    run_set_ops(run, ops, count);
    if (options->releases && options->release_count != count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%zu release times are given for %zu operations",
                               options->release_count, count);
    if (options->latencies && options->latency_count != count)
        return gcast_error_set(err, GCAST_USAGE, NULL, "%zu latencies are given for %zu operations",
                               options->latency_count, count);
    for (size_t i = 0; options->releases && i < count; i++)
        ops[i].release_ns = options->releases[i] > 0 ? options->releases[i] : 0;
    bool in_window = options->record_blocks && options->record_to_ns > 0 && !options->each_block;
    if (options->record_blocks && !in_window && !options->each_block &&
        (status = record_all(run, ops, &blocks, err)) != GCAST_OK)
        return status;
    sim s = {.w = w,
             .gpu = run->gpu,
             .options = options,
             .from = from,
             .err = err,
             .ops = ops,
             .blocks = blocks,
             .op_count = (uint32_t)count,
             .run_memory = run_memory(run)};
    if (in_window)
        s.window = (window){.start_ns = options->record_from_ns, .end_ns = options->record_to_ns};
    if (options->each_block)
        s.window = (window){.end_ns = INT64_MAX, .take = options->each_block, .take_data = options->each_block_data};
    if (setup_init(&s, run->connections) && (!from || from->start(from->context, &s, ops, count)))
        engine_loop(&s);
    else
        sim_fail_memory(&s);
    for (size_t i = 0; from && i < count; i++)
        s.ops[i].skipped = s.ops[i].call_ns < 0;
    status = s.status;
    if (status == GCAST_OK && hang_found(&s))
        status = hang_record(&s, run) ? GCAST_OK : gcast_error_set_memory(err);
    else if (status == GCAST_OK)
        status = check_finished(&s, err);
    window_flush(&s.window);
    if (status == GCAST_OK && s.window.stopped)
        status = gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
    if (status == GCAST_OK && in_window)
        status = record_window(run, s.ops, &s.window, err);
    if (status == GCAST_OK && s.launch && !launch_tables_to_run(&s, run))
        status = gcast_error_set_memory(err);
    run_set_ops(run, ops = s.ops, count); /* they may have moved */
    setup_free(&s);
    for (size_t i = 0; i < count; i++) {
        if (ops[i].end_ns > run->end_ns)
            run->end_ns = ops[i].end_ns;
        if (ops[i].skipped)
            ops[i].blocks = NULL; /* a skipped operation has no blocks */
    }
    return status;
}

/* Notes how many operations end after the horizon: no later jobs are simulated, so they may wait for fewer others than
 * on the GPU. */
static gcast_status note_horizon(gcast_run *run, gcast_error *err)
{
    size_t late = 0;
    char note[160];
    for (size_t i = 0; i < run->op_count && run->workload->task_count; i++)
        late += !run->ops[i].skipped && run->ops[i].end_ns > run->horizon_ns;
    snprintf(note, sizeof note,
             "%zu operation%s after the horizon, where later jobs, which are not simulated, may delay %s", late,
             late == 1 ? " ends" : "s end", late == 1 ? "it" : "them");
    return !late || run_add_note(run, note) ? GCAST_OK : gcast_error_set_memory(err);
}

/* Are the options of kernels that launch in range? *own gets the controller's. */
static gcast_status check_spawn(gcast_simulate_options *options, gcast_spawn_options *own, gcast_error *err)
{
    gcast_status status = options_copy(own, sizeof *own, options->spawn, "gcast_spawn_options", err);
    if (status != GCAST_OK)
        return status;
    options->spawn = own;
    if (own->window_ns < 0 || own->window_ns > MAX_WINDOW_NS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "a window of the SPAWN controller is from 0 to %lld ns",
                               (long long)MAX_WINDOW_NS);
    if ((unsigned)own->idle >= GCAST_SPAWN_IDLES || (unsigned)own->average >= GCAST_SPAWN_AVERAGES ||
        (unsigned)own->counters >= GCAST_SPAWN_COUNTERS || (unsigned)own->start >= GCAST_SPAWN_STARTS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no such choice of the SPAWN controller");
    if (!options->override_spawn)
        return GCAST_OK;
    if ((unsigned)options->spawn_policy >= GCAST_SPAWN_POLICIES)
        return gcast_error_set(err, GCAST_USAGE, NULL, "there is no spawn policy number %d",
                               (int)options->spawn_policy);
    if (options->spawn_policy == GCAST_SPAWN_THRESHOLD && options->spawn_threshold < 1)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the threshold of items must be at least 1");
    return GCAST_OK;
}

/* `from` NULL: operations are called as the workload says. */
static gcast_status make_run(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *given,
                             const outside *from, gcast_run **out, gcast_error *err)
{
    gcast_simulate_options own = gcast_simulate_options_default();
    gcast_spawn_options spawn = gcast_spawn_options_default();
    const gcast_simulate_options *options = &own;
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_simulate_options", err);
    if (status != GCAST_OK)
        return status;
    if (!gpu)
        gpu = w->gpu;
    if (!gpu)
        return hint_add(err, GCAST_HINT_GPU, gcast_error_set(err, GCAST_INPUT, "/gpu", "no GPU is named"));
    gcast_gpu *copy;
    gcast_run *run = gcast_gpu_copy(gpu, &copy, err) == GCAST_OK ? run_create("simulated", w, copy) : NULL;
    if (!run) {
        gcast_gpu_free(copy);
        return gcast_error_set_memory(err);
    }
    status = gcast_gpu_check(copy, err);
    if (status == GCAST_OK && (unsigned)options->durations >= GCAST_DURATIONS_COUNT)
        status = gcast_error_set(err, GCAST_USAGE, NULL, "there is no choice of durations number %d",
                                 (int)options->durations);
    if (status == GCAST_OK)
        status = check_spawn(&own, &spawn, err);
    if (status == GCAST_OK && (options->noise_ns < 0 || options->noise_ns > MAX_NOISE_NS))
        status = gcast_error_set(err, GCAST_USAGE, NULL, "noise is from 0 to %lld ns", (long long)MAX_NOISE_NS);
    if (status == GCAST_OK && options->record_to_ns &&
        (options->record_from_ns < 0 || options->record_from_ns >= options->record_to_ns))
        status = gcast_error_set(err, GCAST_USAGE, NULL, "no block runs from %lld ns to %lld ns",
                                 (long long)options->record_from_ns, (long long)options->record_to_ns);
    if (status == GCAST_OK && w->partition_sms)
        status = gcast_gpu_partition(copy, w->partition_sms, err);
    if (status == GCAST_OK)
        status = gcast_workload_check(w, err);
    if (options->as_measured && copy->wake_ns) { /* half a tick of handover_ns is the time to the next tick */
        run->wake_ns = copy->wake_ns;
        copy->handover_ns = copy->handover_ns > copy->wake_ns / 2 ? copy->handover_ns - copy->wake_ns / 2 : 0;
    }
    if (status == GCAST_OK)
        status = check_processes(w, options, run, err);
    if (status == GCAST_OK)
        status = launchable_check(w, copy, err);
    if (status == GCAST_OK)
        status = notes_add(run, options, err);
    run->connections = connections_in_force(w, copy);
    run->horizon_ns = options->horizon_ns;
    run->noise_ns = options->noise_ns;
    run->scatter = options->scatter;
    run->latencies_given = options->latencies != NULL;
    run->spawn_overridden = options->override_spawn;
    run->spawn_policy = options->spawn_policy;
    run->spawn_threshold = options->spawn_threshold;
    if (status == GCAST_OK)
        status = jobs_horizon(w, &run->horizon_ns, err);
    if (status == GCAST_OK)
        status = simulate(run, options, from, err);
    if (status == GCAST_OK)
        status = note_horizon(run, err);
    if (status == GCAST_OK)
        status = notes_add_repairs(run, err);
    if (status == GCAST_OK)
        status = notes_add_refused(run, err);
    if (status == GCAST_OK)
        status = notes_add_unawaited(run, err);
    if (status == GCAST_OK && !options->horizon_ns)
        status = notes_add_overload(run, err);
    if (status == GCAST_OK && !from)
        status = gcast_run_check(run, err);
    if (status != GCAST_OK) {
        gcast_run_free(run);
        return status;
    }
    *out = run;
    return GCAST_OK;
}

gcast_status gcast_workload_simulate(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *given,
                                     gcast_run **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!w || !out)
        return argument_missing(err);
    return make_run(w, gpu, given, NULL, out, err);
}

gcast_status simulate_from_outside(const gcast_workload *w, const gcast_gpu *gpu, const gcast_simulate_options *options,
                                   const outside *from, gcast_run **out, gcast_error *err)
{
    return make_run(w, gpu, options, from, out, err);
}
