/* In templates ~K is the kernel's name, ~B the number of the barrier between jobs, ~F a fence; what is between ~[ and
 * ~] is only for kernels that keep records. Registers begin with %smc_, labels with $smc_. Only %smc_base, the place of
 * the job at hand, stays in a register during a job. */
#include "smc/code.h"

#include <inttypes.h>
#include <string.h>

#include "ptx/print/print_item.h"
#include "ptx/type.h"
#include "ptx/words.h"
#include "smc/check/barrier_form.h"
#include "smc/module_layout.h"

static void template(const smc_kernel *k, const char *lines, text *out)
{
    bool has_fence = k->module->sm >= 70 && k->module->version_major >= 6;
    for (const char *at = lines; *at;) {
        size_t size = strcspn(at, "~");
        text_bytes(out, at, size);
        at += size;
        if (!*at)
            break;
        if (at[1] == 'K')
            text_str(out, k->fn->name);
        else if (at[1] == 'B')
            text_uint(out, k->barrier);
        else if (at[1] == 'F')
            text_str(out, has_fence ? "fence.acq_rel.gpu" : "membar.gl");
        else if (at[1] == '[' && !k->records)
            at = strstr(at, "~]");
        at += 2;
    }
}

static void words(const smc_kernel *k, const char *name, const uint32_t *word, size_t count, text *out)
{
    text_printf(out, ".visible .global .align 16 .b32 %s_smc_%s[%zu]", k->fn->name, name, count);
    for (size_t i = 0; word && i < count; i++) {
        text_str(out, i ? "," : " = {");
        text_uint(out, word[i]);
    }
    text_str(out, word ? "};\n" : ";\n");
}

static int header_words(const smc_kernel *k)
{
    return (k->records ? SMC_HEADER_BYTES_RECORDS : SMC_HEADER_BYTES) / 8;
}

static void plan_variables(const smc_kernel *k, const gcast_plan *p, text *out)
{
    uint64_t mode = 1u + (uint64_t)p->mapping + (p->steal ? SMC_MODE_STEAL : 0);
    words(k, "workers", p->workers, p->sms, out);
    words(k, "first", p->first, (size_t)p->queues + 1, out);
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
    text_printf(out, ".shared .align 32 .b32 %s_smc_block[%d];\n", k->fn->name, SMC_BLOCK_WORDS);
}

/* %smc_p: this is not the first thread of the block. */
#define NOT_FIRST_THREAD                                                                                               \
    "\tmov.u32 %smc_a, %tid.x;\n"                                                                                      \
    "\tmov.u32 %smc_b, %tid.y;\n"                                                                                      \
    "\tor.b32 %smc_a, %smc_a, %smc_b;\n"                                                                               \
    "\tmov.u32 %smc_b, %tid.z;\n"                                                                                      \
    "\tor.b32 %smc_a, %smc_a, %smc_b;\n"                                                                               \
    "\tsetp.ne.u32 %smc_p, %smc_a, 0;\n"

/* A worker takes its ticket, and learns where its jobs are: in a segment (%smc_queue is -1), in a queue, or, if enough
 * workers stay, nowhere. */
static const char ticket[] =
    "\t.reg .pred %smc_p, %smc_q;\n"
    "\t.reg .b16 %smc_h0, %smc_h1, %smc_h2, %smc_h3, %smc_h4, %smc_h5;\n"
    "\t.reg .b32 %smc_w0, %smc_w1, %smc_w2, %smc_w3, %smc_w4, %smc_w5;\n"
    "\t.reg .b32 %smc_base, %smc_a, %smc_b, %smc_x, %smc_y, %smc_z, %smc_n, %smc_job;\n"
    "\t.reg .b32 %smc_sm, %smc_first, %smc_end, %smc_queue, %smc_wanted, %smc_ticket;\n"
    "\t.reg .b64 %smc_at, %smc_offset, %smc_stride, %smc_copy;\n"
    "~[\t.reg .b64 %smc_now;\n~]"
    "\tmov.u32 %smc_base, ~K_smc_block;\n"
    "\tadd.u32 %smc_base, %smc_base, 16;\n" NOT_FIRST_THREAD "\t@%smc_p bra $smc_next;\n"
    "\tld.global.v4.u32 {%smc_x, %smc_y, %smc_z, %smc_n}, [~K_smc];\n"
    "\tsetp.ne.u32 %smc_p, %smc_n, 0;\n"
    "\t@%smc_p bra $smc_planned;\n"
    "\ttrap;\n"
    "$smc_planned:\n"
    "\tmov.u32 %smc_a, 0;\n"
    "\tst.shared.v4.u32 [~K_smc_block+48], {%smc_x, %smc_y, %smc_z, %smc_a};\n"
    "\tst.shared.u32 [~K_smc_block+28], %smc_a;\n"
    "\tmov.u32 %smc_sm, %smid;\n"
    "\tmov.u32 %smc_first, 0;\n"
    "\tmov.u32 %smc_end, 0;\n"
    "~[\tmov.u32 %smc_ticket, -1;\n~]"
    "\tand.b32 %smc_n, %smc_n, 255;\n"
    "\tsetp.eq.u32 %smc_q, %smc_n, 1;\n" /* persistent: everyone stays, and takes from queue 0 */
    "\tselp.b32 %smc_queue, 0, -1, %smc_q;\n"
    "\tld.global.u32 %smc_a, [~K_smc+20];\n"
    "\tsetp.ge.u32 %smc_p, %smc_sm, %smc_a;\n" /* an SM that the plan does not know */
    "\t@%smc_p bra $smc_known;\n"
    "\tmul.wide.u32 %smc_offset, %smc_sm, 4;\n"
    "\tld.global.u64 %smc_at, [~K_smc+32];\n"
    "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
    "\tld.global.u32 %smc_wanted, [%smc_at];\n"
    "\tld.global.u64 %smc_at, [~K_smc+56];\n"
    "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
    "\tatom.global.add.u32 %smc_ticket, [%smc_at], 1;\n"
    "\t@%smc_q bra $smc_known;\n"
    "\tsetp.ge.u32 %smc_p, %smc_ticket, %smc_wanted;\n" /* enough stay: this one retreats */
    "\t@%smc_p bra $smc_known;\n"
    "\tsetp.eq.u32 %smc_p, %smc_n, 4;\n" /* queues */
    "\t@%smc_p mov.u32 %smc_queue, %smc_sm;\n"
    "\t@%smc_p bra $smc_known;\n"
    "\tld.global.u64 %smc_at, [~K_smc+40];\n"
    "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
    "\tld.global.u32 %smc_first, [%smc_at];\n"
    "\tld.global.u32 %smc_end, [%smc_at+4];\n"
    "\tsetp.eq.u32 %smc_p, %smc_n, 2;\n" /* one job */
    "\t@%smc_p bra $smc_one;\n"
    "\tsub.u32 %smc_n, %smc_end, %smc_first;\n"
    "\tdiv.u32 %smc_a, %smc_n, %smc_wanted;\n"
    "\tmul.lo.u32 %smc_b, %smc_a, %smc_wanted;\n"
    "\tsub.u32 %smc_n, %smc_n, %smc_b;\n" /* so many segments have one more */
    "\tsetp.lt.u32 %smc_p, %smc_ticket, %smc_n;\n"
    "\tmul.lo.u32 %smc_b, %smc_a, %smc_ticket;\n"
    "\tmin.u32 %smc_n, %smc_n, %smc_ticket;\n"
    "\tadd.u32 %smc_first, %smc_first, %smc_b;\n"
    "\tadd.u32 %smc_first, %smc_first, %smc_n;\n"
    "\tadd.u32 %smc_end, %smc_first, %smc_a;\n"
    "\t@%smc_p add.u32 %smc_end, %smc_end, 1;\n"
    "\tbra $smc_known;\n"
    "$smc_one:\n"
    "\tadd.u32 %smc_first, %smc_first, %smc_ticket;\n"
    "\tadd.u32 %smc_a, %smc_first, 1;\n"
    "\tmin.u32 %smc_end, %smc_end, %smc_a;\n"
    "$smc_known:\n"
    "~[\tst.shared.u32 [~K_smc_block+60], %smc_ticket;\n~]"
    "\tst.shared.v4.u32 [~K_smc_block+32], {%smc_sm, %smc_first, %smc_end, %smc_queue};\n";

/* The first thread finds the next job and writes it where the last but one was. */
static const char next[] = "$smc_next:\n"
                           "\txor.b32 %smc_base, %smc_base, 16;\n" NOT_FIRST_THREAD "\t@%smc_p bra $smc_meet;\n"
                           "\tld.shared.v4.u32 {%smc_sm, %smc_first, %smc_end, %smc_queue}, [~K_smc_block+32];\n"
                           "\tsetp.ne.s32 %smc_p, %smc_queue, -1;\n"
                           "\t@%smc_p bra $smc_take;\n"
                           "\tsetp.ge.u32 %smc_p, %smc_first, %smc_end;\n"
                           "\t@%smc_p bra $smc_none;\n"
                           "\tadd.u32 %smc_a, %smc_first, 1;\n"
                           "\tst.shared.u32 [~K_smc_block+36], %smc_a;\n"
                           "\tbra $smc_found;\n"
                           "$smc_take:\n"
                           "\tld.global.u32 %smc_a, [~K_smc+20];\n"
                           "\tadd.u32 %smc_a, %smc_a, %smc_queue;\n"
                           "\tmul.wide.u32 %smc_offset, %smc_a, 4;\n"
                           "\tld.global.u64 %smc_at, [~K_smc+56];\n"
                           "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
                           "\tatom.global.add.u32 %smc_a, [%smc_at], 1;\n"
                           "\tmul.wide.u32 %smc_offset, %smc_queue, 4;\n"
                           "\tld.global.u64 %smc_at, [~K_smc+40];\n"
                           "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
                           "\tld.global.u32 %smc_first, [%smc_at];\n"
                           "\tld.global.u32 %smc_end, [%smc_at+4];\n"
                           "\tadd.u32 %smc_first, %smc_first, %smc_a;\n"
                           "\tsetp.lt.u32 %smc_p, %smc_first, %smc_end;\n"
                           "\t@%smc_p bra $smc_found;\n"
                           "\tld.global.u32 %smc_a, [~K_smc+12];\n"
                           "\tand.b32 %smc_a, %smc_a, 256;\n"
                           "\tsetp.eq.u32 %smc_p, %smc_a, 0;\n" /* no stealing */
                           "\t@%smc_p bra $smc_none;\n"
                           "\tadd.u32 %smc_queue, %smc_queue, 1;\n"
                           "\tld.global.u32 %smc_a, [~K_smc+24];\n"
                           "\tsetp.ge.u32 %smc_p, %smc_queue, %smc_a;\n"
                           "\t@%smc_p mov.u32 %smc_queue, 0;\n"
                           "\tst.shared.u32 [~K_smc_block+44], %smc_queue;\n"
                           "\tsetp.ne.u32 %smc_p, %smc_queue, %smc_sm;\n"
                           "\t@%smc_p bra $smc_take;\n"
                           "$smc_none:\n"
                           "\tmov.u32 %smc_a, 0;\n"
                           "\tst.shared.v4.u32 [%smc_base], {%smc_a, %smc_a, %smc_a, %smc_a};\n"
                           "\tbra $smc_meet;\n"
                           "$smc_found:\n"
                           "\tmul.wide.u32 %smc_offset, %smc_first, 4;\n"
                           "\tld.global.u64 %smc_at, [~K_smc+48];\n"
                           "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
                           "\tld.global.u32 %smc_job, [%smc_at];\n"
                           "\tld.global.u32 %smc_n, [~K_smc+16];\n"
                           "\tld.shared.v2.u32 {%smc_a, %smc_b}, [~K_smc_block+48];\n"
                           "\tmov.u32 %smc_x, %smc_job;\n"
                           "\tmov.u32 %smc_y, 0;\n"
                           "\tmov.u32 %smc_z, 0;\n"
                           "\tsetp.eq.u32 %smc_p, %smc_a, %smc_n;\n" /* one dimension */
                           "\t@%smc_p bra $smc_write;\n"
                           "\tdiv.u32 %smc_n, %smc_job, %smc_a;\n"
                           "\tmul.lo.u32 %smc_a, %smc_a, %smc_n;\n"
                           "\tsub.u32 %smc_x, %smc_job, %smc_a;\n"
                           "\tdiv.u32 %smc_z, %smc_n, %smc_b;\n"
                           "\tmul.lo.u32 %smc_a, %smc_z, %smc_b;\n"
                           "\tsub.u32 %smc_y, %smc_n, %smc_a;\n"
                           "$smc_write:\n"
                           "\tadd.u32 %smc_job, %smc_job, 1;\n"
                           "\tst.shared.v4.u32 [%smc_base], {%smc_x, %smc_y, %smc_z, %smc_job};\n";

static const char meet_plainly[] = "$smc_meet:\n"
                                   "\tbar.sync ~B;\n";

static const char meet_as_proxy[] = "$smc_meet:\n"
                                    "\tsetp.eq.u32 %smc_q, %smc_base, %smc_base;\n"
                                    "\tbarrier.red.and.pred %smc_p, ~B, %smc_q;\n"
                                    "\t@!%smc_p bra $smc_meet;\n";

/* The job before is complete now, and leaves its mark. */
static const char mark[] = NOT_FIRST_THREAD "\t@%smc_p bra $smc_marked;\n"
                                            "~[\tmov.u64 %smc_now, %globaltimer;\n~]"
                                            "\txor.b32 %smc_a, %smc_base, 16;\n"
                                            "\tld.shared.u32 %smc_job, [%smc_a+12];\n"
                                            "\tsetp.eq.u32 %smc_p, %smc_job, 0;\n"
                                            "\t@%smc_p bra $smc_begin;\n"
                                            "\tsub.u32 %smc_job, %smc_job, 1;\n"
                                            "\tmul.wide.u32 %smc_offset, %smc_job, 4;\n"
                                            "\tld.global.u64 %smc_at, [~K_smc+64];\n"
                                            "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
                                            "\tld.shared.u32 %smc_a, [~K_smc_block+32];\n"
                                            "~[\tmov.u32 %smc_b, %smc_a;\n~]"
                                            "\tshl.b32 %smc_a, %smc_a, 12;\n"
                                            "\tadd.u32 %smc_a, %smc_a, 4097;\n"
                                            "\tred.global.add.u32 [%smc_at], %smc_a;\n"
                                            "~[\tmul.wide.u32 %smc_offset, %smc_job, 24;\n"
                                            "\tld.global.u64 %smc_at, [~K_smc+72];\n"
                                            "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
                                            "\tld.shared.u32 %smc_a, [~K_smc_block+60];\n"
                                            "\tst.global.u64 [%smc_at+8], %smc_now;\n"
                                            "\tst.global.v2.u32 [%smc_at+16], {%smc_b, %smc_a};\n~]"
                                            "$smc_begin:\n"
                                            "~[\tld.shared.u32 %smc_job, [%smc_base+12];\n"
                                            "\tsetp.eq.u32 %smc_p, %smc_job, 0;\n"
                                            "\t@%smc_p bra $smc_marked;\n"
                                            "\tsub.u32 %smc_job, %smc_job, 1;\n"
                                            "\tmul.wide.u32 %smc_offset, %smc_job, 24;\n"
                                            "\tld.global.u64 %smc_at, [~K_smc+72];\n"
                                            "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
                                            "\tst.global.u64 [%smc_at], %smc_now;\n~]"
                                            "$smc_marked:\n"
                                            "\tld.shared.u32 %smc_a, [%smc_base+12];\n"
                                            "\tsetp.ne.u32 %smc_p, %smc_a, 0;\n"
                                            "\t@%smc_p bra $smc_job;\n";

/* The last worker that leaves makes the counters ready for the next launch. */
static const char leave[] =
    NOT_FIRST_THREAD "\t@%smc_p bra $smc_leave;\n"
                     "\t~F;\n"
                     "\tld.global.u32 %smc_a, [~K_smc+20];\n"
                     "\tld.global.u32 %smc_b, [~K_smc+24];\n"
                     "\tadd.u32 %smc_b, %smc_b, %smc_a;\n"
                     "\tadd.u32 %smc_b, %smc_b, %smc_a;\n"
                     "\tmul.wide.u32 %smc_offset, %smc_b, 4;\n"
                     "\tld.global.u64 %smc_at, [~K_smc+56];\n"
                     "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
                     "\tmov.u32 %smc_a, %nctaid.x;\n"
                     "\tmov.u32 %smc_b, %nctaid.y;\n"
                     "\tmul.lo.u32 %smc_a, %smc_a, %smc_b;\n"
                     "\tmov.u32 %smc_b, %nctaid.z;\n"
                     "\tmul.lo.u32 %smc_a, %smc_a, %smc_b;\n"
                     "\tsub.u32 %smc_a, %smc_a, 1;\n"
                     "\tatom.global.inc.u32 %smc_b, [%smc_at], %smc_a;\n"
                     "\tsetp.eq.u32 %smc_p, %smc_b, %smc_a;\n"
                     "\tselp.u32 %smc_b, 1, 0, %smc_p;\n"
                     "\tst.shared.u32 [~K_smc_block+60], %smc_b;\n"
                     "$smc_leave:\n"
                     "\tbar.sync ~B;\n"
                     "\tld.shared.u32 %smc_b, [~K_smc_block+60];\n"
                     "\tsetp.eq.u32 %smc_p, %smc_b, 0;\n"
                     "\t@%smc_p bra $smc_end;\n"
                     "\t~F;\n"
                     "\tmov.u32 %smc_x, %tid.x;\n"
                     "\tmov.u32 %smc_y, %tid.y;\n"
                     "\tmov.u32 %smc_z, %tid.z;\n"
                     "\tmov.u32 %smc_a, %ntid.y;\n"
                     "\tmov.u32 %smc_n, %ntid.x;\n"
                     "\tmad.lo.u32 %smc_y, %smc_z, %smc_a, %smc_y;\n"
                     "\tmad.lo.u32 %smc_x, %smc_y, %smc_n, %smc_x;\n" /* the number of the thread */
                     "\tmul.lo.u32 %smc_n, %smc_n, %smc_a;\n"
                     "\tmov.u32 %smc_a, %ntid.z;\n"
                     "\tmul.lo.u32 %smc_n, %smc_n, %smc_a;\n" /* threads */
                     "\tld.global.u32 %smc_a, [~K_smc+20];\n"
                     "\tld.global.u32 %smc_b, [~K_smc+24];\n"
                     "\tld.global.u64 %smc_at, [~K_smc+56];\n"
                     "\tadd.u32 %smc_b, %smc_b, %smc_a;\n" /* tickets and jobs taken */
                     "\tmul.wide.u32 %smc_offset, %smc_x, 4;\n"
                     "\tadd.u64 %smc_at, %smc_at, %smc_offset;\n"
                     "\tmul.wide.u32 %smc_offset, %smc_b, 4;\n"
                     "$smc_reset:\n"
                     "\tsetp.ge.u32 %smc_p, %smc_x, %smc_b;\n"
                     "\t@%smc_p bra $smc_end;\n"
                     "\tsetp.lt.u32 %smc_p, %smc_x, %smc_a;\n" /* of tickets a copy stays */
                     "\tld.global.u32 %smc_y, [%smc_at];\n"
                     "\tmov.u32 %smc_z, 0;\n"
                     "\tst.global.u32 [%smc_at], %smc_z;\n"
                     "\tadd.u64 %smc_copy, %smc_at, %smc_offset;\n"
                     "\t@%smc_p st.global.u32 [%smc_copy], %smc_y;\n"
                     "\tadd.u32 %smc_x, %smc_x, %smc_n;\n"
                     "\tmul.wide.u32 %smc_stride, %smc_n, 4;\n"
                     "\tadd.u64 %smc_at, %smc_at, %smc_stride;\n"
                     "\tbra $smc_reset;\n"
                     "$smc_end:\n"
                     "\tret;\n"
                     "$smc_job:\n";

void smc_code_before(const smc_kernel *k, text *out)
{
    template(k, ticket, out);
    template(k, next, out);
    template(k, k->meeting == MEET_PLAINLY ? meet_plainly : meet_as_proxy, out);
    template(k, mark, out);
    template(k, leave, out);
}

void smc_code_after(const smc_kernel *k, text *out)
{
    text_str(out, "$smc_done:\n");
    if (k->copies_async)
        text_str(out, "\tcp.async.wait_all;\n");
    text_str(out, "\tbra $smc_next;\n");
}

static void guard(const smc_kernel *k, const ptx_instruction *in, text *out)
{
    text_char(out, '\t');
    if (in->guard >= 0)
        text_printf(out, "@%s%s ", in->guard_negated ? "!" : "", k->fn->reg[in->guard].name);
}

/* Loads what takes the place of a block index, and puts it there. `bytes`: 2 or 4. */
static void replace_index(const smc_kernel *k, ptx_operand *x, int bytes, text *out)
{
    static const char *const half[] = {"%smc_h0", "%smc_h1", "%smc_h2", "%smc_h3", "%smc_h4", "%smc_h5"};
    static const char *const word[] = {"%smc_w0", "%smc_w1", "%smc_w2", "%smc_w3", "%smc_w4", "%smc_w5"};
    for (uint32_t i = 0; i < x->items; i++)
        replace_index(k, &x->item[i], bytes, out);
    if (x->kind != PTX_OP_SPECIAL || (strcmp(x->name, "%ctaid") != 0 && strcmp(x->name, "%nctaid") != 0))
        return;
    bool is_size = x->name[1] == 'n';
    unsigned axis = x->component - 1u;
    x->name = (bytes == 2 ? half : word)[axis + (is_size ? 3 : 0)];
    x->component = 0;
    text_printf(out, "\tld.shared.u%d %s, ", 8 * bytes, x->name);
    if (is_size)
        text_printf(out, "[%s_smc_block+%u];\n", k->fn->name, 48 + 4 * axis);
    else
        text_printf(out, "[%%smc_base+%u];\n", 4 * axis);
}

void smc_code_item(const smc_kernel *k, ptx_item *item, text *out)
{
    smc_barrier barrier;
    ptx_instruction *in = item->kind == PTX_ITEM_INSTRUCTION ? item->instruction : NULL;
    if (in && (ptx_is(in, "ret") || ptx_is(in, "exit"))) {
        guard(k, in, out);
        text_str(out, "bra $smc_done;\n");
        return;
    }
    if (in && k->meeting == MEET_AS_PROXY && smc_barrier_of(in, &barrier) && !barrier.is_counted) {
        text_str(out, "\tsetp.ne.u32 %smc_q, %smc_base, %smc_base;\n");
        guard(k, in, out);
        text_printf(out, "barrier.red.and.pred %%smc_p, %" PRIu32 ", %%smc_q;\n", barrier.number);
        return;
    }
    for (uint32_t i = 0; in && i < in->operands; i++)
        replace_index(k, &in->operand[i], ptx_type_bytes(ptx_last_type(in)) == 2 ? 2 : 4, out);
    print_item(k->fn, item, out);
}
