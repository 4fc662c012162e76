#include "model/workload/policy.h"

#include <stdio.h>
#include <string.h>

#include "gridcast/names.h"
#include "model/workload/launching.h"
#include "model/workload/workload.h"

#define PATH_SIZE sizeof((gcast_error *)NULL)->path

gcast_status policy_check_given(const gcast_workload *w, const gcast_plan *plan, gcast_error *err)
{
    gcast_error own;
    char path[PATH_SIZE];
    gcast_status status = gcast_plan_check(plan, &own);
    if (status == GCAST_OK)
        return GCAST_OK;
    size_t task = w->task_count - 1;
    if (w->task_count)
        snprintf(path, sizeof path, "/tasks/%zu/ops/%zu/plan%.100s", task, w->op_count - w->tasks[task].first_op,
                 own.path);
    else
        snprintf(path, sizeof path, "/ops/%zu/plan%.100s", w->op_count, own.path);
    return gcast_error_set(err, status, path, "%s", own.message);
}

const gcast_plan *policy_copy_plan(arena *memory, const gcast_plan *plan)
{
    gcast_plan *copy = arena_copy(memory, plan, sizeof *plan);
    if (!copy)
        return NULL;
    copy->workers = arena_copy(memory, plan->workers, plan->sms * sizeof *plan->workers);
    copy->first = arena_copy(memory, plan->first, ((size_t)plan->queues + 1) * sizeof *plan->first);
    copy->job = arena_copy(memory, plan->job, plan->jobs * sizeof *plan->job);
    return copy->workers && copy->first && copy->job ? copy : NULL;
}

/* The path of a key of an op, as far as it fits. */
static void key_path(const gcast_workload *w, size_t op, const char *key, char path[PATH_SIZE])
{
    gcast_workload_op_path(w, op, path, PATH_SIZE);
    size_t length = strlen(path);
    snprintf(path + length, PATH_SIZE - length, "%.200s", key);
}

#define fail_at(key, ...) (key_path(w, i, key, path), gcast_error_set(err, GCAST_INPUT, path, __VA_ARGS__))

/* Runs gcast_plan_check, whose paths begin at the plan. */
static gcast_status check_plan(const gcast_workload *w, size_t i, gcast_error *err)
{
    gcast_error own;
    char key[PATH_SIZE + 8], path[PATH_SIZE];
    gcast_status status = gcast_plan_check(w->ops[i].plan, &own);
    if (status == GCAST_OK)
        return GCAST_OK;
    if (status != GCAST_INPUT)
        return gcast_error_set_memory(err);
    snprintf(key, sizeof key, "/plan%s", own.path);
    return fail_at(key, "%s", own.message);
}

/* An SM that the kernel may not use gets no workers, so that jobs that only they may do would never be done. */
static gcast_status check_mask(const gcast_workload *w, size_t i, gcast_error *err)
{
    char path[PATH_SIZE];
    const gcast_op *op = &w->ops[i];
    const gcast_plan *plan = op->plan;
    if (op->mask == GCAST_ALL_SMS || plan->steal || plan->mapping == GCAST_MAPPING_PERSISTENT)
        return GCAST_OK;
    for (uint32_t sm = 0; sm < plan->sms; sm++)
        if (plan->first[sm + 1] > plan->first[sm] && !mask_has_sm(mask_at(w, op->mask), (int)sm))
            return fail_at("/allowed_sms", "SM %u, which has jobs in the plan, is missing", sm);
    return GCAST_OK;
}

/* Does the plan fit the op's policy and grid? */
static gcast_status check_planned(const gcast_workload *w, size_t i, gcast_error *err)
{
    char path[PATH_SIZE];
    const gcast_op *op = &w->ops[i];
    const gcast_plan *plan = op->plan;
    const char *policy = gcast_name(GCAST_NAMES_POLICY, op->policy);
    if (!plan)
        return fail_at("", "a kernel with the policy %s needs a plan", policy);
    if (op->fill > POLICY_MAX_FILL)
        return fail_at("/fill", "must be from 0 to %d, not %u", POLICY_MAX_FILL, op->fill);
    if ((plan->mapping == GCAST_MAPPING_PERSISTENT) != (op->policy == GCAST_POLICY_PERSISTENT))
        return fail_at("/plan/mapping", "the mapping %s does not go with the policy %s",
                       gcast_name(GCAST_NAMES_MAPPING, plan->mapping), policy);
    if (plan->jobs != op->blocks || memcmp(plan->grid, op->grid, sizeof op->grid) != 0)
        return fail_at("/plan/grid", "the plan is for a grid of %u x %u x %u, the kernel has %u x %u x %u",
                       plan->grid[0], plan->grid[1], plan->grid[2], op->grid[0], op->grid[1], op->grid[2]);
    gcast_status status = check_plan(w, i, err);
    return status == GCAST_OK ? check_mask(w, i, err) : status;
}

gcast_status policy_check(const gcast_workload *w, size_t i, gcast_error *err)
{
    char path[PATH_SIZE];
    const gcast_op *op = &w->ops[i];
    if ((unsigned)op->policy >= GCAST_POLICIES)
        return fail_at("/policy", "must be hardware, persistent or sm_centric");
    if (op->policy != GCAST_POLICY_HARDWARE)
        return op->kind == GCAST_KIND_KERNEL
                   ? check_planned(w, i, err)
                   : fail_at("/policy", "a %s has no policy", gcast_name(GCAST_NAMES_KIND, op->kind));
    if (op->plan)
        return fail_at("/plan", "a plan needs the policy persistent or sm_centric");
    if (op->fill)
        return fail_at("/fill", "fill needs the policy persistent or sm_centric");
    return GCAST_OK;
}

gcast_status policy_check_on_gpu(const gcast_workload *w, const gcast_gpu *gpu, gcast_error *err)
{
    char path[PATH_SIZE];
    for (size_t i = 0; i < w->op_count; i++) {
        const gcast_plan *plan = w->ops[i].plan;
        if (plan && plan->sms != (uint32_t)gpu->sms)
            return fail_at("/plan/sms", "the plan of %.100s is for a GPU with %u SMs, %s has %d", w->ops[i].label,
                           plan->sms, gpu->name, gpu->sms);
    }
    return GCAST_OK;
}

gcast_status policy_refuse(const gcast_workload *w, const char *refusal, gcast_error *err)
{
    char path[PATH_SIZE];
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].policy != GCAST_POLICY_HARDWARE)
            return fail_at("/policy", "%.100s has the policy %s: %s", w->ops[i].label,
                           gcast_name(GCAST_NAMES_POLICY, w->ops[i].policy), refusal);
    return launches_refuse(w, refusal, err);
}
