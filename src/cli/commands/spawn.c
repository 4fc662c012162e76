/* gridcast spawn: who should launch? Policies for kernels that launch kernels, side by side. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/spawn/spawn_compare.h"
#include "cli/args.h"
#include "cli/components.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/workload_args.h"
#include "gridcast/names.h"
#include "model/gpu_fields.h"
#include "report/format_names.h"

#define SPAWN_MAX_CHOICES 10 /* as many as a table has columns for */

typedef struct spawn_request {
    const args *a;                                 /* the command line */
    gcast_gpu *gpu;                                /* the GPU of all simulations */
    gcast_compare_options options;                 /* of each comparison */
    gcast_spawn_choice choices[SPAWN_MAX_CHOICES]; /* the policies of `options` */
    bool is_all;                                   /* --app all */
} spawn_request;

/* --log writes the decisions of SPAWN as gridcast.decisions/1, as cuda/gridcast_spawn_log.h does on a GPU. */

/* A time or another number, if it is known. */
static void put_field(text *t, bool is_known, double value)
{
    if (is_known)
        text_printf(t, "%.3f", value);
    text_char(t, ',');
}

static void decision_log_head(output *out)
{
    text_str(&out->words, "time_ns,items,blocks,n,t_cta_ns,n_con,t_warp_ns,blocks_per_us,t_overhead_ns,t_child_ns,"
                          "t_parent_ns,choice,why\n");
}

/* The `log` of gcast_spawn_options; `out` is an output. */
static void decision_log_row(void *out, const gcast_spawn_decision *d)
{
    text *t = &((output *)out)->words;
    text_printf(t, "%lld,%u,%u,%llu,", (long long)d->time_ns, d->items, d->blocks, (unsigned long long)d->n);
    put_field(t, true, (double)d->t_cta_ns);
    put_field(t, true, d->n_con);
    put_field(t, true, (double)d->t_warp_ns);
    put_field(t, d->t_cta_ns > 0, d->t_cta_ns > 0 ? 1000 * d->n_con / (double)d->t_cta_ns : 0);
    put_field(t, true, (double)d->overhead_ns);
    put_field(t, d->child_ns >= 0, d->child_ns);
    put_field(t, d->parent_ns >= 0, d->parent_ns);
    text_printf(t, "%s,%s\n", d->launches ? "launch" : "loop", gcast_name(GCAST_NAMES_SPAWN_WHY, d->why));
}

/* The options are checked before anything is read or simulated. */

#define MAX_QUEUE_LIMIT (INT64_C(1) << 32)

static gcast_status add_choice(spawn_request *r, gcast_spawn_contender contender, uint32_t threshold)
{
    for (size_t i = 0; i < r->options.choice_count; i++)
        if (r->choices[i].contender == contender && r->choices[i].threshold == threshold)
            return GCAST_OK;
    if (r->options.choice_count == SPAWN_MAX_CHOICES)
        return say(GCAST_USAGE, "at most %d policies are compared", SPAWN_MAX_CHOICES);
    r->choices[r->options.choice_count++] = (gcast_spawn_choice){contender, threshold};
    return GCAST_OK;
}

static gcast_status add_thresholds(spawn_request *r)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < r->a->given_count && status == GCAST_OK; i++) {
        const char *value = r->a->given[i].value, *at = value;
        uint64_t threshold;
        if (!args_is(r->a, i, "threshold"))
            continue;
        if (!read_digits(&at, &threshold) || *at || threshold < 1 || threshold > UINT32_MAX)
            return say(GCAST_USAGE, "--threshold is a whole number from 1 to %u, not %s", UINT32_MAX, value);
        status = add_choice(r, GCAST_CONTENDER_THRESHOLD, (uint32_t)threshold);
    }
    return status;
}

/* `list` has words of --policy, with commas between them. */
static gcast_status add_policies(spawn_request *r, const char *list)
{
    gcast_status status = GCAST_OK;
    for (const char *at = list; status == GCAST_OK; at += *at == ',') {
        size_t length = strcspn(at, ",");
        char word[24];
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
        int found = choice_find(policies_choices, word);
        if (found < 0) {
            char words[120];
            choices_join(policies_choices, words, sizeof words);
            return say(GCAST_USAGE, "--policy has words with commas between them, each %s, not %s", words, list);
        }
        int contender = 0; /* its index in gcast_spawn_contender, which also has that of --threshold */
        while (strcmp(gcast_spawn_contender_name((gcast_spawn_contender)contender), word) != 0)
            contender++;
        status = add_choice(r, (gcast_spawn_contender)contender, 0);
        at += length;
        if (!*at)
            break;
    }
    return status;
}

/* Without --policy all are compared; --threshold adds to them. */
static gcast_status read_choices(spawn_request *r)
{
    const char *list = args_value(r->a, "policy");
    bool is_usual = !list && !args_has(r->a, "timeline");
    gcast_status status = list ? add_policies(r, list) : is_usual ? add_policies(r, "flat,always") : GCAST_OK;
    if (status == GCAST_OK)
        status = add_thresholds(r);
    if (status == GCAST_OK && is_usual)
        status = add_policies(r, "offline,spawn,predict");
    r->options.choices = r->choices;
    return status;
}

static gcast_status read_controller(const args *a, gcast_spawn_options *o)
{
    int idle = o->idle, average = o->average, counters = o->counters, start = o->start;
    int64_t limit = (int64_t)o->queue_limit;
    gcast_status status = args_span(a, "window", &o->window_ns);
    if (status == GCAST_OK)
        status = args_choice(a, "idle", idle_choices, &idle);
    if (status == GCAST_OK)
        status = args_choice(a, "average", average_choices, &average);
    if (status == GCAST_OK)
        status = args_choice(a, "counters", counters_choices, &counters);
    if (status == GCAST_OK)
        status = args_choice(a, "start", start_choices, &start);
    if (status == GCAST_OK)
        status = args_int(a, "queue-limit", 1, MAX_QUEUE_LIMIT, &limit);
    o->idle = (gcast_spawn_idle)idle;
    o->average = (gcast_spawn_average)average;
    o->counters = (gcast_spawn_counter)counters;
    o->start = (gcast_spawn_start)start;
    o->queue_limit = (uint64_t)limit;
    o->fractions = args_has(a, "fractions");
    return status;
}

/* Do the options fit each other? */
static gcast_status check_together(const spawn_request *r)
{
    static const char *const of_app[] = {"input", "costs", "stream", "turnaround", "min-items", "save"};
    static const char *const not_of_all[] = {"input", "save", "timeline", "log"};
    bool has_spawn = false;
    const char *app = args_value(r->a, "app");
    if (!app == !r->a->operand_count)
        return say(GCAST_USAGE, "give a WORKLOAD, or an application with --app");
    for (size_t i = 0; i < sizeof of_app / sizeof *of_app; i++)
        if (!app && args_has(r->a, of_app[i]))
            return say(GCAST_USAGE, "--%s needs --app", of_app[i]);
    for (size_t i = 0; i < sizeof not_of_all / sizeof *not_of_all; i++)
        if (r->is_all && args_has(r->a, not_of_all[i]))
            return say(GCAST_USAGE, "--%s needs one application, not all", not_of_all[i]);
    for (size_t i = 0; i < r->options.choice_count; i++)
        has_spawn = has_spawn || r->choices[i].contender == GCAST_CONTENDER_SPAWN;
    if (args_has(r->a, "log") && (!has_spawn || args_has(r->a, "save")))
        return say(GCAST_USAGE, "--log needs the policy spawn");
    if (args_has(r->a, "timeline") && r->options.choice_count != 1)
        return say(GCAST_USAGE, "--timeline needs one policy: give --policy or --threshold");
    return GCAST_OK;
}

/* --timeline, --save and --log, of which one may take standard output, and -o. */
static gcast_status check_outputs(const args *a)
{
    static const char *const others[] = {"timeline", "save", "log"};
    static const char *const options[] = {"--timeline", "--save", "--log"};
    const char *stdout_user = args_has(a, "json") ? "--json" : NULL;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others && status == GCAST_OK; i++) {
        const char *path = args_value(a, others[i]);
        if (!path)
            continue;
        if (i == 0)
            status = output_check_format(path, FORMATS_PICTURE, "needs a name that ends in .svg .png .pdf");
        if (status == GCAST_OK && output_is_standard(path) && stdout_user)
            status = say(GCAST_USAGE, "--%s %s: standard output is already used by %s", others[i], path, stdout_user);
        if (output_is_standard(path))
            stdout_user = options[i];
        if (status == GCAST_OK)
            status = output_check(path, args_has(a, "force"));
    }
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++)
        if (args_is(a, i, "output"))
            status = output_check_format(a->given[i].value, FORMATS_PICTURE | FORMAT_BIT(TABLE) | FORMAT_BIT(JSON),
                                         "needs a name that ends in .svg .png .pdf .json or .txt");
    return status == GCAST_OK ? outputs_check(a, stdout_user) : status;
}

/* Fills in all of *r but the GPU. Errors are printed. */
static gcast_status spawn_args_read(const args *a, spawn_request *r)
{
    const char *app = args_value(a, "app");
    *r = (spawn_request){.a = a, .options = gcast_compare_options_default()};
    r->is_all = app && strcmp(app, "all") == 0;
    r->options.exhaustive = args_has(a, "exhaustive");
    gcast_status status = read_choices(r);
    if (status == GCAST_OK)
        status = read_controller(a, &r->options.spawn);
    if (status == GCAST_OK)
        status = component_apps.check(a);
    if (status == GCAST_OK)
        status = check_together(r);
    return status == GCAST_OK ? check_outputs(a) : status;
}

/* The workload is a file, or made of an application. */

#define PAPER_GPU "gk110-sim"

/* The GPU of --app: that of --gpu, else the one that the paper simulates. */
static gcast_status spawn_gpu_open(spawn_request *r)
{
    const char *name = args_value(r->a, "gpu");
    gcast_error err;
    int64_t sms = 0;
    gcast_status status = args_int(r->a, "sms", 1, GCAST_MAX_SMS, &sms);
    if (status != GCAST_OK)
        return status;
    if (gcast_gpu_load(name ? name : PAPER_GPU, &r->gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (sms > r->gpu->sms)
        return say(GCAST_USAGE, "--sms %lld: %s has %d SMs", (long long)sms, r->gpu->name, r->gpu->sms);
    return !sms || gcast_gpu_partition(r->gpu, (int)sms, &err) == GCAST_OK ? GCAST_OK : say_error(&err);
}

/* Opens the only workload: the operand, with its GPU, or the application of --app. */
static gcast_status spawn_workload_open(spawn_request *r, gcast_workload **w)
{
    const char *app = args_value(r->a, "app");
    *w = NULL;
    if (!app)
        return workload_from_args(r->a, w, &r->gpu);
    gcast_status status = spawn_gpu_open(r);
    return status == GCAST_OK ? component_apps.open(r->a, app, w) : status;
}

/* --save: the workload as gridcast.workload/1, with its GPU. */
static gcast_status spawn_workload_save(const spawn_request *r, gcast_workload *w)
{
    gcast_gpu *gpu;
    gcast_error err;
    if (gcast_gpu_copy(r->gpu, &gpu, &err) != GCAST_OK)
        return say_error(&err);
    gcast_workload_set_gpu(w, gpu);
    return output_workload(args_value(r->a, "save"), args_has(r->a, "force"), w);
}

static const option_spec options[] = {
    {"app", 0, "BENCHMARK", "BFS, BFS-graph500, ... or all, for WORKLOAD"},
    {"input", 0, "TEXT", "input of the application, such as rmat:16:16:1"},
    {"gpu", 0, "GPU", "a preset or a GPU file (with --app: gk110-sim)"},
    {"sms", 0, "N", "the first N SMs only"},
    {"policy", 0, "POLICIES", "only these, such as flat,spawn (default: all)"},
    {"threshold", 0, "N", "also try to launch from N items on; may repeat"},
    {"exhaustive", 0, NULL, "offline: try every threshold"},
    {"window", 0, "TIME", "spawn: window of averages (default: the GPU's)"},
    {"idle", 0, "IDLE", "spawn: before children: peak, last, one, launch"},
    {"average", 0, "AVERAGE", "spawn: average of times: all, moving, window"},
    {"counters", 0, "COUNTERS", "spawn: wide, or of 16 bits: saturate, wrap"},
    {"start", 0, "START", "spawn: when its start phase ends: known, first"},
    {"fractions", 0, NULL, "spawn: keep fractions of running child blocks"},
    {"queue-limit", 0, "N", "spawn: child blocks at a time (default: 65536)"},
    {"costs", 0, "FILE", "costs of its steps (gridcast.app-costs/1)"},
    {"stream", 0, "STREAM", "of children: one per child, or per parent block"},
    {"turnaround", 0, "TIME", "the host launches a round TIME after the last"},
    {"min-items", 0, "N", "threads with fewer than N items never launch"},
    {"save", 0, "FILE", "only write the application as a workload"},
    {"timeline", 0, "FILE", "draw blocks over time: .svg .png .pdf"},
    {"log", 0, "FILE", "write spawn's decisions: gridcast.decisions/1"},
    {"json", 0, NULL, "print gridcast.spawn/1"},
    {"output", 'o', "FILE", "draw speedups: .svg .png .pdf; also .json .txt"},
    {"force", 'f', NULL, "overwrite files"},
    {"quiet", 'q', NULL, "print nothing but errors"},
    {NULL, 0, NULL, NULL},
};

/* One comparison of several that share a progress line. */
typedef struct part {
    progress *shown; /* the line */
    size_t number;   /* index of the comparison */
    size_t count;    /* how many there are */
} part;

static bool show_part(void *data, double fraction)
{
    const part *p = data;
    return progress_show(p->shown, ((double)p->number + fraction) / (double)p->count);
}

/* Notes that figures of child launches are those of another GPU. */
static void note_assumed(const gcast_gpu *gpu)
{
    char note[200];
    progress_hide();
    if (gpu_launches_note(gpu, note, sizeof note))
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
            if (args_has(r->a, "app"))
                component_apps.note(r->a, r->gpu);
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

/* Compares; SPAWN's decisions are written to --log meanwhile. */
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

/* Writes every -o, and the table or JSON. */
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

/* Compares benchmark number `number` of `count`. */
static gcast_status run_benchmark(spawn_request *r, progress *shown, size_t number, size_t count,
                                  gcast_spawn_comparison **found)
{
    const char *name = component_apps.paper_benchmark(number);
    part p = {.shown = shown, .number = number, .count = count};
    gcast_workload *w;
    gcast_status status = component_apps.open(r->a, name, &w);
    if (status == GCAST_OK)
        status = compare(r, w, name, &p, found);
    gcast_workload_free(w);
    return status;
}

/* The benchmarks of the paper, one after the other. */
static gcast_status run_benchmarks(spawn_request *r)
{
    size_t count = 0;
    progress shown;
    while (component_apps.paper_benchmark(count))
        count++;
    gcast_spawn_comparison **found = calloc(count + 1, sizeof *found);
    gcast_status status = found ? spawn_gpu_open(r) : say_no_memory();
    if (status != GCAST_OK) {
        free(found);
        return status;
    }
    progress_start(&shown, "simulating");
    for (size_t i = 0; i < count && status == GCAST_OK; i++)
        status = run_benchmark(r, &shown, i, count, &found[i]);
    progress_end(&shown);
    if (status == GCAST_OK)
        status = write_all(r, (const gcast_spawn_comparison *const *)found, count);
    for (size_t i = 0; i < count; i++)
        gcast_spawn_comparison_free(found[i]);
    free(found);
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
