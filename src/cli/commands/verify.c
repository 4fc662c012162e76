/* gridcast verify: score the predictions against recorded hardware. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/commands/verify_bound.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "files/examiner/log_scenario.h"
#include "gridcast/explain.h"
#include "gridcast/names.h"
#include "gridcast/read.h"
#include "gridcast/run.h"
#include "model/scenario.h"
#include "report/format_names.h"
#include "verify/compare.h"
#include "verify/corpora.h"
#include "verify/score.h"

/* --logs: the operands are logs of the CUDA scheduling examiner. */

/* Makes a scenario of logs and, if it is among the files, their configuration. Its notes and errors are printed. */
static gcast_status verify_read_logs(const char *const *paths, size_t count, const gcast_gpu *gpu,
                                     gcast_scenario **scenario)
{
    gcast_error err;
    gcast_log_file *files = calloc(count + 1, sizeof *files);
    gcast_status status = GCAST_OK;
    *scenario = NULL;
    if (!files)
        return say_no_memory();
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        char *content;
        files[i].name = strcmp(paths[i], "-") == 0 ? "standard input" : paths[i];
        status = gcast_file_read(paths[i], &content, &files[i].size, &err);
        files[i].text = status == GCAST_OK ? content : NULL;
    }
    if (status == GCAST_OK)
        status = gcast_scenario_read_logs(files, count, gpu, scenario, &err);
    for (size_t i = 0; i < count; i++)
        free((char *)files[i].text);
    free(files);
    if (status != GCAST_OK)
        return say_error(&err);
    for (size_t i = 0; i < (*scenario)->workload->note_count; i++)
        say_note((*scenario)->workload->notes[i]);
    return GCAST_OK;
}

/* --scenario shows a table of one scenario, operation by operation. */

/* Milliseconds, to the microsecond. */
static void put_ms(text *t, int64_t ns)
{
    char number[40];
    int64_t us = (ns < 0 ? -ns : ns) / 1000;
    snprintf(number, sizeof number, "%s%lld.%03lld", ns < 0 && us ? "-" : "", (long long)(us / 1000),
             (long long)(us % 1000));
    text_printf(t, " %11s", number);
}

/* The width of the longest label, at least that of the heading. */
static size_t label_width(const gcast_run *run)
{
    size_t width = 4;
    for (size_t i = 0; i < run->op_count; i++)
        width = max_size(width, text_width(run->workload->ops[run->ops[i].op].label));
    return width;
}

/* Starts and ends as predicted and as measured, both counted from the first start. False without memory. */
static bool verify_op_table(text *t, const gcast_run *predicted, const gcast_run *measured, bool legend)
{
    verify_op_times_list list = {0};
    bool ok = verify_list_op_times(predicted, measured, &list);
    size_t width = label_width(predicted);
    text_printf(t, "\n%*s%24s%24s\n%-*s%12s%12s%12s%12s%12s\n", (int)width, "", "predicted (ms)", "measured (ms)",
                (int)width, "op", "start", "end", "start", "end", "off");
    for (size_t i = 0; i < list.count; i++) {
        const verify_op_times *times = &list.at[i];
        const char *label = predicted->workload->ops[times->op].label;
        text_terminal(t, label);
        for (size_t n = text_width(label); n < width; n++)
            text_char(t, ' ');
        put_ms(t, times->predicted_start_ns);
        put_ms(t, times->predicted_end_ns);
        put_ms(t, times->measured_start_ns);
        put_ms(t, times->measured_end_ns);
        put_ms(t, times->error_ns);
        text_char(t, '\n');
    }
    if (legend)
        text_str(t, "times count from the first start, of the prediction and of the run; off is the difference of the "
                    "ends\n");
    vec_free(&list);
    return ok;
}

/* Scores are shown as a table. */

static void put_fraction(text *t, double v, int width)
{
    if (v < 0)
        text_printf(t, "%*s", width, "-");
    else
        text_printf(t, "%*.3f", width, v);
}

static void put_row(text *t, const char *name, const gcast_score *s)
{
    text_terminal(t, name);
    for (size_t n = text_width(name); n < 14; n++)
        text_char(t, ' ');
    text_printf(t, "%11zu", s->scenarios);
    put_fraction(t, gcast_score_value(s), 8);
    put_fraction(t, gcast_score_limit(s), 8);
    put_fraction(t, gcast_score_ratio(s), 8);
    put_fraction(t, gcast_score_open(s), 8);
    put_fraction(t, gcast_score_settled(s), 9);
    text_char(t, '\n');
}

static const legend_entry verify_legend[] = {
    {"score", "share of predictions with every end within 1 % of the makespan or 20 us"},
    {"limit", "the best possible score: runs of a scenario compared with each other"},
    {"ratio", "score over limit"},
    {"open", "share of predictions with a race: times closer than the GPU's scatter decide an order"},
    {"settled", "the score without open predictions"},
    {NULL, NULL},
};

static void verify_legend_print(text *t)
{
    text_char(t, '\n');
    for (const legend_entry *l = verify_legend; l->word; l++)
        text_printf(t, "%-8s %s\n", l->word, l->text);
}

/* Lists families, and at most max_misses of the misses, which are sorted. */
static void verify_table(text *t, const verify_scores *s, size_t max_misses)
{
    text_printf(t, "%-14s%11s%8s%8s%8s%8s%9s\n", "family", "scenarios", "score", "limit", "ratio", "open", "settled");
    for (size_t i = 0; i < s->families.count; i++)
        put_row(t, s->families.at[i].name, &s->families.at[i].score);
    put_row(t, "all", &s->all);
    if (s->misses.count && max_misses)
        text_str(t, "\nfarthest off:\n");
    for (size_t i = 0; i < s->misses.count && i < max_misses; i++) {
        const verify_miss *miss = &s->misses.at[i];
        char error[40], tolerance[40];
        units_format_time(miss->worst.error_ns, error, sizeof error);
        units_format_time(miss->worst.tolerance_ns, tolerance, sizeof tolerance);
        text_str(t, "  ");
        text_terminal(t, miss->scenario);
        text_str(t, ", ");
        text_terminal(t, miss->op);
        if (miss->worst.error_ns == INT64_MAX)
            text_str(t, ": predicted to hang or not to be called\n");
        else
            text_printf(t, ": %s off, %s allowed\n", error, tolerance);
    }
}

/* The command: its options, and what it found. */

typedef struct verification {
    const args *a;       /* the command line */
    gcast_gpu *gpu;      /* of --gpu; NULL: the GPU of the workloads */
    int64_t races;       /* --races */
    int64_t max_misses;  /* --worst */
    double require;      /* --require; below 0: not given */
    bool quiet;          /* --quiet */
    gcast_format format; /* of the picture */
    verify_scores scores;
    text ops;            /* tables of the scenarios that --scenario names */
    gcast_status status; /* of `ops` and of the picture */
} verification;

/* The first run of a scenario beside its prediction. */
static gcast_status add_op_table(verification *v, const gcast_scenario *s)
{
    gcast_error err;
    gcast_run *prediction;
    if (gcast_scenario_predict(s, 0, v->gpu, false, &prediction, &err) != GCAST_OK)
        return say_error(&err);
    bool ok = verify_op_table(&v->ops, prediction, s->runs[0], !v->quiet);
    gcast_run_free(prediction);
    return ok ? GCAST_OK : say(GCAST_RESOURCE, "not enough memory");
}

/* A run of the scenario and its prediction in one picture. */
static gcast_status draw(const verification *v, const gcast_scenario *s)
{
    gcast_error err;
    gcast_run *prediction;
    output out;
    if (v->scores.all.scenarios > 1)
        return say(GCAST_INPUT, "-o draws one scenario, but several have the name %s", s->workload->name);
    if (gcast_scenario_predict(s, 0, v->gpu, true, &prediction, &err) != GCAST_OK)
        return say_error(&err);
    gcast_report_options options = gcast_report_options_default();
    options.explain = gcast_run_explain;
    gcast_status status = output_open(&out, args_value(v->a, "output"), args_has(v->a, "force"));
    if (status == GCAST_OK) {
        status = gcast_run_report_pair(prediction, s->runs[0], v->format, &options, output_write, &out, &err);
        status = output_finish(&out, status, &err);
    }
    gcast_run_free(prediction);
    return status;
}

/* Shows a scenario that --scenario names; false: that failed. */
static bool show_scenario(void *data, const gcast_scenario *s)
{
    verification *v = data;
    if (args_has(v->a, "scenario") || args_has(v->a, "logs"))
        v->status = add_op_table(v, s);
    if (v->status == GCAST_OK && args_has(v->a, "output"))
        v->status = draw(v, s);
    return v->status == GCAST_OK;
}

static gcast_status score_corpora(verification *v)
{
    progress shown;
    gcast_error err;
    const verify_corpora corpora = {.paths = v->a->operands,
                                    .count = v->a->operand_count,
                                    .family = args_value(v->a, "family"),
                                    .scenario = args_value(v->a, "scenario"),
                                    .gpu = v->gpu,
                                    .trials = (int)v->races,
                                    .progress = progress_show,
                                    .progress_data = &shown,
                                    .scored = show_scenario,
                                    .scored_data = v};
    progress_start(&shown, "scoring");
    gcast_status status = verify_corpora_score(&corpora, &v->scores, &err);
    progress_end(&shown);
    return status == GCAST_OK ? v->status : say_error(&err);
}

static gcast_status score_logs(verification *v)
{
    progress shown;
    gcast_error err;
    gcast_scenario *scenario;
    gcast_status status = verify_read_logs(v->a->operands, v->a->operand_count, v->gpu, &scenario);
    if (status != GCAST_OK)
        return status;
    gcast_score_options options = gcast_score_options_default();
    options.trials = (int)v->races;
    options.progress = progress_show;
    options.progress_data = &shown;
    progress_start(&shown, "scoring");
    status = verify_scores_add(&v->scores, scenario, NULL, &options, &err);
    progress_end(&shown);
    if (status != GCAST_OK)
        say_error(&err);
    else if (!show_scenario(v, scenario))
        status = v->status;
    gcast_scenario_free(scenario);
    return status;
}

static gcast_status say_no_scenario(const args *a)
{
    const char *name = args_value(a, "scenario"), *family = args_value(a, "family");
    return say(GCAST_INPUT, "there is no scenario%s%s%s%s to score", name ? " of the name " : "", name ? name : "",
               family ? " of the family " : "", family ? family : "");
}

/* Is the ratio as large as --require says? */
static gcast_status check_ratio(const verification *v)
{
    double ratio = gcast_score_ratio(&v->scores.all);
    if (v->require < 0)
        return GCAST_OK;
    if (ratio < 0)
        return say(GCAST_INPUT, "--require: no two runs of a scenario agree, so there is no ratio");
    return ratio < v->require ? say(GCAST_NO, "the ratio is %.6f, below %g", ratio, v->require) : GCAST_OK;
}

static gcast_status print_scores(verification *v, const char *ops)
{
    if (!v->scores.all.scenarios)
        return say_no_scenario(v->a);
    verify_scores_sort(&v->scores);
    bool json = args_has(v->a, "json");
    output out;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    if (json)
        verify_json(&out.words, &v->scores);
    else
        verify_table(&out.words, &v->scores, (size_t)v->max_misses);
    if (!json)
        text_str(&out.words, ops);
    if (!json && !v->quiet)
        verify_legend_print(&out.words);
    status = output_finish(&out, GCAST_OK, NULL);
    return status == GCAST_OK ? check_ratio(v) : status;
}

/* Reads and checks the options, before anything else is read. */
static gcast_status read_options(const args *a, verification *v)
{
    const char *ratio = args_value(a, "require"), *path = args_value(a, "output");
    *v = (verification){.a = a, .races = 8, .max_misses = 5, .require = -1, .quiet = args_has(a, "quiet")};
    if (ratio) {
        char *end;
        v->require = number_parse(ratio, &end);
        if (end == ratio || *end || !(v->require >= 0 && v->require <= 10))
            return say(GCAST_USAGE, "--require is a ratio such as 0.97, not %s", ratio);
    }
    if (args_has(a, "quantile") && !args_has(a, "bound"))
        return say(GCAST_USAGE, "--quantile needs --bound");
    if (args_has(a, "logs") && (args_has(a, "scenario") || args_has(a, "family")))
        return say(GCAST_USAGE,
                   "--logs: the logs are one scenario without a family: --scenario and --family cannot be used");
    if (args_has(a, "logs") && !args_has(a, "gpu"))
        return say(GCAST_USAGE, "--logs: logs name no GPU: give --gpu NAME (gridcast gpus lists the names)");
    if (path && !args_has(a, "scenario") && !args_has(a, "logs"))
        return say(GCAST_USAGE, "-o draws one scenario: --scenario NAME says which");
    if (path && (!gcast_format_from_name(path, &v->format) ||
                 (v->format != GCAST_FORMAT_SVG && v->format != GCAST_FORMAT_PNG && v->format != GCAST_FORMAT_PDF &&
                  v->format != GCAST_FORMAT_HTML)))
        return say(GCAST_USAGE, "-o %s: the ending must be one of .svg .png .pdf .html", path);
    if (path && !gcast_format_available(v->format))
        return say(GCAST_RESOURCE, "%s: this build cannot write %s", path, gcast_name(GCAST_NAMES_FORMAT, v->format));
    gcast_status status = args_int(a, "races", 0, 1000000, &v->races);
    if (status == GCAST_OK)
        status = args_int(a, "worst", 0, 100000, &v->max_misses);
    if (status == GCAST_OK)
        status = output_check_single(a);
    return status == GCAST_OK ? outputs_check(a, "the scores") : status;
}

static gcast_status run(const args *a)
{
    gcast_error err;
    verification v;
    const char *name = args_value(a, "gpu");
    gcast_status status = read_options(a, &v);
    if (status != GCAST_OK)
        return status;
    if (name && gcast_gpu_load(name, &v.gpu, &err) != GCAST_OK)
        return say_error(&err);
    if (args_has(a, "bound")) {
        status = late_command(a, v.gpu);
        gcast_gpu_free(v.gpu);
        return status;
    }
    text_open(&v.ops, NULL, NULL);
    status = args_has(a, "logs") ? score_logs(&v) : score_corpora(&v);
    size_t size;
    char *ops = text_take(&v.ops, &size);
    if (status == GCAST_OK && !ops)
        status = say(GCAST_RESOURCE, "not enough memory");
    if (status == GCAST_OK)
        status = print_scores(&v, ops);
    free(ops);
    verify_scores_free(&v.scores);
    gcast_gpu_free(v.gpu);
    return status;
}

static const option_spec options[] = {
    {"gpu", 0, "GPU", "predict for this GPU, not for the GPU of the workloads"},
    {"logs", 0, NULL, "the files are logs of the CUDA scheduling examiner, and their configuration"},
    {"bound", 0, NULL, "count operations that ended after their bound"},
    {"quantile", 0, "N", "with --bound: 1 call in N may be later (default 1000)"},
    {"family", 0, "FAMILY", "score this family only"},
    {"scenario", 0, "SCENARIO", "score this scenario only, and show its operations"},
    {"races", 0, "N", "look for races in N more simulations (default 8)"},
    {"worst", 0, "N", "list the N worst predictions (default 5)"},
    {"require", 0, "RATIO", "exit status 1 if score / limit is below RATIO"},
    {"json", 0, NULL, "print gridcast.verify/1"},
    {"quiet", 'q', NULL, "do not explain the words in the tables"},
    {"output", 'o', "FILE", "draw the scenario, predicted over measured: .svg .png .pdf .html"},
    {"force", 'f', NULL, "overwrite FILE"},
    {NULL, 0, NULL, NULL},
};

const command cmd_verify = {
    .name = "verify",
    .operands = "CORPUS...",
    .min_operands = 1,
    .max_operands = -1,
    .summary = "score predictions against recorded hardware",
    .options = options,
    .legend = verify_legend,
    .examples = {"gridcast verify tests/data/h200/thesis.jsonl.gz",
                 "gridcast verify tests/data/h200/thesis.jsonl.gz --scenario thesis-ex -o thesis.svg"},
    .run = run,
};
