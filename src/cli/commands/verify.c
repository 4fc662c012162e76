/* gridcast verify: score the predictions against recorded hardware. */
#include <stdlib.h>
#include <string.h>

#include "base/text/number.h"
#include "cli/output/output.h"
#include "cli/verify/ops.h"
#include "cli/verify/print.h"

static bool show(void *data, double fraction)
{
    verdict *v = data;
    return progress_show(&v->shown, v->done + v->step * fraction);
}

static gcast_score *family_score(verdict *v, const char *name)
{
    for (size_t i = 0; i < v->families.count; i++)
        if (strcmp(v->families.at[i].name, name) == 0)
            return &v->families.at[i].score;
    family f = {.name = arena_strdup(&v->memory, name)};
    return f.name && vec_push(&v->families, f) ? &v->families.at[v->families.count - 1].score : NULL;
}

static gcast_status score_one(const gcast_scenario *s, const gcast_gpu *gpu, verdict *v)
{
    gcast_error err;
    gcast_score one;
    gcast_agreement worst;
    gcast_score_options options = {.trials = (int)v->races, .progress = show, .progress_data = v};
    if (gcast_scenario_score(s, gpu, &options, &one, &worst, &err) != GCAST_OK) {
        snprintf(err.file, sizeof err.file, "%s: %s", s->workload->source, s->workload->name);
        return say_error(&err);
    }
    gcast_score *sum = family_score(v, s->family);
    offender o = {.scenario = arena_strdup(&v->memory, s->workload->name),
                  .op = arena_strdup(&v->memory, s->workload->ops[worst.worst_op].label),
                  .worst = worst};
    if (!sum || !o.scenario || !o.op || (!worst.agree && !vec_push(&v->offenders, o)))
        return say(GCAST_RESOURCE, "not enough memory");
    gcast_score_add(sum, &one);
    gcast_score_add(&v->all, &one);
    return GCAST_OK;
}

/* Largest error for its tolerance first; by name where they are alike. */
static int by_error(const void *a, const void *b)
{
    const offender *x = a, *y = b;
    unsigned __int128 left = (unsigned __int128)x->worst.error_ns * (uint64_t)y->worst.tolerance_ns;
    unsigned __int128 right = (unsigned __int128)y->worst.error_ns * (uint64_t)x->worst.tolerance_ns;
    int names = strcmp(x->scenario, y->scenario);
    return left > right ? -1 : left < right ? 1 : names ? names : strcmp(x->op, y->op);
}

/* Its first run beside what was predicted for it. */
static gcast_status compare(const gcast_scenario *s, const gcast_gpu *gpu, verdict *v)
{
    gcast_error err;
    gcast_run *prediction;
    if (gcast_scenario_predict(s, 0, gpu, false, &prediction, &err) != GCAST_OK)
        return say_error(&err);
    put_ops(&v->ops, prediction, s->runs[0], !v->quiet);
    gcast_run_free(prediction);
    return GCAST_OK;
}

/* Is the scenario one that was asked for? */
static bool wanted(const args *a, const gcast_scenario *s)
{
    const char *name = args_value(a, "family"), *scenario = args_value(a, "scenario");
    return (!name || strcmp(name, s->family) == 0) && (!scenario || strcmp(scenario, s->workload->name) == 0);
}

/* A run of the scenario and its prediction in one picture. */
static gcast_status draw(const args *a, const gcast_scenario *s, const gcast_gpu *gpu, const verdict *v)
{
    gcast_error err;
    gcast_run *prediction;
    output out;
    if (v->all.scenarios > 1)
        return say(GCAST_INPUT, "-o draws one scenario, and several have the name %s", s->workload->name);
    if (gcast_scenario_predict(s, 0, gpu, true, &prediction, &err) != GCAST_OK)
        return say_error(&err);
    gcast_report_options options = gcast_report_options_default();
    gcast_status status = output_open(&out, args_value(a, "output"), args_has(a, "force"));
    if (status == GCAST_OK) {
        status = gcast_run_report_pair(prediction, s->runs[0], v->format, &options, output_write, &out, &err);
        status = output_finish(&out, status, &err);
    }
    gcast_run_free(prediction);
    return status;
}

/* Files count alike, and of a file its bytes. */
static void file_is_at(verdict *v, size_t file, size_t files, double done)
{
    double now = ((double)file + done) / (double)files;
    v->done += v->step;
    v->step = now > v->done ? now - v->done : 0;
    show(v, 0);
}

static gcast_status score_file(const args *a, size_t file, const gcast_gpu *gpu, verdict *v)
{
    const char *path = a->operands[file];
    gcast_error err;
    gcast_corpus *corpus;
    gcast_scenario *s;
    if (gcast_corpus_open(path, &corpus, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = GCAST_OK;
    for (size_t count = 0; status == GCAST_OK; count++) {
        if (gcast_corpus_next(corpus, &s, &err) != GCAST_OK)
            status = say_error(&err);
        else if (!s && !count)
            status = say(GCAST_INPUT, "%s: holds no scenario", path);
        if (status != GCAST_OK || !s)
            break;
        file_is_at(v, file, a->operand_count, gcast_corpus_done(corpus));
        if (wanted(a, s)) {
            status = score_one(s, gpu, v);
            if (status == GCAST_OK && args_has(a, "scenario"))
                status = compare(s, gpu, v);
            if (status == GCAST_OK && args_has(a, "output"))
                status = draw(a, s, gpu, v);
        }
        gcast_scenario_free(s);
    }
    gcast_corpus_close(corpus);
    return status;
}

static gcast_status say_none(const args *a)
{
    const char *name = args_value(a, "scenario"), *of = args_value(a, "family");
    return say(GCAST_INPUT, "there is no scenario%s%s%s%s to score", name ? " of the name " : "", name ? name : "",
               of ? " of the family " : "", of ? of : "");
}

/* Is the ratio what it must be? */
static gcast_status hold_against(const verdict *v)
{
    double ratio = gcast_score_ratio(&v->all);
    if (v->require < 0)
        return GCAST_OK;
    if (ratio < 0)
        return say(GCAST_INPUT, "--require: no two runs of a scenario agree, so that there is no ratio");
    return ratio < v->require ? say(GCAST_NO, "the ratio is %.6f, below %g", ratio, v->require) : GCAST_OK;
}

static gcast_status answer(const args *a, verdict *v, const char *ops)
{
    if (!v->all.scenarios)
        return say_none(a);
    if (v->offenders.count)
        qsort(v->offenders.at, v->offenders.count, sizeof *v->offenders.at, by_error);
    output out;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "json"))
        verify_json(&out.words, v);
    else
        verify_table(&out.words, v);
    if (!args_has(a, "json"))
        text_str(&out.words, ops);
    if (!args_has(a, "json") && !v->quiet)
        verify_legend_print(&out.words);
    status = output_finish(&out, GCAST_OK, NULL);
    return status == GCAST_OK ? hold_against(v) : status;
}

/* What the options say, before anything is read. */
static gcast_status verdict_from_args(const args *a, verdict *v)
{
    const char *ratio = args_value(a, "require"), *path = args_value(a, "output");
    *v = (verdict){.races = 8, .worst = 5, .require = -1, .quiet = args_has(a, "quiet")};
    if (ratio) {
        char *end;
        v->require = number_parse(ratio, &end);
        if (end == ratio || *end || !(v->require >= 0 && v->require <= 10))
            return say(GCAST_USAGE, "--require is a ratio such as 0.97, not %s", ratio);
    }
    if (path && !args_has(a, "scenario"))
        return say(GCAST_USAGE, "-o draws one scenario: --scenario NAME says which");
    if (path && (!gcast_format_from_name(path, &v->format) ||
                 (v->format != GCAST_FORMAT_SVG && v->format != GCAST_FORMAT_PNG && v->format != GCAST_FORMAT_PDF)))
        return say(GCAST_USAGE, "-o %s: its ending is none of .svg .png .pdf", path);
    if (path && !gcast_format_available(v->format))
        return say(GCAST_RESOURCE, "%s: this build cannot write %s", path, gcast_format_ending(v->format));
    gcast_status status = args_int(a, "races", 0, 1000000, &v->races);
    if (status == GCAST_OK)
        status = args_int(a, "worst", 0, 100000, &v->worst);
    if (status == GCAST_OK)
        status = output_one(a);
    return status == GCAST_OK ? outputs_check(a, "the scores") : status;
}

static gcast_status run(const args *a)
{
    gcast_error err;
    gcast_gpu *gpu = NULL;
    verdict v;
    const char *name = args_value(a, "gpu");
    gcast_status status = verdict_from_args(a, &v);
    if (status != GCAST_OK)
        return status;
    if (name && gcast_gpu_load(name, &gpu, &err) != GCAST_OK)
        return say_error(&err);
    text_open(&v.ops, NULL, NULL);
    progress_start(&v.shown, "scoring");
    for (size_t i = 0; i < a->operand_count && status == GCAST_OK; i++)
        status = score_file(a, i, gpu, &v);
    progress_end(&v.shown);
    size_t size;
    char *ops = text_take(&v.ops, &size);
    if (status == GCAST_OK && !ops)
        status = say(GCAST_RESOURCE, "not enough memory");
    if (status == GCAST_OK)
        status = answer(a, &v, ops);
    free(ops);
    vec_free(&v.families);
    vec_free(&v.offenders);
    arena_free(&v.memory);
    gcast_gpu_free(gpu);
    return status;
}

static const option_spec options[] = {
    {"gpu", 0, "GPU", "predict for this GPU, not the one the workloads name"},
    {"family", 0, "FAMILY", "score this family only"},
    {"scenario", 0, "SCENARIO", "score this scenario only, and show its operations"},
    {"races", 0, "N", "look for races in N simulations more (default 8)"},
    {"worst", 0, "N", "name the N scenarios that are farthest off (default 5)"},
    {"require", 0, "RATIO", "exit status 1 where score over limit is below RATIO"},
    {"json", 0, NULL, "print gridcast.verify/1"},
    {"quiet", 'q', NULL, "without what the words in the tables mean"},
    {"output", 'o', "FILE", "draw the scenario, predicted over measured: .svg .png .pdf"},
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
