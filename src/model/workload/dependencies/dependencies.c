#include "model/workload/dependencies/dependencies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/workload/dependencies/circles.h"

#define PATH_SIZE sizeof((gcast_error *)NULL)->path

bool dependencies_exist(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].after_count)
            return true;
    return false;
}

bool dependencies_name(const gcast_op *op, size_t named)
{
    for (size_t k = 0; k < op->after_count; k++)
        if (op->after[k] == named)
            return true;
    return false;
}

static void after_path(const gcast_workload *w, size_t op, size_t k, char path[PATH_SIZE])
{
    gcast_workload_op_path(w, op, path, PATH_SIZE);
    size_t length = strlen(path);
    snprintf(path + length, PATH_SIZE - length, "/after/%zu", k);
}

#define fail_at(...) (after_path(w, i, k, path), gcast_error_set(err, GCAST_INPUT, path, __VA_ARGS__))

/* Is number k of what op i is after an op that it can be after? `named_by`: by op, 1 more than the op that named it
 * last. */
static gcast_status check_named(const gcast_workload *w, size_t i, size_t k, size_t *named_by, gcast_error *err)
{
    char path[PATH_SIZE];
    const gcast_op *op = &w->ops[i];
    size_t n = op->after[k];
    if (!gcast_kind_on_gpu(op->kind))
        return fail_at("a %s does not run on the GPU, and is after nothing", gcast_kind_name(op->kind));
    if (n >= w->op_count)
        return fail_at("there is no op %zu", n);
    const gcast_op *named = &w->ops[n];
    if (n == i)
        return fail_at("%.100s cannot be after itself", op->label);
    if (named->task != op->task)
        return fail_at("%.100s %s: an op is after ops of its own job only", named->label,
                       named->task == GCAST_ONCE ? "runs once"
                       : op->task == GCAST_ONCE  ? "is of a task"
                                                 : "is of another task");
    if (!gcast_kind_on_gpu(named->kind))
        return fail_at("%.100s is a %s and does not run on the GPU", named->label, gcast_kind_name(named->kind));
    if (named_by[n] == i + 1)
        return fail_at("%.100s is there twice", named->label);
    named_by[n] = i + 1;
    return GCAST_OK;
}

static gcast_status check_all_named(const gcast_workload *w, gcast_error *err)
{
    size_t *named_by = calloc(w->op_count + 1, sizeof *named_by);
    gcast_status status = named_by ? GCAST_OK : gcast_error_set_memory(err);
    for (size_t i = 0; i < w->op_count; i++)
        for (size_t k = 0; k < w->ops[i].after_count && status == GCAST_OK; k++)
            status = check_named(w, i, k, named_by, err);
    free(named_by);
    return status;
}

/* An event that is recorded after a stream was told to wait for it would not be waited for. */
static gcast_status check_call_order(const gcast_workload *w, size_t i, size_t k, gcast_error *err)
{
    char path[PATH_SIZE];
    const gcast_op *op = &w->ops[i], *named = &w->ops[op->after[k]];
    if (circles_called_later(op, i, named, op->after[k]))
        return fail_at("%.100s is called after %.100s, which therefore would not wait for it: it must be listed before "
                       "it, and released no later",
                       named->label, op->label);
    return GCAST_OK;
}

gcast_status dependencies_check(const gcast_workload *w, gcast_error *err)
{
    if (!dependencies_exist(w))
        return GCAST_OK;
    gcast_status status = check_all_named(w, err);
    if (status == GCAST_OK)
        status = circles_check(w, err);
    for (size_t i = 0; i < w->op_count; i++)
        for (size_t k = 0; k < w->ops[i].after_count && status == GCAST_OK; k++)
            status = check_call_order(w, i, k, err);
    return status;
}

gcast_status dependencies_refuse(const gcast_workload *w, const char *refusal, gcast_error *err)
{
    char path[PATH_SIZE];
    const size_t k = 0;
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].after_count)
            return fail_at("%.100s is after %.100s: %s", w->ops[i].label, w->ops[w->ops[i].after[0]].label, refusal);
    return GCAST_OK;
}
