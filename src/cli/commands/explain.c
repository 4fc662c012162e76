/* gridcast explain: why an operation ended when it did, or why two operations do not overlap. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/advice/remedy.h"
#include "base/integers.h"
#include "cli/args.h"
#include "cli/commands/explain_json.h"
#include "cli/commands/explain_print.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/simulated.h"
#include "cli/suggest.h"
#include "cli/workload_args.h"
#include "report/run/hung_run.h"

#define REMEDIES_MAX_BLOCKS 1000000 /* remedies for runs with more blocks are searched only with --suggest */

static gcast_status say_about(const gcast_run *run, const char *name, gcast_error *err)
{
    if (name && err->code == GCAST_INPUT)
        snprintf(err->file, sizeof err->file, "%s: %s", run->workload->source, name);
    else
        snprintf(err->file, sizeof err->file, "%s", run->workload->source);
    return say_error(err);
}

/* For a name NAME#... with a task or an operation of a task: the number of its last job. -1: NAME is neither. */
static int64_t last_job(const gcast_run *run, const char *name)
{
    const char *hash = strrchr(name, '#');
    int64_t last = -1;
    for (size_t i = 0; hash && i < run->op_count; i++) {
        const gcast_op *op = &run->workload->ops[run->ops[i].op];
        size_t length = (size_t)(hash - name);
        const char *task = op->task == GCAST_ONCE ? "" : run->workload->tasks[op->task].name;
        bool is_named =
            op->task != GCAST_ONCE && ((strlen(op->label) == length && strncmp(op->label, name, length) == 0) ||
                                       (strlen(task) == length && strncmp(task, name, length) == 0));
        if (is_named && run->ops[i].job > last)
            last = run->ops[i].job;
    }
    return last;
}

/* For a name LABEL#... with a child: how many children were called, of any label. 0: LABEL is no child. */
static uint64_t child_calls(const gcast_run *run, const char *name)
{
    const char *hash = strrchr(name, '#');
    uint64_t calls = 0;
    bool is_named = false;
    for (size_t i = run->op_count; hash && i < run->op_count + run->child_count; i++) {
        const char *label = run->workload->ops[run->ops[i].op].label;
        size_t length = (size_t)(hash - name);
        if (run->children[i - run->op_count].is_rest)
            continue;
        calls++;
        is_named = is_named || (strlen(label) == length && strncmp(label, name, length) == 0);
    }
    return is_named ? calls : 0;
}

/* No task and no operation has this name: suggests another. */
static gcast_status say_unknown(const gcast_run *run, const char *name, gcast_error *err)
{
    const gcast_workload *w = run->workload;
    int64_t last = last_job(run, name);
    if (last >= 0 && err->code == GCAST_USAGE)
        return say(err->code, "%s: there is no %s: the jobs are numbered from #0 to #%lld", w->source, name,
                   (long long)last);
    uint64_t calls = child_calls(run, name);
    if (calls && err->code == GCAST_USAGE)
        return say(err->code, "%s: there is no %s: the children are numbered from #0 to #%" PRIu64, w->source, name,
                   calls - 1);
    suggestion suggested = suggest_for(name);
    for (size_t i = 0; i < w->op_count + w->child_count; i++)
        suggest_consider(&suggested, w->ops[i].label);
    for (size_t i = 0; i < w->task_count; i++)
        suggest_consider(&suggested, w->tasks[i].name);
    if (suggested.nearest && err->code == GCAST_USAGE)
        return say(err->code, "%s: %s; did you mean %s?", w->source, err->message, suggested.nearest);
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
    status = x.subject.task < 0 ? gcast_run_explain(run, x.subject.run_op, &x.explanation, &err)
                                : gcast_run_explain_job(run, (size_t)x.subject.task, run->ops[x.subject.run_op].job,
                                                        &x.explanation, &err);
    if (status == GCAST_OK)
        status = gcast_run_sum_waits(run, x.explanation, &x.totals, &err);
    if (status != GCAST_OK) {
        gcast_explanation_free(x.explanation);
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
    gcast_explanation_free(x.explanation);
    return status;
}

/* The job of the second operation that is compared with the first: if its name has no #JOB, the one that is released
 * nearest to the first. */
static size_t nearest_job(const gcast_run *run, size_t first, size_t second, const char *name)
{
    const gcast_op *op = &run->workload->ops[run->ops[second].op];
    int64_t min_distance_ns = INT64_MAX;
    size_t nearest = second;
    if (op->task == GCAST_ONCE || strcmp(op->label, name) != 0)
        return second;
    for (size_t i = 0; i < run->op_count; i++) {
        int64_t distance_ns = run->ops[i].release_ns - run->ops[first].release_ns;
        distance_ns = distance_ns < 0 ? -distance_ns : distance_ns;
        if (run->ops[i].op == run->ops[second].op && distance_ns < min_distance_ns) {
            min_distance_ns = distance_ns;
            nearest = i;
        }
    }
    return nearest;
}

static gcast_status find_both(const gcast_run *run, const char *const *names, size_t *both)
{
    for (int i = 0; i < 2; i++) {
        gcast_error err;
        gcast_subject s;
        if (gcast_run_find_subject(run, names[i], false, &s, &err) != GCAST_OK)
            return say_unknown(run, names[i], &err);
        if (s.task >= 0)
            return say(GCAST_USAGE, "%s is a task: name one of its operations instead", names[i]);
        both[i] = s.run_op;
    }
    both[1] = nearest_job(run, both[0], both[1], names[1]);
    return GCAST_OK;
}

static uint64_t count_blocks(const gcast_run *run)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < run->op_count; i++)
        if (!checked_add(blocks, run->ops[i].block_count, &blocks))
            return UINT64_MAX;
    return blocks;
}

static void note_no_remedies(const gcast_run *run)
{
    char note[200];
    uint64_t blocks = count_blocks(run);
    snprintf(note, sizeof note, "no suggestions: %llu.%02llu million blocks, limit 1 million; --suggest tries anyway",
             (unsigned long long)(blocks / 1000000), (unsigned long long)(blocks / 10000 % 100));
    say_note(note);
}

static gcast_status find_remedies(const simulated *s, bool asked, paired *x)
{
    gcast_error err;
    progress shown;
    gcast_simulate_options options = s->options;
    if (pair_overlaps_fully(x->pair))
        return GCAST_OK;
    if (!asked && count_blocks(s->run) > REMEDIES_MAX_BLOCKS) {
        note_no_remedies(s->run);
        return GCAST_OK;
    }
    progress_start(&shown, "trying changes");
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
    status = find_remedies(s, args_has(a, "suggest"), &x);
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

/* Says why a run hangs. */
static gcast_status explain_hang(const args *a, const gcast_run *run)
{
    output out;
    gcast_status status = output_open(&out, "-", false);
    if (status != GCAST_OK)
        return status;
    if (args_has(a, "json")) {
        json_out *j = &(json_out){.out = &out.words, .indent = 1};
        json_begin(j, NULL, '{');
        json_put_text(j, "schema", "gridcast.hang/1");
        json_put_record(j, "hang", hang_json(j, run));
        json_end(j, '}');
        text_char(j->out, '\n');
    } else {
        hang_lines(run, &out.words);
    }
    status = output_finish(&out, GCAST_OK, NULL);
    return status == GCAST_OK ? GCAST_NO : status;
}

static gcast_status run_command(const args *a)
{
    simulated s;
    simulate_request request;
    bool worst = args_has(a, "worst");
    if (a->operand_count < 2 && !worst)
        return say(GCAST_USAGE, "explain needs the label of one or two operations, or --worst");
    if (args_has(a, "suggest") && a->operand_count < 3)
        return say(GCAST_USAGE, "--suggest needs two operations");
    if (a->operand_count > 2 && worst)
        return say(GCAST_USAGE, "--worst takes at most one LABEL");
    gcast_status status = simulate_request_read(a, &request);
    request.blocks = BLOCKS_ALL;
    if (status == GCAST_OK)
        status = simulated_make(&request, &s);
    if (status != GCAST_OK)
        return status;
    if (s.run->hang)
        status = explain_hang(a, s.run);
    else if (a->operand_count > 2)
        status = explain_two(a, &s);
    else
        status = explain_one(a, s.run, a->operand_count > 1 ? a->operands[1] : NULL);
    simulated_free(&s);
    return status;
}

static const option_spec options[] = {
    {"worst", 0, NULL, "explain the worst job of LABEL; without LABEL, of all jobs"},
    {"all", 0, NULL, "list every wait, not only sums of waits"},
    {"suggest", 0, NULL, "with two: suggest changes even for more than a million blocks"},
    {"json", 0, NULL, "print gridcast.explanation/1; with two, gridcast.pair/1"},
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
