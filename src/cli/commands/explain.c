/* gridcast explain: why an operation ended when it did, or why two of them do not run at one time. */
#include <string.h>

#include "cli/explain/pair_print.h"
#include "cli/explain/phrases.h"
#include "cli/explain/print.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/run/options.h"
#include "cli/run/workload_args.h"
#include "cli/suggest.h"

#define MOST_BLOCKS 1000000 /* that are simulated again for remedies */

static gcast_status say_about(const gcast_run *run, const char *name, gcast_error *err)
{
    if (name && err->code == GCAST_INPUT)
        snprintf(err->file, sizeof err->file, "%s: %s", run->workload->source, name);
    else
        snprintf(err->file, sizeof err->file, "%s", run->workload->source);
    return say_error(err);
}

/* Of NAME#..., where NAME is an operation of a task or a task: its last job; -1: it is not. */
static int64_t last_job(const gcast_run *run, const char *name)
{
    const char *hash = strrchr(name, '#');
    int64_t last = -1;
    for (size_t i = 0; hash && i < run->op_count; i++) {
        const gcast_op *op = &run->workload->ops[run->ops[i].op];
        size_t length = (size_t)(hash - name);
        const char *task = op->task == GCAST_ONCE ? "" : run->workload->tasks[op->task].name;
        bool is = op->task != GCAST_ONCE && ((strlen(op->label) == length && strncmp(op->label, name, length) == 0) ||
                                             (strlen(task) == length && strncmp(task, name, length) == 0));
        if (is && run->ops[i].job > last)
            last = run->ops[i].job;
    }
    return last;
}

/* A name that nothing has: which was meant? */
static gcast_status say_unknown(const gcast_run *run, const char *name, gcast_error *err)
{
    const gcast_workload *w = run->workload;
    int64_t last = last_job(run, name);
    if (last >= 0 && err->code == GCAST_USAGE)
        return say(err->code, "%s: there is no %s: the jobs go from #0 to #%lld", w->source, name, (long long)last);
    suggestion near = suggest_for(name);
    for (size_t i = 0; i < w->op_count; i++)
        suggest_see(&near, w->ops[i].label);
    for (size_t i = 0; i < w->task_count; i++)
        suggest_see(&near, w->tasks[i].name);
    if (near.nearest && err->code == GCAST_USAGE)
        return say(err->code, "%s: %s; did you mean %s?", w->source, err->message, near.nearest);
    return say_about(run, name, err);
}

static gcast_status explain_one(const args *a, const gcast_run *run, const char *name)
{
    gcast_error err;
    output out;
    explained x = {.run = run, .worst = args_has(a, "worst")};
    gcast_status status = gcast_run_find_subject(run, name, x.worst, &x.subject, &err);
    if (status != GCAST_OK)
        return name ? say_unknown(run, name, &err) : say_about(run, name, &err);
    status = x.subject.task < 0
                 ? gcast_run_explain(run, x.subject.run_op, &x.e, &err)
                 : gcast_run_explain_job(run, (size_t)x.subject.task, run->ops[x.subject.run_op].job, &x.e, &err);
    if (status == GCAST_OK)
        status = gcast_run_sum_waits(run, x.e, &x.totals, &err);
    if (status != GCAST_OK) {
        gcast_explanation_free(x.e);
        return say_about(run, name, &err);
    }
    status = output_open(&out, "-", false);
    if (status == GCAST_OK) {
        if (args_has(a, "json"))
            explain_json(&out.words, &x);
        else
            explain_print(&out.words, &x, args_has(a, "all"));
        status = output_finish(&out, GCAST_OK, NULL);
    }
    gcast_totals_free(x.totals);
    gcast_explanation_free(x.e);
    return status;
}

/* Of the second without a #JOB of its own, the job that is released nearest to the first. */
static size_t nearest(const gcast_run *run, size_t first, size_t second, const char *name)
{
    const gcast_op *op = &run->workload->ops[run->ops[second].op];
    int64_t least = INT64_MAX;
    size_t found = second;
    if (op->task == GCAST_ONCE || strcmp(op->label, name) != 0)
        return second;
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t apart = run->ops[i].release_ns - run->ops[first].release_ns;
        apart = apart < 0 ? -apart : apart;
        if (run->ops[i].op == run->ops[second].op && apart < least) {
            least = apart;
            found = i;
        }
    }
    return found;
}

static gcast_status find_both(const gcast_run *run, const char *const *names, size_t *both)
{
    for (int i = 0; i < 2; i++) {
        gcast_error err;
        gcast_subject s;
        if (gcast_run_find_subject(run, names[i], false, &s, &err) != GCAST_OK)
            return say_unknown(run, names[i], &err);
        if (s.task >= 0)
            return say(GCAST_USAGE, "%s is a task; name one of its operations", names[i]);
        both[i] = s.run_op;
    }
    both[1] = nearest(run, both[0], both[1], names[1]);
    return GCAST_OK;
}

static bool few_blocks(const gcast_run *run)
{
    uint64_t n = 0;
    for (size_t i = 0; i < run->op_count && n <= MOST_BLOCKS; i++)
        n += run->ops[i].block_count <= MOST_BLOCKS ? run->ops[i].block_count : MOST_BLOCKS + 1;
    return n <= MOST_BLOCKS;
}

static gcast_status find_remedies(const simulated *s, paired *x)
{
    gcast_error err;
    progress shown;
    gcast_simulate_options options = s->options;
    if (pair_is_whole(x->pair))
        return GCAST_OK;
    if (!few_blocks(s->run)) {
        say_note("what would help was not looked for in this many blocks");
        return GCAST_OK;
    }
    progress_start(&shown, "trying what would help");
    options.progress = progress_show;
    options.progress_data = &shown;
    gcast_status status = gcast_run_find_remedies(s->run, s->gpu, &options, x->pair, &x->remedies, &err);
    progress_end(&shown);
    return status == GCAST_OK ? GCAST_OK : say_error(&err);
}

static gcast_status explain_two(const args *a, const simulated *s)
{
    gcast_error err;
    output out;
    size_t both[2] = {0};
    paired x = {.run = s->run};
    gcast_status status = find_both(s->run, a->operands + 1, both);
    if (status != GCAST_OK)
        return status;
    if (gcast_run_explain_pair(s->run, both[0], both[1], &x.pair, &err) != GCAST_OK)
        return say_about(s->run, NULL, &err);
    status = find_remedies(s, &x);
    if (status == GCAST_OK)
        status = output_open(&out, "-", false);
    if (status == GCAST_OK) {
        if (args_has(a, "json"))
            pair_json(&out.words, &x);
        else
            pair_print(&out.words, &x, args_has(a, "all"));
        status = output_finish(&out, GCAST_OK, NULL);
    }
    gcast_remedies_free(x.remedies);
    gcast_pair_free(x.pair);
    return status;
}

static gcast_status run_command(const args *a)
{
    simulated s;
    bool worst = args_has(a, "worst");
    if (a->operand_count < 2 && !worst)
        return say(GCAST_USAGE, "explain: which operation? name one, or two, or give --worst");
    if (a->operand_count > 2 && worst)
        return say(GCAST_USAGE, "--worst picks one of several: give one LABEL");
    gcast_status status = run_from_args(a, BLOCKS_ALL, false, &s);
    if (status != GCAST_OK)
        return status;
    if (a->operand_count > 2)
        status = explain_two(a, &s);
    else
        status = explain_one(a, s.run, a->operand_count > 1 ? a->operands[1] : NULL);
    simulated_free(&s);
    return status;
}

static const option_spec options[] = {
    {"worst", 0, NULL, "the worst job of LABEL, or without LABEL of all there are"},
    {"all", 0, NULL, "with every wait, not only what they come to"},
    {"json", 0, NULL, "print gridcast.explanation/1, or of two gridcast.pair/1"},
    WORKLOAD_OPTIONS,
    SIMULATE_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const command cmd_explain = {
    .name = "explain",
    .operands = "WORKLOAD [LABEL[#JOB] [LABEL[#JOB]]]",
    .min_operands = 1,
    .max_operands = 3,
    .summary = "why an operation ended when it did, or why two do not overlap",
    .options = options,
    .examples = {"gridcast explain examples/thesis.json K3", "gridcast explain examples/09-carveout.json scale tile"},
    .run = run_command,
};
