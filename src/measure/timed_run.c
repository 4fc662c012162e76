#include "measure/timed_run.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/compare.h"
#include "base/integers.h"
#include "base/launch_given.h"
#include "base/vec.h"
#include "measure/gpu_run.h"
#include "model/exec.h"
#include "ptx/print.h"
#include "ptx/ptx.h"
#include "ptx/public.h"

/* Clocks are added to a kernel. Every thread reads %globaltimer and %clock64 when it starts and before it returns. Then
 * the first of the lanes that return together updates the minimum and the maximum of its block with red.min and
 * red.max. Only the two reads come before the kernel's own code. An `exit` in a function that the kernel calls is not
 * handled. */

#define ACTIVEMASK_MINOR 2 /* activemask came with PTX 6.2 */

static const char *const at_start[] = {
    ".reg .pred %gcast_p",         ".reg .b32 %gcast_r<8>", ".reg .b64 %gcast_d<8>", "mov.u64 %gcast_d0, %globaltimer",
    "mov.u64 %gcast_d1, %clock64",
};

static const char *const at_end[] = {
    "mov.u64 %gcast_d2, %clock64",
    "mov.u64 %gcast_d3, %globaltimer",
    "activemask.b32 %gcast_r0",
    "mov.u32 %gcast_r1, %lanemask_lt",
    "and.b32 %gcast_r0, %gcast_r0, %gcast_r1",
    "setp.eq.u32 %gcast_p, %gcast_r0, 0",
    "mov.u32 %gcast_r2, %ctaid.z",
    "mov.u32 %gcast_r3, %nctaid.y",
    "mov.u32 %gcast_r4, %ctaid.y",
    "mad.lo.u32 %gcast_r2, %gcast_r2, %gcast_r3, %gcast_r4",
    "mov.u32 %gcast_r3, %nctaid.x",
    "mov.u32 %gcast_r4, %ctaid.x",
    "mad.lo.u32 %gcast_r2, %gcast_r2, %gcast_r3, %gcast_r4",
    "ld.param.u64 %gcast_d4, [gridcast_times]",
    "cvta.to.global.u64 %gcast_d4, %gcast_d4",
    "mad.wide.u32 %gcast_d4, %gcast_r2, 40, %gcast_d4",
    "mov.u32 %gcast_r5, %smid",
    "cvt.u64.u32 %gcast_d5, %gcast_r5",
    "@%gcast_p red.global.min.u64 [%gcast_d4], %gcast_d1",
    "@%gcast_p red.global.min.u64 [%gcast_d4+8], %gcast_d0",
    "@%gcast_p red.global.max.u64 [%gcast_d4+16], %gcast_d2",
    "@%gcast_p red.global.max.u64 [%gcast_d4+24], %gcast_d3",
    "@%gcast_p st.global.u64 [%gcast_d4+32], %gcast_d5",
};
static_assert(sizeof(timed_block) == 40, "as in the code above");

typedef struct builder {
    arena memory;        /* holds instructions and labels */
    VEC(ptx_item) items; /* of the timed kernel */
    uint32_t ends;       /* ends of the kernel so far, for labels */
    bool failed;         /* there was no memory */
} builder;

static void add_item(builder *b, ptx_item item)
{
    b->failed = !vec_push(&b->items, item) || b->failed;
}

/* Adds an instruction as text, which the printer prints as it is. */
static void add_instruction(builder *b, const char *words, int32_t guard, bool negated)
{
    ptx_instruction *n = arena_alloc(&b->memory, sizeof *n);
    char *copy = arena_strdup(&b->memory, words);
    if (!n || !copy) {
        b->failed = true;
        return;
    }
    *n = (ptx_instruction){.opcode = copy, .guard = guard, .guard_negated = negated};
    add_item(b, (ptx_item){.kind = PTX_ITEM_INSTRUCTION, .instruction = n});
}

static void add_instructions(builder *b, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_instruction(b, words[i], -1, false);
}

/* Adds the code before a ret or exit, which may be guarded; item NULL: at the end of the text. */
static void add_end(builder *b, const ptx_item *item)
{
    const ptx_instruction *n = item ? item->instruction : NULL;
    char label[40], jump[48];
    snprintf(label, sizeof label, "$gcast_on_%u", b->ends++);
    snprintf(jump, sizeof jump, "bra %s", label);
    bool guarded = n && n->guard >= 0;
    if (guarded)
        add_instruction(b, jump, n->guard, !n->guard_negated);
    add_instructions(b, at_end, sizeof at_end / sizeof *at_end);
    add_instruction(b, "ret", -1, false);
    if (guarded) {
        char *name = arena_strdup(&b->memory, label);
        b->failed = !name || b->failed;
        add_item(b, (ptx_item){.kind = PTX_ITEM_LABEL, .name = name});
    }
}

static bool is_end(const ptx_item *i)
{
    return i->kind == PTX_ITEM_INSTRUCTION &&
           (strcmp(i->instruction->opcode, "ret") == 0 || strcmp(i->instruction->opcode, "exit") == 0);
}

/* Builds the timed kernel. It may also end where control reaches the end of its text. */
static void build(builder *b, const ptx_function *f)
{
    add_instructions(b, at_start, sizeof at_start / sizeof *at_start);
    for (uint32_t i = 0; i < f->items; i++)
        if (is_end(&f->item[i]))
            add_end(b, &f->item[i]);
        else
            add_item(b, f->item[i]);
    add_end(b, NULL);
}

/* Prints the module with `timed` in the place of `f`. */
static gcast_status print(const ptx_module *m, const ptx_function *f, ptx_function *timed, char **out, gcast_error *err)
{
    ptx_module copy = *m;
    copy.function = malloc(((size_t)m->functions + 1) * sizeof(ptx_function *));
    if (!copy.function)
        return gcast_error_set_memory(err);
    for (uint32_t i = 0; i < m->functions; i++)
        copy.function[i] = m->function[i] == f ? timed : m->function[i];
    if (copy.version_major == 6 && copy.version_minor < ACTIVEMASK_MINOR)
        copy.version_minor = ACTIVEMASK_MINOR;
    text t;
    text_open(&t, NULL, NULL);
    ptx_print(&copy, &t);
    free(copy.function);
    *out = text_take(&t, NULL);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status timed_ptx(const gcast_ptx *p, const char *kernel, char **out, gcast_error *err)
{
    const ptx_function *f = ptx_find_function(p->module, kernel);
    *out = NULL;
    if (!f || !f->has_body || !f->is_entry)
        return gcast_error_set(err, GCAST_INPUT, "/kernel", "there is no kernel %.100s", kernel);
    builder b = {0};
    build(&b, f);
    ptx_function timed = *f;
    timed.param = arena_alloc_array(&b.memory, (size_t)f->params + 1, sizeof *timed.param);
    b.failed = !timed.param || b.failed;
    gcast_status status = b.failed ? gcast_error_set_memory(err) : GCAST_OK;
    if (status == GCAST_OK) {
        if (f->params)
            memcpy(timed.param, f->param, f->params * sizeof *f->param);
        timed.param[timed.params++] =
            (ptx_var){.name = "gridcast_times", .space = PTX_SPACE_param, .type = PTX_u64, .width = 1, .bytes = 8};
        timed.items = (uint32_t)b.items.count;
        timed.item = b.items.at;
        status = print(p->module, f, &timed, out, err);
    }
    vec_free(&b.items);
    arena_free(&b.memory);
    return status;
}

/* gcast_gpu_exec_timed runs a launch several times from the same buffers, and returns the times of its blocks. */

typedef struct owned_times {
    gcast_block_times times; /* first, so that a gcast_block_times is its handle */
    arena memory;            /* holds the two arrays */
    gcast_block_time *block; /* by run, then by block */
    gcast_block_spread *run; /* by run */
} owned_times;

void gcast_block_times_free(gcast_block_times *t)
{
    owned_times *x = (owned_times *)t;
    if (!x)
        return;
    arena_free(&x->memory);
    free(x);
}

/* Stores the times of a run. `sorted` is scratch for a number per block. */
static void store_run(owned_times *x, uint32_t run, const timed_block *timed, uint64_t *sorted)
{
    gcast_block_time *block = x->block + run * x->times.blocks;
    uint64_t n = x->times.blocks, first = UINT64_MAX;
    for (uint64_t i = 0; i < n; i++)
        first = min_u64(first, timed[i].first_timer);
    for (uint64_t i = 0; i < n; i++) {
        block[i] = (gcast_block_time){(uint32_t)timed[i].sm, timed[i].first_timer - first, timed[i].last_timer - first,
                                      timed[i].last_clock - timed[i].first_clock};
        sorted[i] = block[i].cycles;
    }
    qsort(sorted, n, sizeof *sorted, compare_u64);
    x->run[run] = (gcast_block_spread){sorted[0], sorted[(n - 1) / 2], sorted[n - 1]};
}

/* The run with the median of the medians, the first run left out. */
static uint32_t median_run(const owned_times *x)
{
    uint32_t runs = x->times.runs, best = 0;
    for (uint32_t i = 1; i < runs; i++) {
        uint32_t below = 0;
        for (uint32_t k = 1; k < runs; k++)
            below += x->run[k].median < x->run[i].median || (x->run[k].median == x->run[i].median && k < i);
        if (below == (runs - 2) / 2)
            best = i;
    }
    return best;
}

static void clear(timed_block *b, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        b[i] = (timed_block){.first_clock = UINT64_MAX, .first_timer = UINT64_MAX};
}

static gcast_status run_all(gpu_run *g, owned_times *x, gcast_launch *timed, int64_t limit, gcast_error *err)
{
    uint64_t blocks = x->times.blocks;
    gcast_launch times_only = *timed; /* the caller's buffers are fetched after the last run only */
    timed_block *written = timed->buffer[timed->buffers - 1].data;
    uint64_t *sorted = malloc(blocks * sizeof *sorted);
    gcast_status status = sorted ? GCAST_OK : gcast_error_set_memory(err);
    gcast_buffer *own = calloc(timed->buffers, sizeof *own);
    if (status == GCAST_OK && !own)
        status = gcast_error_set_memory(err);
    for (uint32_t i = 0; own && i < timed->buffers; i++)
        own[i].bytes = i + 1 == timed->buffers ? timed->buffer[i].bytes : 0;
    if (own)
        own[timed->buffers - 1].data = written;
    times_only.buffer = own;
    times_only.variables = 0;
    for (uint32_t r = 0; r < x->times.runs && status == GCAST_OK; r++) {
        clear(written, blocks);
        g->fraction = (double)r / (double)x->times.runs;
        status = gpu_run_send(g, timed, err);
        if (status == GCAST_OK)
            status = gpu_run_launch(g, timed, limit, err);
        if (status == GCAST_OK)
            status = gpu_run_fetch(g, r + 1 < x->times.runs ? &times_only : timed, err);
        if (status == GCAST_OK)
            store_run(x, r, written, sorted);
    }
    free(own);
    free(sorted);
    return status;
}

static gcast_status create(owned_times **out, uint64_t blocks, uint32_t runs, gcast_error *err)
{
    owned_times *x = calloc(1, sizeof *x);
    if (!x)
        return gcast_error_set_memory(err);
    x->times.blocks = blocks;
    x->times.runs = runs;
    x->block = arena_alloc_array(&x->memory, blocks * runs, sizeof *x->block);
    x->run = arena_alloc_array(&x->memory, runs, sizeof *x->run);
    *out = x;
    return x->block && x->run ? GCAST_OK : gcast_error_set_memory(err);
}

/* Copies the launch and adds the buffer of times as the last; the caller frees the two arrays of `timed`. */
static gcast_status add_times_buffer(const gcast_launch *l, uint64_t blocks, timed_block *times, gcast_launch *timed,
                                     gcast_error *err)
{
    *timed = *l;
    timed->argument = calloc((size_t)l->arguments + 1, sizeof *timed->argument);
    timed->buffer = calloc((size_t)l->buffers + 1, sizeof *timed->buffer);
    if (!timed->argument || !timed->buffer)
        return gcast_error_set_memory(err);
    if (l->arguments)
        memcpy(timed->argument, l->argument, l->arguments * sizeof *l->argument);
    if (l->buffers)
        memcpy(timed->buffer, l->buffer, l->buffers * sizeof *l->buffer);
    timed->argument[timed->arguments++] = (gcast_argument){(int)l->buffers, NULL, 8};
    timed->buffer[timed->buffers++] = (gcast_buffer){"gridcast_times", times, blocks * sizeof *times};
    return GCAST_OK;
}

static gcast_status measure(const char *ptx, gcast_launch *timed, const gcast_gpu_exec_options *o, owned_times *x,
                            gcast_error *err)
{
    gpu_run g;
    int registers = 0;
    gcast_status status = gpu_run_open(&g, ptx, timed->buffers, o->library, err);
    g.options = o;
    if (status == GCAST_OK)
        status = gpu_run_find(&g, timed, err);
    if (status == GCAST_OK)
        status = DRIVER_CALL(&g.v.d, err, cuFuncGetAttribute, &registers, CU_FUNC_ATTRIBUTE_NUM_REGS, g.function);
    if (status == GCAST_OK)
        status = run_all(&g, x, timed, o->limit_ns, err);
    gpu_run_close(&g);
    x->times.registers = (uint32_t)registers;
    x->times.shown = median_run(x);
    x->times.block = x->block + x->times.shown * x->times.blocks;
    x->times.run = x->run;
    return status;
}

/* Is the launch complete, and can each of its blocks have a place for its times? */
static gcast_status check_launch_to_time(const gcast_launch *launch, uint64_t *blocks, gcast_error *err)
{
    const uint32_t *n = launch->grid;
    if (!checked_mul((uint64_t)n[0] * n[1], n[2], blocks) || *blocks == 0 || *blocks > UINT32_MAX)
        return gcast_error_set(err, GCAST_INPUT, "/grid", "%u x %u x %u: 1 to %u blocks can be timed", n[0], n[1], n[2],
                               UINT32_MAX);
    return launch_given(launch, err);
}

gcast_status gcast_gpu_exec_timed(const gcast_ptx *p, gcast_launch *launch, uint32_t runs,
                                  const gcast_gpu_exec_options *given, gcast_block_times **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!p || !launch || !out)
        return argument_missing(err);
    gcast_gpu_exec_options own = gcast_gpu_exec_options_default();
    uint64_t blocks;
    gcast_status status = check_launch_to_time(launch, &blocks, err);
    if (status != GCAST_OK)
        return status;
    timed_block *times = calloc(blocks, sizeof *times);
    gcast_launch timed = {0};
    owned_times *x = NULL;
    char *ptx = NULL;
    status = times ? options_copy(&own, sizeof own, given, "gcast_gpu_exec_options", err) : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = timed_ptx(p, launch->kernel, &ptx, err);
    if (status == GCAST_OK)
        status = add_times_buffer(launch, blocks, times, &timed, err);
    if (status == GCAST_OK)
        status = create(&x, blocks, runs ? runs : 1, err);
    if (status == GCAST_OK)
        status = measure(ptx, &timed, &own, x, err);
    if (status == GCAST_OK)
        *out = &x->times;
    else if (x)
        gcast_block_times_free(&x->times);
    free(ptx);
    free(times);
    free(timed.argument);
    free(timed.buffer);
    return status;
}
