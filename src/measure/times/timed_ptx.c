/* Adds clocks to a kernel. Every thread reads %globaltimer and %clock64 when it starts and before it returns.
 * Then the first of the lanes that return together updates the minimum and the maximum of its block with red.min
 * and red.max. Only the two reads come before the kernel's own code. An `exit` in a function that the kernel
 * calls is not handled. */
#include "measure/times/timed_ptx.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ptx/find_function.h"
#include "ptx/print/print.h"
#include "ptx/public.h"

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
    uint32_t ends;       /* of the kernel so far, for labels */
    bool failed;         /* there was no memory */
} builder;

static void add_item(builder *b, ptx_item item)
{
    b->failed = !vec_push(&b->items, item) || b->failed;
}

/* An instruction as text, which the printer prints as it is. */
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

/* The code before a ret or exit, which may be guarded; item NULL: at the end of the text. */
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

/* A kernel may also end where control reaches the end of its text. */
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

/* The module with `timed` in the place of `f`. */
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
