#include "amalthea/lower/steps/kernel_shape.h"

#include <string.h>
#include <strings.h>

#include "amalthea/lower/lowering.h"
#include "amalthea/lower/task_units.h"
#include "amalthea/model.h"
#include "base/integers.h"
#include "base/units.h"

#define FILL_THREADS 256   /* of a block of a kernel that fills the GPU */
#define THESIS_THREADS 512 /* of a block in the thesis that GridSize is from */

/* The runnable or task whose properties are read. */
typedef struct shape_source {
    lowering *l;
    const char *name;
    const am_property *properties;
    size_t count;
    am_place at;
} shape_source;

static const am_property *find(const shape_source *s, const char *key)
{
    return property_find(s->properties, s->count, key);
}

static gcast_status bad_property(const shape_source *s, const am_property *p, const char *must)
{
    return lower_error(s->l, p->at, "%s: its custom property %s is \"%s\", and must be %s.", s->name, p->key, p->value,
                       must);
}

static gcast_status read_dim3(const shape_source *s, const char *key, uint32_t out[3])
{
    const am_property *p = find(s, key);
    if (!p || property_dim3(p, out))
        return GCAST_OK;
    return bad_property(s, p, "one to three numbers from 1 to 2147483647");
}

/* `GridSize` comes from the generator of the thesis: ticks are those of a block. */
static gcast_status from_thesis(const shape_source *s, kernel_shape *shape)
{
    shape->known = true;
    shape->ticks = SYS_TICKS_OF_BLOCK;
    shape->no_registers = true;
    shape->guessed_block = !find(s, "BlockSize");
    shape->block[0] = THESIS_THREADS;
    gcast_status status = read_dim3(s, "GridSize", shape->grid);
    return status == GCAST_OK ? read_dim3(s, "BlockSize", shape->block) : status;
}

static gcast_status from_gridcast(const shape_source *s, kernel_shape *shape)
{
    const am_property *registers = find(s, "gridcast.registers"), *shared = find(s, "gridcast.shared");
    const am_property *ticks = find(s, "gridcast.ticks"), *block = find(s, "gridcast.block");
    int64_t n = 0;
    shape->known = true;
    if (!block)
        return lower_error(s->l, s->at,
                           "%s has the custom property gridcast.grid, but no gridcast.block: how many threads a block "
                           "has is missing.",
                           s->name);
    gcast_status status = read_dim3(s, "gridcast.grid", shape->grid);
    if (status == GCAST_OK)
        status = read_dim3(s, "gridcast.block", shape->block);
    if (status != GCAST_OK)
        return status;
    if (registers && (!property_number(registers, &n) || n > 255))
        return bad_property(s, registers, "a number from 0 to 255");
    shape->registers = (int)n;
    shape->no_registers = !registers;
    if (shared && !property_size(shared, &shape->shared_bytes))
        return bad_property(s, shared, "a size such as 8KiB");
    if (ticks && strcasecmp(ticks->value, "kernel") != 0 && strcasecmp(ticks->value, "block") != 0)
        return bad_property(s, ticks, "kernel or block");
    shape->ticks = ticks && strcasecmp(ticks->value, "block") == 0 ? SYS_TICKS_OF_BLOCK : SYS_TICKS_OF_KERNEL;
    return GCAST_OK;
}

static void from_given(const sys_given_kernel *g, kernel_shape *shape)
{
    memcpy(shape->grid, g->grid, sizeof shape->grid);
    memcpy(shape->block, g->block, sizeof shape->block);
    shape->registers = g->registers < 0 ? 0 : g->registers;
    shape->no_registers = g->registers < 0;
    shape->shared_bytes = g->shared_bytes;
    shape->ticks = g->ticks;
    shape->known = true;
}

static gcast_status product(const shape_source *s, const uint32_t dims[3], int64_t most, int64_t *out)
{
    *out = 1;
    for (int i = 0; i < 3; i++)
        if (!dims[i] || !checked_mul(*out, (int64_t)dims[i], out) || *out > most)
            return lower_error(s->l, s->at, "%s: its grid or its block is empty or too large.", s->name);
    return GCAST_OK;
}

/* Finds how many blocks the GPU holds at once. */
static gcast_status find_resident(const shape_source *s, kernel_shape *shape)
{
    const gcast_gpu *gpu = s->l->gpu;
    int64_t threads;
    gcast_occupancy o;
    gcast_status status = product(s, shape->block, INT32_MAX - 1, &threads);
    if (status != GCAST_OK)
        return status;
    gcast_block_shape block = {
        .threads = (int)threads, .registers = shape->registers, .dynamic_smem = shape->shared_bytes};
    gcast_error why = {0};
    if (shape->shared_bytes < 0 || shape->shared_bytes > INT32_MAX)
        return lower_error(s->l, s->at, "%s: its shared memory is out of range.", s->name);
    status = gcast_occupancy_compute(&gpu->limits, &block, GCAST_CARVEOUT_DEFAULT, &o, &why);
    if (status != GCAST_OK && status != GCAST_INPUT)
        return gcast_error_set(s->l->err, status, NULL, "%s", why.message);
    if (status != GCAST_OK || o.blocks_per_sm < 1)
        return lower_error(s->l, s->at, "Kernel %s cannot run on %s: %s", s->name, gpu->name,
                           status != GCAST_OK ? why.message : o.reason);
    shape->resident = o.blocks_per_sm * gpu->sms;
    return GCAST_OK;
}

static gcast_status finish(const shape_source *s, bool fills, kernel_shape *shape)
{
    gcast_status status = find_resident(s, shape);
    int64_t blocks;
    if (status != GCAST_OK)
        return status;
    if (fills)
        shape->grid[0] = (uint32_t)shape->resident;
    status = product(s, shape->grid, INT64_MAX / 4, &blocks);
    if (status != GCAST_OK)
        return status;
    if (shape->grid[0] > INT32_MAX || shape->grid[1] > 65535 || shape->grid[2] > 65535 || shape->block[2] > 64)
        return lower_error(s->l, s->at, "%s: its grid or its block is larger than CUDA takes.", s->name);
    shape->blocks = (uint64_t)blocks;
    return GCAST_OK;
}

gcast_status kernel_shape_find(lowering *l, const char *name, const am_property *properties, size_t property_count,
                               am_place at, kernel_shape *shape)
{
    shape_source s = {l, name, properties, property_count, at};
    const sys_given_kernel *g = given_kernel(l, name);
    gcast_status status = GCAST_OK;
    bool fills = false;
    *shape = (kernel_shape){.grid = {1, 1, 1}, .block = {1, 1, 1}};
    if (g && !g->fills)
        from_given(g, shape);
    else if (!g && find(&s, "gridcast.grid"))
        status = from_gridcast(&s, shape);
    else if (!g && find(&s, "GridSize"))
        status = from_thesis(&s, shape);
    else
        fills = g || l->given->fill;
    if (status != GCAST_OK || (!shape->known && !fills))
        return status;
    if (fills) {
        shape->known = true;
        shape->block[0] = FILL_THREADS;
        names_add(&l->filling, name);
    }
    if (shape->no_registers)
        names_add(&l->no_registers, name);
    return finish(&s, fills, shape);
}

/* Ticks are those of a block, or of the kernel, which runs in waves of as many blocks as the GPU holds. */
gcast_status kernel_op_make(lowering *l, const char *name, am_place at, const kernel_shape *shape, sys_range ticks,
                            gcast_op *op, sys_range *alone)
{
    int64_t waves = (int64_t)((shape->blocks - 1) / (uint64_t)shape->resident) + 1, gaps;
    *op = gcast_op_default(GCAST_KIND_KERNEL);
    op->label = lower_keep(l, name);
    memcpy(op->grid, shape->grid, sizeof op->grid);
    memcpy(op->block, shape->block, sizeof op->block);
    op->blocks = shape->blocks;
    op->shape.threads = (int)(shape->block[0] * shape->block[1] * shape->block[2]);
    op->shape.registers = shape->registers;
    op->registers_given = !shape->no_registers;
    op->shape.dynamic_smem = shape->shared_bytes;
    op->min_ns = shape->ticks == SYS_TICKS_OF_BLOCK ? ticks.min_ns : ticks.min_ns / waves;
    op->max_ns = shape->ticks == SYS_TICKS_OF_BLOCK ? ticks.max_ns : ticks.max_ns / waves + (ticks.max_ns % waves != 0);
    op->min_ns = op->min_ns < 1 ? 1 : op->min_ns;
    op->max_ns = op->max_ns < op->min_ns ? op->min_ns : op->max_ns;
    if (!checked_mul(op->min_ns, waves, &alone->min_ns) || !checked_mul(op->max_ns, waves, &alone->max_ns) ||
        !checked_mul(l->gpu->handover_ns, waves - 1, &gaps) || !checked_add(alone->max_ns, gaps, &alone->max_ns) ||
        alone->max_ns > DAY_NS)
        return lower_error(l, at, "Kernel %s takes longer than a day on %s.", name, l->gpu->name);
    return op->label ? GCAST_OK : GCAST_RESOURCE;
}
