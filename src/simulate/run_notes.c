/* The notes of a run, in the order in which they are printed. */
#include "simulate/run_notes.h"

#include <stdio.h>

#include "base/integers.h"
#include "model/gpu.h"
#include "model/gpu_fields.h"
#include "model/run.h"
#include "model/workload/dependencies.h"
#include "model/workload/workload.h"

/* At most so many of a kind get a note each. */
#define MAX_REPAIRS 3   /* operations with jobs that a second launch did */
#define MAX_UNAWAITED 3 /* dependencies on operations that were not called before */
#define MAX_MASKS 3     /* kernels whose masks have SMs that the GPU does not have */
#define MAX_SIZES 3     /* sizes of blocks with idle lanes */

static bool note_priorities(gcast_run *run)
{
    const gcast_workload *w = run->workload;
    bool ok = true;
    for (size_t i = 0; i < w->stream_count && ok; i++) {
        char note[128];
        int p = w->streams[i].priority, taken = nearest_priority(run->gpu, p);
        if (p == taken)
            continue;
        snprintf(note, sizeof note, "stream %d: priority %d is taken as %d, the nearest the GPU has", w->streams[i].id,
                 p, taken);
        ok = run_add_note(run, note);
    }
    return ok;
}

/* Notes masks with SMs that the GPU does not have. */
static bool note_masks(gcast_run *run)
{
    const gcast_workload *w = run->workload;
    bool ok = true;
    for (size_t i = 0, noted = 0; i < w->op_count && noted < MAX_MASKS && ok; i++) {
        char note[400];
        int beyond = w->ops[i].mask == GCAST_ALL_SMS ? 0 : mask_beyond(&w->masks[w->ops[i].mask], run->gpu->sms);
        if (!beyond)
            continue;
        snprintf(note, sizeof note, MASK_BEYOND_NOTE, w->ops[i].label, beyond, run->gpu->sms);
        ok = run_add_note(run, note);
        noted++;
    }
    return ok;
}

static bool note_times(gcast_run *run, const gcast_simulate_options *options)
{
    const gcast_workload *w = run->workload;
    bool ok = true, ranges = false, jitter = false, sporadic = false;
    for (size_t i = 0; i < w->op_count + w->child_count; i++)
        ranges = ranges || w->ops[i].min_ns != w->ops[i].max_ns;
    for (size_t i = 0; i < w->task_count; i++)
        jitter = jitter || w->tasks[i].jitter_ns > 0, sporadic = sporadic || w->tasks[i].sporadic;
    if (ranges && options->durations == GCAST_DURATIONS_MAX)
        ok = run_add_note(run, "durations given as ranges have their maximum here, which is not always the worst case");
    if (ok && sporadic && !options->releases)
        ok = run_add_note(
            run, "jobs of sporadic tasks are released at their minimum distance, which is not always the worst case");
    return ok && (!jitter || run_add_note(run, "jitter is not simulated: jobs are released on time"));
}

/* Kernels whose blocks have the same number of threads. */
typedef struct block_size {
    int threads;       /* of a block */
    const char *label; /* of the first kernel */
    size_t kernels;    /* how many there are */
} block_size;

static bool note_size(gcast_run *run, const block_size *b)
{
    char note[400], more[64] = "";
    int lanes = (b->threads - 1) / GCAST_WARP * GCAST_WARP + GCAST_WARP;
    if (b->kernels > 1)
        snprintf(more, sizeof more, " and %zu more kernel%s", b->kernels - 1, b->kernels == 2 ? "" : "s");
    snprintf(note, sizeof note, "%.200s%s: blocks of %d thread%s occupy %d lanes, of which %d are idle", b->label, more,
             b->threads, b->threads == 1 ? "" : "s", lanes, lanes - b->threads);
    return run_add_note(run, note);
}

/* Notes blocks whose last warp is not full: a warp takes the resources of 32 lanes. */
static bool note_idle_lanes(gcast_run *run)
{
    const gcast_workload *w = run->workload;
    block_size sizes[MAX_SIZES];
    size_t n = 0, more = 0;
    bool ok = true;
    for (size_t i = 0; i < w->op_count + w->child_count; i++) {
        size_t k = 0;
        if (w->ops[i].kind != GCAST_KIND_KERNEL || w->ops[i].shape.threads % GCAST_WARP == 0)
            continue;
        while (k < n && sizes[k].threads != w->ops[i].shape.threads)
            k++;
        if (k == n && n < MAX_SIZES)
            sizes[n++] = (block_size){w->ops[i].shape.threads, w->ops[i].label, 0};
        if (k < n)
            sizes[k].kernels++;
        else
            more++;
    }
    for (size_t k = 0; k < n && ok; k++)
        ok = note_size(run, &sizes[k]);
    char note[96];
    snprintf(note, sizeof note, "%zu more kernel%s blocks of other sizes with idle lanes", more,
             more == 1 ? " has" : "s have");
    return ok && (!more || run_add_note(run, note));
}

static bool note_window(gcast_run *run, const gcast_simulate_options *options)
{
    bool in_window = options->record_blocks && options->record_to_ns > 0;
    return !in_window || !run->workload->child_count ||
           run_add_note(run, "blocks of children are not recorded in a window of time");
}

static bool note_assumed(gcast_run *run)
{
    char note[200];
    return !run->workload->child_count || !gpu_launches_note(run->gpu, note, sizeof note) || run_add_note(run, note);
}

static bool note_graphs(gcast_run *run)
{
    char note[200];
    snprintf(note, sizeof note, "launch times of graphs are not known on %.100s: the stream gap is used",
             run->gpu->name);
    return !run->workload->graph_count || run->gpu->graph_gap_ns || run_add_note(run, note);
}

static bool note_programmatic(gcast_run *run)
{
    const gcast_workload *w = run->workload;
    const gcast_gpu *gpu = run->gpu;
    bool any = false;
    char note[240];
    for (size_t i = 0; i < w->op_count; i++)
        any = any || w->ops[i].programmatic;
    snprintf(
        note, sizeof note,
        "times of programmatic launches were not measured on %.100s: the stream gap and an overlap of 8 are assumed",
        gpu->name);
    return !any || (gpu->programmatic_gap_ns && gpu->programmatic_wait_ns && gpu->programmatic_depth) ||
           run_add_note(run, note);
}

gcast_status notes_add(gcast_run *run, const gcast_simulate_options *options, gcast_error *err)
{
    bool ok = note_priorities(run) && note_masks(run) && note_times(run, options) && note_idle_lanes(run) &&
              note_window(run, options) && note_assumed(run) && note_graphs(run) && note_programmatic(run);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status notes_add_repairs(gcast_run *run, gcast_error *err)
{
    size_t count = 0;
    bool ok = true;
    char note[400];
    for (size_t i = 0; i < run->op_count && ok; i++) {
        const gcast_run_op *r = &run->ops[i];
        const gcast_op *op = &run->workload->ops[r->op];
        char job[32] = "";
        if (!r->repaired || ++count > MAX_REPAIRS)
            continue;
        if (op->task != GCAST_ONCE)
            snprintf(job, sizeof job, " (release %u)", r->job);
        snprintf(note, sizeof note, "%.200s%s: no worker did %llu of its %llu jobs; a second launch did them",
                 op->label, job, (unsigned long long)r->repaired, (unsigned long long)r->block_count);
        ok = run_add_note(run, note);
    }
    snprintf(note, sizeof note, "%zu more operation%s a second launch for jobs that no worker did",
             count > MAX_REPAIRS ? count - MAX_REPAIRS : 0, count == MAX_REPAIRS + 1 ? " needs" : "s need");
    if (ok && count > MAX_REPAIRS)
        ok = run_add_note(run, note);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

/* The operation of dependency `k` of operation `i`, if `i` did not wait for it; else NULL. */
static const gcast_run_op *unawaited(const gcast_run *run, size_t i, size_t k)
{
    const gcast_op *op = &run->workload->ops[run->ops[i].op];
    const gcast_run_op *named = &run->ops[dependencies_operation(i, run->ops[i].op, op->after[k])];
    bool waited = !named->skipped && named->launch < run->ops[i].launch;
    return waited || run->ops[i].skipped ? NULL : named;
}

size_t notes_count_unawaited(const gcast_run *run)
{
    size_t count = 0;
    if (!dependencies_exist(run->workload))
        return 0;
    for (size_t i = 0; i < run->op_count; i++)
        for (size_t k = 0; k < run->workload->ops[run->ops[i].op].after_count; k++)
            count += unawaited(run, i, k) != NULL;
    return count;
}

gcast_status notes_add_unawaited(gcast_run *run, gcast_error *err)
{
    const gcast_workload *w = run->workload;
    size_t count = 0;
    bool ok = true, dependencies = dependencies_exist(w);
    char note[500];
    for (size_t i = 0; i < run->op_count && ok && dependencies; i++) {
        const gcast_op *op = &w->ops[run->ops[i].op];
        for (size_t k = 0; k < op->after_count && ok; k++) {
            const gcast_run_op *named = unawaited(run, i, k);
            if (!named || ++count > MAX_UNAWAITED)
                continue;
            snprintf(note, sizeof note, "%.200s did not wait for %.200s, on which it depends and which was %s",
                     op->label, w->ops[named->op].label, named->skipped ? "skipped" : "called later");
            ok = run_add_note(run, note);
        }
    }
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

/* Are more operations unfinished at the end of the hyperperiod than at its start? Then the GPU is overloaded, although
 * one hyperperiod alone does not show it. */
static bool falls_behind(const gcast_run *run)
{
    const gcast_workload *w = run->workload;
    int64_t start_ns = 0, end_ns = run->horizon_ns, pending_at_start = 0, pending_at_end = 0;
    for (size_t i = 0; i < w->task_count; i++)
        start_ns = max_i64(start_ns, w->tasks[i].offset_ns);
    for (size_t i = 0; i < run->op_count && w->task_count; i++) {
        const gcast_run_op *op = &run->ops[i];
        pending_at_start += op->release_ns < start_ns && op->end_ns > start_ns;
        pending_at_end += op->release_ns < end_ns && op->end_ns > end_ns;
    }
    return pending_at_end > pending_at_start;
}

gcast_status notes_add_overload(gcast_run *run, gcast_error *err)
{
    return !falls_behind(run) ||
                   run_add_note(run, "more is left to do at the end of the hyperperiod than at its start: later jobs "
                                     "may take longer; analyze looks at all")
               ? GCAST_OK
               : gcast_error_set_memory(err);
}

gcast_status notes_add_refused(gcast_run *run, gcast_error *err)
{
    char note[160];
    uint64_t refused = run->launches ? run->launches->refused : 0;
    snprintf(note, sizeof note, "%llu launch%s refused, as the pool of pending children was full: %s launcher%s",
             (unsigned long long)refused, refused == 1 ? " was" : "es were",
             refused == 1 ? "its items were done by its" : "their items were done by their", refused == 1 ? "" : "s");
    return !refused || run_add_note(run, note) ? GCAST_OK : gcast_error_set_memory(err);
}
