#include "cli/analyze/thesis/periods.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "cli/say.h"
#include "model/workload/edit.h"

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

/* TIME: of all kernels that have none by a label. */
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

/* Those with labels first, whatever their order. */
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

gcast_status periods_from_args(const args *a, const gcast_workload *w, const int64_t *known, int64_t **periods)
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
