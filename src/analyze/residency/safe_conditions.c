#include "analyze/residency/safe_conditions.h"

#include <string.h>

#include "base/minmax.h"
#include "model/gpu/fields.h"
#include "model/workload/edit.h"
#include "simulate/rules/grid_limit.h"

/* Numbers of a GPU that the proof uses. Times, placement and copy engines are none: it holds for all. */
static const char *const counts[] = {
    "sms",           "connections",      "priority_levels", "threads_per_sm", "warps_per_sm",
    "blocks_per_sm", "registers_per_sm", "smem_per_sm",     "register_unit",  "barriers_per_sm",
    "smem_reserved", "smem_unit",        "register_parts",  "resident_grids", "register_quarters"};
#define COUNTS (sizeof counts / sizeof *counts)
#define SIZES "carveouts"
#define RESERVED 1024 /* bytes that systems take of each block, where they take any */
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

/* One connection and all levels are as bad as any number of them, as is one SM; of what an SM holds half is tried, of
 * what blocks take of it twice as much. */
static int64_t worse(const gpu_field *field, int64_t value)
{
    static const char *const upward[] = {"register_unit", "smem_unit", "register_parts"};
    if (is_named(field, "priority_levels"))
        return min_i64(MAX_LEVELS, field->hi);
    if (is_named(field, "smem_reserved"))
        return min_i64(max_i64(value * 2, RESERVED), field->hi);
    for (size_t i = 0; i < sizeof upward / sizeof *upward; i++)
        if (is_named(field, upward[i]))
            return min_i64(value * 2, field->hi);
    if (is_named(field, "connections") || is_named(field, "sms"))
        return 1;
    return max_i64(value / 2, max_i64(field->lo, 1));
}

/* Is it assumed, and does the GPU's number count for the workload? */
static bool is_assumed(const finder *f, size_t i)
{
    bool is_given = (strcmp(counts[i], "sms") == 0 && f->w->partition_sms) ||
                    (strcmp(counts[i], "connections") == 0 && f->w->connections >= 0);
    return !is_given && gcast_gpu_assumes(f->gpu, counts[i]);
}

static int64_t value_of(const gcast_gpu *gpu, size_t i)
{
    const gpu_field *field = gpu_field_find(counts[i]);
    return field ? gpu_field_get(gpu, field) : gpu->register_quarters;
}

/* Makes a number worse; registers and warps may be held by quarters or not. False: nothing is worse. */
static bool make_worse(gcast_gpu *gpu, size_t i)
{
    const gpu_field *field = gpu_field_find(counts[i]);
    if (field)
        return gpu_field_set(gpu, field, worse(field, gpu_field_get(gpu, field)));
    gpu->register_quarters = !gpu->register_quarters;
    return true;
}

/* Is it proven safe with those of these that are assumed worse, at once? */
static gcast_status try_worse(const finder *f, const bool chosen[COUNTS], bool *safe)
{
    gcast_gpu *copy = NULL;
    bool is_set = true, is_safe = false, any = false;
    gcast_status status = gcast_gpu_copy(f->gpu, &copy, f->err);
    for (size_t i = 0; i < COUNTS && status == GCAST_OK; i++) {
        any = any || chosen[i];
        is_set = is_set && (!chosen[i] || make_worse(copy, i));
    }
    if (status == GCAST_OK && any)
        status = is_proven(f, f->w, copy, &is_safe);
    *safe = !any || (is_set && is_safe);
    gcast_gpu_free(copy);
    return status;
}

static void add_all(finder *f, const bool chosen[COUNTS])
{
    for (size_t i = 0; i < COUNTS; i++)
        if (chosen[i])
            add(f, SAFE_IF_GPU_FIELD, counts[i], value_of(f->gpu, i));
}

/* All that is assumed at once; then each alone, to find those that matter, and all others at once. */
static gcast_status try_counts(finder *f)
{
    bool assumed[COUNTS], matters[COUNTS] = {false}, others[COUNTS], safe;
    for (size_t i = 0; i < COUNTS; i++)
        others[i] = assumed[i] = is_assumed(f, i);
    gcast_status status = try_worse(f, assumed, &safe);
    if (status != GCAST_OK || safe)
        return status;
    for (size_t i = 0; i < COUNTS && status == GCAST_OK; i++) {
        bool alone[COUNTS] = {false}, holds = true;
        alone[i] = assumed[i];
        status = try_worse(f, alone, &holds);
        matters[i] = !holds;
        others[i] = assumed[i] && holds;
    }
    if (status == GCAST_OK)
        status = try_worse(f, others, &safe);
    add_all(f, safe ? matters : assumed);
    return status;
}

/* The sizes that the shared memory of an SM may have; half of them where they are assumed. */
static gcast_status try_sizes(finder *f)
{
    gcast_gpu *copy = NULL;
    bool safe = true;
    if (!gpu_field_source(f->gpu, SIZES) || !gcast_gpu_assumes(f->gpu, SIZES))
        return GCAST_OK;
    gcast_status status = gcast_gpu_copy(f->gpu, &copy, f->err);
    if (status == GCAST_OK) {
        for (int i = 0; i + 1 < copy->limits.carveouts; i++)
            copy->limits.carveout[i] /= 2;
        status = is_proven(f, f->w, copy, &safe);
    }
    if (status == GCAST_OK && !safe)
        add(f, SAFE_IF_GPU_FIELD, SIZES, f->gpu->limits.carveouts);
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
    gcast_status status = try_counts(&f);
    if (status == GCAST_OK)
        status = try_sizes(&f);
    if (status == GCAST_OK)
        status = try_carveouts(&f);
    if (w->note_count)
        add(&f, SAFE_IF_NOTHING_DROPPED, NULL, 0);
    *count = f.count;
    return status;
}
