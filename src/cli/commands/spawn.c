/* gridcast spawn: who should launch? Policies for kernels that launch kernels, side by side. */
#include <stdio.h>
#include <string.h>

#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/spawn/decision_log.h"
#include "cli/spawn/spawn_args.h"
#include "cli/spawn/spawn_workload.h"
#include "model/gpu/fields.h"

static const option_spec options[] = {
    {"app", 0, "BENCHMARK", "such as BFS-graph500 or BFS instead of WORKLOAD; or all"},
    {"input", 0, "TEXT", "of the application, such as rmat:16:16:1"},
    {"gpu", 0, "GPU", "a preset or a GPU file (with --app: gk110-sim)"},
    {"sms", 0, "N", "the first N SMs only"},
    {"policy", 0, "POLICIES", "only these, such as flat,spawn (default: all)"},
    {"threshold", 0, "N", "also launch from N items on; may repeat"},
    {"exhaustive", 0, NULL, "offline: try every threshold"},
    {"window", 0, "TIME", "of spawn's averages (default: the GPU's)"},
    {"idle", 0, "IDLE", "spawn, when no child block ran: peak, last, one, launch"},
    {"average", 0, "AVERAGE", "spawn, of block times: all, moving, window"},
    {"counters", 0, "COUNTERS", "spawn: wide, or of 16 bits: saturate, wrap"},
    {"start", 0, "START", "spawn, launches anyway until times are known: known, first"},
    {"fractions", 0, NULL, "spawn: keep fractions of running child blocks"},
    {"queue-limit", 0, "N", "spawn: child blocks at a time (default: 65536)"},
    {"costs", 0, "FILE", "of the application's steps: gridcast.app-costs/1"},
    {"stream", 0, "STREAM", "one for each child, or for each parent block"},
    {"turnaround", 0, "TIME", "a host launches rounds, each so long after the last"},
    {"min-items", 0, "N", "a thread with fewer never launches"},
    {"save", 0, "FILE", "only write the application as a workload"},
    {"timeline", 0, "FILE", "draw blocks over time: .svg .png .pdf"},
    {"log", 0, "FILE", "spawn's decisions, as gridcast.decisions/1 (CSV)"},
    {"json", 0, NULL, "as gridcast.spawn/1"},
    {"output", 'o', "FILE", "draw speedups: .svg .png .pdf; also .json .txt"},
    {"force", 'f', NULL, "overwrite files"},
    {"quiet", 'q', NULL, "print nothing but errors"},
    {NULL, 0, NULL, NULL},
};

/* The line that shows how far all comparisons are. */
typedef struct part {
    progress *shown; /* the line */
    size_t number;   /* of the comparison */
    size_t count;    /* of comparisons */
} part;

static bool show_part(void *data, double fraction)
{
    const part *p = data;
    return progress_show(p->shown, ((double)p->number + fraction) / (double)p->count);
}

/* Figures of another GPU are not to be taken for this one's. */
static void note_assumed(const gcast_gpu *gpu)
{
    char note[200];
    progress_hide();
    if (gpu_launches_note(gpu, note, sizeof note))
        say_note(note);
}

/* Steps of applications are known of one GPU. */
static void note_costs(const spawn_request *r)
{
    char note[260];
    if (!args_has(r->a, "app") || args_has(r->a, "costs") || strcmp(r->gpu->name, "gk110-sim") == 0)
        return;
    snprintf(
        note, sizeof note,
        "items of applications take as long as on a Kepler at 1,400 MHz, not as on %.100s: --costs gives its times",
        r->gpu->name);
    say_note(note);
}

static gcast_status compare(spawn_request *r, const gcast_workload *w, const char *name, part *p,
                            gcast_spawn_comparison **found)
{
    gcast_error err;
    r->options.name = name;
    r->options.progress = show_part;
    r->options.progress_data = p;
    if (gcast_spawn_compare(w, r->gpu, &r->options, found, &err) == GCAST_OK) {
        if (p->number == 0 && !args_has(r->a, "quiet")) {
            note_assumed(r->gpu ? r->gpu : w->gpu);
            note_costs(r);
        }
        return GCAST_OK;
    }
    progress_hide();
    snprintf(err.file, sizeof err.file, "%.255s", *w->source ? w->source : w->name);
    return say_error(&err);
}

static gcast_status write_one(const spawn_request *r, const gcast_spawn_comparison *const *found, size_t count,
                              const char *path, gcast_format format)
{
    output out;
    gcast_error err;
    bool color = output_is_standard(path) && want_color(r->a);
    gcast_status status = output_open(&out, path, args_has(r->a, "force"));
    if (status != GCAST_OK)
        return status;
    status = gcast_spawn_report(found, count, format, color, output_write, &out, &err);
    return output_finish(&out, status, &err);
}

static gcast_status write_timeline(spawn_request *r, const gcast_workload *w, const gcast_spawn_comparison *found)
{
    const gcast_spawn_row *row = &found->rows[0];
    const char *path = args_value(r->a, "timeline");
    gcast_format format;
    gcast_error err;
    gcast_run *run;
    output out;
    char title[320], threshold[32] = "";
    gcast_format_from_name(path, &format);
    if (row->threshold != GCAST_NO_THRESHOLD)
        snprintf(threshold, sizeof threshold, " (%u)", row->threshold);
    snprintf(title, sizeof title, "%.200s: %s%s", found->name, gcast_spawn_contender_name(row->contender), threshold);
    r->options.progress = NULL;
    if (gcast_spawn_run(w, r->gpu, &r->options, row, &run, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = output_open(&out, path, args_has(r->a, "force"));
    if (status == GCAST_OK) {
        status = gcast_launch_timeline(run, title, format, output_write, &out, &err);
        status = output_finish(&out, status, &err);
    }
    gcast_run_free(run);
    return status;
}

/* Compares, and writes decisions of SPAWN to --log meanwhile. */
static gcast_status compare_and_log(spawn_request *r, const gcast_workload *w, part *p, gcast_spawn_comparison **found)
{
    const char *path = args_value(r->a, "log"), *name = *w->name ? w->name : w->source;
    output out;
    if (!path)
        return compare(r, w, name, p, found);
    gcast_status status = output_open(&out, path, args_has(r->a, "force"));
    if (status != GCAST_OK)
        return status;
    decision_log_head(&out);
    r->options.spawn.log = decision_log_row;
    r->options.spawn.log_data = &out;
    status = compare(r, w, name, p, found);
    r->options.spawn.log = NULL; /* a timeline runs again */
    return output_finish(&out, status, NULL);
}

/* All that is to be written of the comparisons. */
static gcast_status write_all(const spawn_request *r, const gcast_spawn_comparison *const *found, size_t count)
{
    const char *timeline = args_value(r->a, "timeline"), *log = args_value(r->a, "log");
    bool is_taken =
        args_has(r->a, "quiet") || (timeline && output_is_standard(timeline)) || (log && output_is_standard(log));
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < r->a->given_count && status == GCAST_OK; i++) {
        const char *path = r->a->given[i].value;
        gcast_format format;
        if (!args_is(r->a, i, "output") || !gcast_format_from_name(path, &format))
            continue;
        is_taken = is_taken || output_is_standard(path);
        status = write_one(r, found, count, path, format);
    }
    if (status != GCAST_OK || (is_taken && !args_has(r->a, "json")))
        return status;
    return write_one(r, found, count, "-", args_has(r->a, "json") ? GCAST_FORMAT_JSON : GCAST_FORMAT_TABLE);
}

static gcast_status run_one(spawn_request *r)
{
    gcast_workload *w;
    gcast_spawn_comparison *found = NULL;
    progress shown;
    part p = {.shown = &shown, .count = 1};
    gcast_status status = spawn_workload_open(r, &w);
    if (status == GCAST_OK && args_has(r->a, "save")) {
        status = spawn_workload_save(r, w);
    } else if (status == GCAST_OK) {
        progress_start(&shown, "simulating");
        status = compare_and_log(r, w, &p, &found);
        progress_end(&shown);
        if (status == GCAST_OK && args_has(r->a, "timeline"))
            status = write_timeline(r, w, found);
        if (status == GCAST_OK)
            status = write_all(r, (const gcast_spawn_comparison *const *)&found, 1);
    }
    gcast_spawn_comparison_free(found);
    gcast_workload_free(w);
    return status;
}

/* The benchmarks of the paper, one after the other. */
static gcast_status run_benchmarks(spawn_request *r)
{
    gcast_spawn_comparison *found[GCAST_PAPER_BENCHMARKS] = {NULL};
    progress shown;
    gcast_status status = spawn_gpu_open(r);
    if (status != GCAST_OK)
        return status;
    progress_start(&shown, "simulating");
    for (size_t i = 0; i < GCAST_PAPER_BENCHMARKS && status == GCAST_OK; i++) {
        const char *name = gcast_benchmark_name(i);
        part p = {.shown = &shown, .number = i, .count = GCAST_PAPER_BENCHMARKS};
        gcast_workload *w;
        status = spawn_app_open(r, name, &w);
        if (status == GCAST_OK)
            status = compare(r, w, name, &p, &found[i]);
        gcast_workload_free(w);
    }
    progress_end(&shown);
    if (status == GCAST_OK)
        status = write_all(r, (const gcast_spawn_comparison *const *)found, GCAST_PAPER_BENCHMARKS);
    for (size_t i = 0; i < GCAST_PAPER_BENCHMARKS; i++)
        gcast_spawn_comparison_free(found[i]);
    return status;
}

static gcast_status run(const args *a)
{
    spawn_request r;
    gcast_status status = spawn_args_read(a, &r);
    if (status == GCAST_OK)
        status = r.is_all ? run_benchmarks(&r) : run_one(&r);
    gcast_gpu_free(r.gpu);
    return status;
}

const command cmd_spawn = {
    .name = "spawn",
    .operands = "WORKLOAD",
    .min_operands = 0, /* --app */
    .max_operands = 1,
    .summary = "compare policies for kernels that launch kernels",
    .options = options,
    .examples = {"gridcast spawn --app bfs --input rmat:10",
                 "gridcast spawn --app mandel --input mandel:256 --policy spawn --timeline t.svg"},
    .run = run,
};
