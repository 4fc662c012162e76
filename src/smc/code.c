#include "smc/code.h"

#include <inttypes.h>
#include <string.h>

#include "ptx/print/print_item.h"
#include "ptx/type.h"
#include "ptx/words.h"
#include "smc/check/barrier_form.h"
#include "smc/module_layout.h"
#include "smc/queue_step.h"

static void words(const smc_kernel *k, const char *name, const uint32_t *word, size_t count, text *out)
{
    text_printf(out, ".visible .global .align 16 .b32 %s_smc_%s[%zu]", k->fn->name, name, count);
    for (size_t i = 0; word && i < count; i++) {
        text_str(out, i ? "," : " = {");
        text_uint(out, word[i]);
    }
    text_str(out, word ? "};\n" : ";\n");
}

/* Where the queues begin, and the steps between their jobs. */
static void first_words(const smc_kernel *k, const gcast_plan *p, text *out)
{
    text_printf(out, ".visible .global .align 16 .b32 %s_smc_first[%zu] = {", k->fn->name, 2 * (size_t)p->queues + 1);
    for (uint32_t q = 0; q <= p->queues; q++)
        text_printf(out, "%" PRIu32 ", ", p->first[q]);
    for (uint32_t q = 0; q < p->queues; q++)
        text_printf(out, "%s%" PRIu32, q ? ", " : "", smc_queue_step(p, q));
    text_str(out, "};\n");
}

static int header_words(const smc_kernel *k)
{
    return (k->records ? SMC_HEADER_BYTES_RECORDS : SMC_HEADER_BYTES) / 8;
}

static void plan_variables(const smc_kernel *k, const gcast_plan *p, text *out)
{
    uint64_t mode = 1u + (uint64_t)p->mapping + (p->steal ? SMC_MODE_STEAL : 0);
    words(k, "workers", p->workers, p->sms, out);
    first_words(k, p, out);
    words(k, "job", p->job, p->jobs, out);
    words(k, "counters", NULL, 2 * (size_t)p->sms + p->queues + 1, out);
    words(k, "marks", NULL, p->jobs, out);
    if (k->records)
        words(k, "records", NULL, (size_t)p->jobs * (SMC_RECORD_BYTES / 4), out);
    text_printf(out, ".visible .global .align 16 .u64 %s_smc[%d] = {", k->fn->name, header_words(k));
    text_printf(out, "%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu32, p->grid[0] | (uint64_t)p->grid[1] << 32,
                p->grid[2] | mode << 32, p->jobs | (uint64_t)p->sms << 32, p->queues);
    static const char *const arrays[] = {"workers", "first", "job", "counters", "marks", "records"};
    for (size_t i = 0; i < (k->records ? 6 : 5); i++)
        text_printf(out, ", %s_smc_%s", k->fn->name, arrays[i]);
    text_str(out, "};\n");
}

void smc_code_variables(const smc_kernel *k, const gcast_plan *plan, text *out)
{
    if (plan)
        plan_variables(k, plan, out);
    else
        text_printf(out, ".visible .global .align 16 .u64 %s_smc[%d];\n", k->fn->name, header_words(k));
    words(k, "lost", NULL, 1, out);
    text_printf(out, ".shared .align 32 .b32 %s_smc_block[%d];\n", k->fn->name, SMC_BLOCK_WORDS);
}

static void guard(const smc_kernel *k, const ptx_instruction *in, text *out)
{
    text_char(out, '\t');
    if (in->guard >= 0)
        text_printf(out, "@%s%s ", in->guard_negated ? "!" : "", k->fn->reg[in->guard].name);
}

/* Puts what takes the place of a block index there, after a line that makes it where one is needed. `bytes`: 2 or 4. */
static void replace_index(const smc_kernel *k, ptx_operand *x, int bytes, text *out)
{
    static const char *const half[] = {"%smc_h0", "%smc_h1", "%smc_h2", "%smc_h3", "%smc_h4", "%smc_h5"};
    static const char *const word[] = {"%smc_x", "%smc_y", "%smc_z", "%smc_w3", "%smc_w4", "%smc_w5"};
    for (uint32_t i = 0; i < x->items; i++)
        replace_index(k, &x->item[i], bytes, out);
    if (x->kind != PTX_OP_SPECIAL || (strcmp(x->name, "%ctaid") != 0 && strcmp(x->name, "%nctaid") != 0))
        return;
    bool is_size = x->name[1] == 'n';
    unsigned axis = x->component - 1u;
    x->name = (bytes == 2 ? half : word)[axis + (is_size ? 3 : 0)];
    x->component = 0;
    if (is_size)
        text_printf(out, "\tld.shared.u%d %s, [%s_smc_block+%u];\n", 8 * bytes, x->name, k->fn->name, 48 + 4 * axis);
    else if (bytes == 2)
        text_printf(out, "\tcvt.u16.u32 %s, %s;\n", x->name, word[axis]);
}

void smc_code_item(smc_kernel *k, ptx_item *item, text *out)
{
    smc_barrier barrier;
    ptx_instruction *in = item->kind == PTX_ITEM_INSTRUCTION ? item->instruction : NULL;
    if (in && (ptx_is(in, "ret") || ptx_is(in, "exit"))) {
        guard(k, in, out);
        text_str(out, "bra $smc_done;\n");
        return;
    }
    if (in && k->meeting == MEET_AS_PROXY && smc_barrier_of(in, &barrier) && !barrier.is_counted) {
        k->sites++;
        text_printf(out, "\tmov.u32 %%smc_site, %" PRIu32 ";\n", k->sites);
        guard(k, in, out);
        text_printf(out, "bra $smc_vote;\n$smc_site%" PRIu32 ":\n", k->sites);
        return;
    }
    for (uint32_t i = 0; in && i < in->operands; i++)
        replace_index(k, &in->operand[i], ptx_type_bytes(ptx_last_type(in)) == 2 ? 2 : 4, out);
    print_item(k->fn, item, out);
}
