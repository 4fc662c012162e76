/* Repeats the proof with unknown numbers of the GPU and of the workload made worse. */
#include "analyze/residency/safe_conditions.h"

#include <string.h>

#include "base/integers.h"
#include "model/gpu.h"
#include "model/gpu_fields.h"
#include "model/workload/left_open.h"
#include "model/workload/workload.h"
#include "simulate/queue_rules.h"

/* Numbers of a GPU that the proof uses. It holds for all times, placements and copy engines. */
static const char *const gpu_numbers[] = {"sms",
                                          "connections",
                                          "priority_levels",
                                          "threads_per_sm",
                                          "warps_per_sm",
                                          "blocks_per_sm",
                                          "registers_per_sm",
                                          "smem_per_sm",
                                          "register_unit",
                                          "barriers_per_sm",
                                          "smem_reserved",
                                          "smem_unit",
                                          "register_parts",
                                          "resident_grids",
                                          "programmatic_depth",
                                          "register_quarters"};
#define GPU_NUMBERS (sizeof gpu_numbers / sizeof *gpu_numbers)
#define SIZES "carveouts"
#define RESERVED 1024 /* bytes of each block's shared memory that systems reserve, where they do */
enum {
    DOUBT_SIZES = GPU_NUMBERS, /* the sizes that an SM's shared memory can have */
    DOUBT_CARVEOUTS,           /* the size that kernels without a carveout get */
    DOUBT_REGISTERS,           /* the registers of kernels that do not give them */
    DOUBTS
};
_Static_assert(DOUBTS + 2 <= SAFE_CONDITIONS_MAX, "room for all conditions");

typedef struct finder {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const needs_assumed *assumed;
    safe_condition *found;
    size_t count;
    gcast_error *err;
} finder;

/* Is this workload proven safe on this GPU? What the proof refuses is not. */
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

/* A worse number. The worst case is one SM, one connection, all priority levels, and any number of overlapping
 * programmatic kernels. Of what an SM holds half is tried; of what blocks take, the double. */
static int64_t worse(const gpu_field *field, int64_t value)
{
    static const char *const upward[] = {"register_unit", "smem_unit", "register_parts"};
    if (is_named(field, "priority_levels"))
        return min_i64(MAX_LEVELS, field->hi);
    if (is_named(field, "programmatic_depth"))
        return field->hi;
    if (is_named(field, "smem_reserved"))
        return min_i64(max_i64(value * 2, RESERVED), field->hi);
    for (size_t i = 0; i < sizeof upward / sizeof *upward; i++)
        if (is_named(field, upward[i]))
            return min_i64(value * 2, field->hi);
    if (is_named(field, "connections") || is_named(field, "sms"))
        return 1;
    return max_i64(value / 2, max_i64(field->lo, 1));
}

static bool has_programmatic(const gcast_workload *w)
{
    for (size_t i = 0; i < w->op_count; i++)
        if (w->ops[i].programmatic)
            return true;
    return false;
}

/* Is the number assumed, and does it matter for the workload? */
static bool is_assumed(const finder *f, size_t i)
{
    bool is_given = (strcmp(gpu_numbers[i], "sms") == 0 && f->w->partition_sms) ||
                    (strcmp(gpu_numbers[i], "connections") == 0 && f->w->connections >= 0);
    bool is_used = strcmp(gpu_numbers[i], "programmatic_depth") != 0 || has_programmatic(f->w);
    return !is_given && is_used && gcast_gpu_assumes(f->gpu, gpu_numbers[i]);
}

static int64_t value_of(const gcast_gpu *gpu, size_t i)
{
    const gpu_field *field = gpu_field_find(gpu_numbers[i]);
    if (strcmp(gpu_numbers[i], "programmatic_depth") == 0)
        return programmatic_depth_of(gpu);
    return field ? gpu_field_get(gpu, field) : gpu->register_quarters;
}

/* Makes a number worse; registers by quarter is switched on or off. False: the field could not be set. */
static bool make_worse(gcast_gpu *gpu, size_t i)
{
    const gpu_field *field = gpu_field_find(gpu_numbers[i]);
    if (field)
        return gpu_field_set(gpu, field, worse(field, gpu_field_get(gpu, field)));
    gpu->register_quarters = !gpu->register_quarters;
    return true;
}

/* Halves each size but the last that an SM's shared memory can have. */
static void halve_sizes(gcast_gpu *gpu)
{
    for (int i = 0; i + 1 < gpu->limits.carveouts; i++)
        gpu->limits.carveout[i] /= 2;
}

/* The kernel with the driver's carveout, or with the most registers that a launch may have, where it gives none. */
static gcast_op worse_kernel(const finder *f, const gcast_op *op, const bool chosen[DOUBTS])
{
    gcast_op worse = *op;
    if (chosen[DOUBT_CARVEOUTS] && !op->carveout_given)
        worse.carveout = GCAST_OP_CARVEOUT_DRIVER;
    if (chosen[DOUBT_REGISTERS] && op_leaves_registers_open(op))
        worse.shape.registers = op_most_registers(op, f->gpu);
    return worse;
}

static void make_kernels_worse(const finder *f, gcast_workload *w, const bool chosen[DOUBTS])
{
    for (size_t i = 0; i < w->op_count && (chosen[DOUBT_CARVEOUTS] || chosen[DOUBT_REGISTERS]); i++) {
        gcast_op op = worse_kernel(f, &w->ops[i], chosen);
        if (op.kind == GCAST_KIND_KERNEL)
            workload_put_op(w, i, &op);
    }
}

/* Is it still proven safe when all chosen doubts are made worse at once? */
static gcast_status try_worse(const finder *f, const bool chosen[DOUBTS], bool *safe)
{
    gcast_gpu *gpu = NULL;
    gcast_workload *w = NULL;
    bool is_set = true, is_safe = false, any = false;
    gcast_status status = gcast_gpu_copy(f->gpu, &gpu, f->err);
    if (status == GCAST_OK)
        status = gcast_workload_copy(f->w, &w, f->err);
    for (size_t i = 0; i < DOUBTS && status == GCAST_OK; i++) {
        any = any || chosen[i];
        is_set = is_set && (i >= GPU_NUMBERS || !chosen[i] || make_worse(gpu, i));
    }
    if (status == GCAST_OK && chosen[DOUBT_SIZES])
        halve_sizes(gpu);
    if (status == GCAST_OK)
        make_kernels_worse(f, w, chosen);
    if (status == GCAST_OK && any)
        status = is_proven(f, w, gpu, &is_safe);
    *safe = !any || (is_set && is_safe);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
    return status;
}

static void add_all(finder *f, const bool chosen[DOUBTS])
{
    for (size_t i = 0; i < GPU_NUMBERS; i++)
        if (chosen[i])
            add(f, SAFE_IF_GPU_FIELD, gpu_numbers[i], value_of(f->gpu, i));
    if (chosen[DOUBT_SIZES])
        add(f, SAFE_IF_GPU_FIELD, SIZES, f->gpu->limits.carveouts);
    if (chosen[DOUBT_CARVEOUTS])
        add(f, SAFE_IF_CARVEOUTS, NULL, 0);
    if (chosen[DOUBT_REGISTERS])
        add(f, SAFE_IF_REGISTERS, NULL, workload_open_registers(f->w, f->gpu));
}

/* What is unknown about the GPU and the workload. */
static void find_doubts(const finder *f, bool doubts[DOUBTS])
{
    for (size_t i = 0; i < GPU_NUMBERS; i++)
        doubts[i] = is_assumed(f, i);
    doubts[DOUBT_SIZES] = gpu_field_source(f->gpu, SIZES) && gcast_gpu_assumes(f->gpu, SIZES);
    doubts[DOUBT_CARVEOUTS] = doubts[DOUBT_REGISTERS] = false;
    for (size_t i = 0; i < f->w->op_count; i++)
        doubts[DOUBT_CARVEOUTS] =
            doubts[DOUBT_CARVEOUTS] || (f->w->ops[i].kind == GCAST_KIND_KERNEL && !f->w->ops[i].carveout_given);
    doubts[DOUBT_REGISTERS] = workload_open_registers(f->w, f->gpu) != REGISTERS_OPEN_NOWHERE;
}

/* Tries all doubts at once; if that fails, each alone, to find those that matter, then all others at once. */
static gcast_status try_doubts(finder *f)
{
    bool doubts[DOUBTS], matters[DOUBTS] = {false}, others[DOUBTS], safe;
    find_doubts(f, doubts);
    gcast_status status = try_worse(f, doubts, &safe);
    if (status != GCAST_OK || safe)
        return status;
    for (size_t i = 0; i < DOUBTS && status == GCAST_OK; i++) {
        bool alone[DOUBTS] = {false}, holds = true;
        alone[i] = doubts[i];
        status = try_worse(f, alone, &holds);
        matters[i] = !holds;
        others[i] = doubts[i] && holds;
    }
    if (status == GCAST_OK)
        status = try_worse(f, others, &safe);
    add_all(f, safe ? matters : doubts);
    return status;
}

gcast_status safe_conditions_find(const gcast_workload *w, const gcast_gpu *gpu, const needs_assumed *assumed,
                                  safe_condition found[SAFE_CONDITIONS_MAX], size_t *count, gcast_error *err)
{
    finder f = {w, gpu, assumed, found, 0, err};
    if (assumed && assumed->in_file_order)
        add(&f, SAFE_IF_CALLED_IN_ORDER, NULL, 0);
    gcast_status status = try_doubts(&f);
    if (w->note_count)
        add(&f, SAFE_IF_NOTHING_DROPPED, NULL, 0);
    *count = f.count;
    return status;
}

void safe_condition_say(const safe_condition *c, const gcast_workload *w, const gcast_gpu *gpu, text *out)
{
    switch (c->kind) {
    case SAFE_IF_CALLED_IN_ORDER:
        text_str(out, "operations without a host are called in the order of their releases in the file");
        return;
    case SAFE_IF_GPU_FIELD:
        if (strcmp(c->field, "carveouts") == 0)
            text_printf(out, "an SM has one of the %lld carveouts, which were not measured on ", (long long)c->value);
        else
            text_printf(out, "%s is %lld, which was not measured on ", c->field, (long long)c->value);
        text_terminal(out, gpu->name);
        return;
    case SAFE_IF_CARVEOUTS:
        text_str(out, "kernels without \"carveout\" have the largest shared memory (\"most\"), not CUDA's default");
        return;
    case SAFE_IF_REGISTERS:
        if (c->value)
            text_printf(out, "kernels without \"registers\" have at most %lld per thread", (long long)c->value);
        else
            text_str(out, "the unknown registers of kernels without \"registers\" make no block wait");
        return;
    default:
        text_printf(out, "nothing that was left out of the file makes blocks wait (%zu note%s, first: ", w->note_count,
                    w->note_count > 1 ? "s" : "");
        text_terminal(out, w->notes[0]);
        text_str(out, ")");
    }
}
