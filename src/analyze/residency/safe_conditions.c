#include "analyze/residency/safe_conditions.h"

#include <string.h>

#include "base/minmax.h"
#include "model/gpu/fields.h"
#include "model/workload/edit.h"
#include "simulate/rules/grid_limit.h"

/* Numbers of a GPU that the proof uses. Times, placement and copy engines are none: it holds for all. */
static const char *const counts[] = {"sms",           "connections",     "priority_levels",  "threads_per_sm",
                                     "warps_per_sm",  "blocks_per_sm",   "registers_per_sm", "smem_per_sm",
                                     "register_unit", "barriers_per_sm", "resident_grids"};
#define COUNTS (sizeof counts / sizeof *counts)
#define QUARTERS "register_quarters"
_Static_assert(COUNTS + 4 <= SAFE_CONDITIONS_MAX, "room for all conditions");

typedef struct finder {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const needs_assumed *assumed;
    safe_condition *found;
    size_t count;
    gcast_error *err;
} finder;

/* Is it proven safe with these? What is refused is not. */
static gcast_status is_proven(const finder *f, const gcast_workload *w, const gcast_gpu *gpu, bool *safe)
{
    residency r;
    gcast_status status = residency_prove(w, gpu, f->assumed, &r, f->err);
    *safe = status == GCAST_OK && !r.risk_count;
    residency_free(&r);
    return status == GCAST_INPUT ? GCAST_OK : status;
}

static void add(finder *f, safe_condition_kind kind, const char *field, int64_t value)
{
    f->found[f->count++] = (safe_condition){kind, field, value};
}

static bool is_named(const gpu_field *field, const char *name)
{
    return strcmp(field->key, name) == 0;
}

/* One connection and all levels are as bad as any number of them, as is one SM; of what an SM holds half is tried. */
static int64_t worse(const gpu_field *field, int64_t value)
{
    if (is_named(field, "priority_levels"))
        return min_i64(MAX_LEVELS, field->hi);
    if (is_named(field, "register_unit"))
        return min_i64(value * 2, field->hi);
    if (is_named(field, "connections") || is_named(field, "sms"))
        return 1;
    return max_i64(value / 2, max_i64(field->lo, 1));
}

static gcast_status try_count(finder *f, const char *name)
{
    const gpu_field *field = gpu_field_find(name);
    gcast_gpu *copy = NULL;
    bool safe = true, is_set = true;
    if (!field || !gcast_gpu_assumes(f->gpu, name) || (is_named(field, "sms") && f->w->partition_sms) ||
        (is_named(field, "connections") && f->w->connections >= 0))
        return GCAST_OK;
    gcast_status status = gcast_gpu_copy(f->gpu, &copy, f->err);
    int64_t value = gpu_field_get(f->gpu, field);
    if (status == GCAST_OK) {
        is_set = gpu_field_set(copy, field, worse(field, value));
        status = is_proven(f, f->w, copy, &safe);
    }
    if (status == GCAST_OK && (!safe || !is_set))
        add(f, SAFE_IF_GPU_FIELD, field->key, value);
    gcast_gpu_free(copy);
    return status;
}

/* Registers and warps may be held by quarters or not. */
static gcast_status try_quarters(finder *f)
{
    gcast_gpu *copy = NULL;
    bool safe = true;
    if (!gcast_gpu_assumes(f->gpu, QUARTERS))
        return GCAST_OK;
    gcast_status status = gcast_gpu_copy(f->gpu, &copy, f->err);
    if (status == GCAST_OK) {
        copy->register_quarters = !copy->register_quarters;
        status = is_proven(f, f->w, copy, &safe);
    }
    if (status == GCAST_OK && !safe)
        add(f, SAFE_IF_GPU_FIELD, QUARTERS, f->gpu->register_quarters);
    gcast_gpu_free(copy);
    return status;
}

/* Kernels without a carveout may leave it to the driver. */
static gcast_status try_carveouts(finder *f)
{
    gcast_workload *copy = NULL;
    bool safe = true;
    gcast_status status = gcast_workload_copy(f->w, &copy, f->err);
    for (size_t i = 0; status == GCAST_OK && i < copy->op_count; i++) {
        gcast_op op = copy->ops[i];
        if (op.kind != GCAST_KIND_KERNEL || op.carveout_given)
            continue;
        op.carveout = GCAST_OP_CARVEOUT_DRIVER;
        workload_put_op(copy, i, &op);
    }
    if (status == GCAST_OK)
        status = is_proven(f, copy, f->gpu, &safe);
    if (status == GCAST_OK && !safe)
        add(f, SAFE_IF_CARVEOUTS, NULL, 0);
    gcast_workload_free(copy);
    return status;
}

gcast_status safe_conditions_find(const gcast_workload *w, const gcast_gpu *gpu, const needs_assumed *assumed,
                                  safe_condition found[SAFE_CONDITIONS_MAX], size_t *count, gcast_error *err)
{
    finder f = {w, gpu, assumed, found, 0, err};
    if (assumed && assumed->in_file_order)
        add(&f, SAFE_IF_CALLED_IN_ORDER, NULL, 0);
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < COUNTS && status == GCAST_OK; i++)
        status = try_count(&f, counts[i]);
    if (status == GCAST_OK)
        status = try_quarters(&f);
    if (status == GCAST_OK)
        status = try_carveouts(&f);
    if (w->note_count)
        add(&f, SAFE_IF_NOTHING_DROPPED, NULL, 0);
    *count = f.count;
    return status;
}
