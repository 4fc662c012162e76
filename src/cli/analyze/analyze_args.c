#include "cli/analyze/analyze_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/say.h"
#include "model/workload/workload.h"

/* --period gives T of kernels that are launched once. */

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

/* --launch-latency and --quantile say how long calls take to reach the GPU. */

#define MAX_LATENCY_NS 86400000000000
#define MAX_QUANTILE 1000000000

/* "9us" or "9us..84us". */
static bool parse_range(const char *value, int64_t *min_ns, int64_t *max_ns)
{
    char min[64];
    const char *dots = strstr(value, "..");
    if (!dots)
        return units_parse_time(value, max_ns) && *max_ns <= MAX_LATENCY_NS;
    if ((size_t)(dots - value) >= sizeof min)
        return false;
    snprintf(min, sizeof min, "%.*s", (int)(dots - value), value);
    return units_parse_time(min, min_ns) && units_parse_time(dots + 2, max_ns) && *min_ns <= *max_ns &&
           *max_ns <= MAX_LATENCY_NS;
}

static gcast_status latency_from_args(const args *a, gcast_analyze_options *o)
{
    const char *value = args_value(a, "launch-latency");
    if (value && args_has(a, "quantile"))
        return say(GCAST_USAGE, "--quantile cannot be used with --launch-latency");
    if (value && !parse_range(value, &o->launch_min_ns, &o->launch_max_ns))
        return say(GCAST_USAGE,
                   "--launch-latency is a time of a day at most, such as 50us, or two, such as 9us..50us, "
                   "not %s",
                   value);
    if (value) {
        o->copy_min_ns = o->launch_min_ns;
        o->copy_max_ns = o->launch_max_ns;
    }
    return args_int(a, "quantile", 2, MAX_QUANTILE, &o->quantile);
}

/* --method, and the options that limit all methods. */

static const gcast_method all_methods[] = {
#define X(id, name, text) GCAST_METHOD_##id,
    GCAST_METHOD_TABLE(X)
#undef X
};

gcast_status methods_from_args(const args *a, const gcast_method **methods, size_t *count)
{
    int index = 0; /* auto */
    gcast_status status = args_choice(a, "method", method_choices, &index);
    *methods = index ? &all_methods[index - 1] : NULL;
    *count = index ? 1 : 0;
    return status;
}

gcast_status analyze_options_from_args(const args *a, gcast_analyze_options *o)
{
    int64_t limit = 0;
    const char *method = args_value(a, "method");
    *o = gcast_analyze_options_default();
    if (!method || strcmp(method, "auto") == 0)
        o->max_states = GCAST_AUTO_MAX_STATES;
    o->any_order = args_has(a, "any-order");
    gcast_status status = args_span(a, "limit", &limit);
    if (status == GCAST_OK && limit)
        o->max_ms = (limit - 1) / 1000000 + 1;
    if (status == GCAST_OK)
        status = latency_from_args(a, o);
    return status == GCAST_OK ? args_span(a, "horizon", &o->horizon_ns) : status;
}
