#include "papers/thesis/thesis_command.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/analyze/advice.h"
#include "cli/analyze/answer.h"
#include "cli/analyze/hangs.h"
#include "cli/analyze/workload_analysis.h"
#include "cli/say.h"
#include "cli/system/map_system.h"
#include "cli/system/model_args.h"
#include "cli/workload_args.h"
#include "model/workload/workload.h"
#include "papers/thesis/thesis_method.h"
#include "papers/thesis/thesis_trace.h"
#include "papers/thesis/thesis_workload.h"

/* --period gives T of kernels that are launched once: it is the period T that the thesis needs. */

static bool takes_period(const gcast_op *op)
{
    return op->kind == GCAST_KIND_KERNEL && op->task == GCAST_ONCE;
}

/* LABEL=TIME, where the label may contain a =. */
static gcast_status set_one(const gcast_workload *w, const char *label, size_t length, int64_t ns, int64_t *periods)
{
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_op *op = &w->ops[i];
        if (strlen(op->label) != length || strncmp(op->label, label, length) != 0)
            continue;
        if (op->task != GCAST_ONCE)
            return say(GCAST_USAGE, "--period: %s is of the task %s, whose period the workload gives", op->label,
                       w->tasks[op->task].name);
        if (op->kind != GCAST_KIND_KERNEL)
            return say(GCAST_USAGE, "--period: %s is not a kernel", op->label);
        periods[i] = ns;
        return GCAST_OK;
    }
    return say(GCAST_USAGE, "--period: no kernel has the label %.*s", (int)length, label);
}

/* TIME is for all kernels that no LABEL=TIME names. */
static gcast_status set_all(const gcast_workload *w, int64_t ns, int64_t *periods)
{
    bool found = false;
    for (size_t i = 0; i < w->op_count; i++)
        if (takes_period(&w->ops[i])) {
            found = true;
            periods[i] = periods[i] ? periods[i] : ns;
        }
    return found ? GCAST_OK : say(GCAST_USAGE, "--period: the workload gives the periods of all kernels, by its tasks");
}

static gcast_status parse(const char *value, const char **equals, int64_t *ns)
{
    *equals = strrchr(value, '=');
    if (!units_parse_time(*equals ? *equals + 1 : value, ns) || *ns < 1 || *ns > WORKLOAD_MAX_NS)
        return say(GCAST_USAGE, "--period is TIME or LABEL=TIME with a time such as 10us, 1.5ms or 2s, not %s", value);
    return GCAST_OK;
}

/* Sets the periods with labels, or those without. */
static gcast_status set_periods(const args *a, const gcast_workload *w, bool with_label, int64_t *periods)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        const char *value = a->given[i].value, *equals;
        int64_t ns;
        if (!args_is(a, i, "period"))
            continue;
        status = parse(value, &equals, &ns);
        if (status == GCAST_OK && with_label && equals)
            status = set_one(w, value, (size_t)(equals - value), ns, periods);
        if (status == GCAST_OK && !with_label && !equals)
            status = set_all(w, ns, periods);
    }
    return status;
}

/* Sets *periods to an array with a period for each op, as thesis_method has it: the known ones and those of --period;
 * NULL if there are none. `known` may be NULL. Free it with free(). Errors are printed. */
static gcast_status periods_from_args(const args *a, const gcast_workload *w, const int64_t *known, int64_t **periods)
{
    *periods = NULL;
    if (!args_has(a, "period") && !known)
        return GCAST_OK;
    int64_t *at = calloc(w->op_count + 1, sizeof *at);
    if (!at)
        return say_no_memory();
    for (size_t i = 0; known && i < w->op_count; i++)
        at[i] = known[i];
    gcast_status status = set_periods(a, w, true, at);
    if (status == GCAST_OK)
        status = set_periods(a, w, false, at);
    if (status == GCAST_OK)
        *periods = at;
    else
        free(at);
    return status;
}

/* A workload is taken as it is, of an AMALTHEA model only the kernels. */

/* Reads a model: its kernels as a workload that launches each once, and their periods, to be freed. */
static gcast_status kernels_from_args(const args *a, gcast_workload **w, gcast_gpu **gpu, int64_t **periods)
{
    gcast_error err;
    gcast_system *x;
    *w = NULL;
    *gpu = NULL;
    *periods = NULL;
    gcast_status status = model_from_args(a, &x);
    if (status != GCAST_OK)
        return status;
    if (!x->gpu)
        status = say(GCAST_USAGE, "%s names no GPU: give --gpu NAME (gridcast gpus lists the names)", a->operands[0]);
    else if (amalthea_thesis(x->model, x->gpu, x->given, w, periods, &err) != GCAST_OK)
        status = say_error(&err);
    if (status == GCAST_OK) {
        *gpu = x->gpu;
        x->gpu = NULL;
    }
    gcast_system_free(x);
    return status;
}

static gcast_status check_model(const args *a)
{
    static const char *const of_others[] = {"chain", "communication", "reaction", "ignore-offsets",
                                            "all",   "contexts",      "map"};
    for (size_t i = 0; i < sizeof of_others / sizeof of_others[0]; i++)
        if (args_has(a, of_others[i]))
            return say(GCAST_USAGE, "--%s cannot be used with --method thesis, which analyzes only the GPU",
                       of_others[i]);
    return map_args_refuse(a);
}

static gcast_status check_args(const args *a)
{
    gcast_status status = workload_analysis_check_input(a);
    if (status == GCAST_OK && system_wanted(a))
        status = check_model(a);
    return status == GCAST_OK && args_has(a, "residency") ? residency_check_args(a) : status;
}

static gcast_status write_trace(const args *a, const gcast_answer *r, bool color, text *out)
{
    const gcast_thesis *t = gcast_answer_thesis(r);
    return t && args_has(a, "trace") ? thesis_trace(r->workload, t, color, out) : GCAST_OK;
}

/* `known` has periods of ops that run once; NULL: none is known. */
static gcast_status analyze(const args *a, const gcast_workload *w, const gcast_gpu *gpu, const int64_t *known)
{
    workload_analysis x = {.a = a, .w = w, .gpu = gpu, .before_table = write_trace};
    int64_t *periods = NULL;
    if (args_has(a, "period") && advice_wanted(a))
        return say(GCAST_USAGE, "--sensitivity, --order, --priorities and --what-if cannot be used with --period");
    gcast_status status = workload_analysis_check(&x);
    if (status == GCAST_OK)
        status = periods_from_args(a, w, known, &periods);
    added_method method = thesis_method(periods);
    x.added = &method;
    if (status == GCAST_OK)
        status = workload_analysis_run(&x);
    free(periods);
    return status;
}

gcast_status thesis_analyze(const args *a)
{
    gcast_workload *w = NULL;
    gcast_gpu *gpu = NULL;
    int64_t *periods = NULL;
    gcast_status status = check_args(a);
    if (status != GCAST_OK)
        return status;
    status = system_wanted(a) ? kernels_from_args(a, &w, &gpu, &periods) : workload_from_args(a, &w, &gpu);
    if (status == GCAST_OK)
        gpu_notes_say(w, gpu);
    if (status == GCAST_OK)
        status = analyze(a, w, gpu, periods);
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
    free(periods);
    return status;
}
