#include "smc/worker_code.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "smc/transformed_kernel.h"

/* Templates of the code. In them ~K is the kernel's name, ~B the number of the barrier between jobs, ~S such a barrier,
 * ~F a fence; text between ~[ and ~] is only for kernels that keep records. Registers begin with %smc_, labels with
 * $smc_. module_layout.h has the layout of the variables. */

/* Sets %smc_p: this is not the first thread of the block. */
#define NOT_FIRST_THREAD                                                                                               \
    "\tmov.u32 %smc_a, %tid.x;\n"                                                                                      \
    "\tmov.u32 %smc_b, %tid.y;\n"                                                                                      \
    "\tor.b32 %smc_a, %smc_a, %smc_b;\n"                                                                               \
    "\tmov.u32 %smc_b, %tid.z;\n"                                                                                      \
    "\tor.b32 %smc_a, %smc_a, %smc_b;\n"                                                                               \
    "\tsetp.ne.u32 %smc_p, %smc_a, 0;\n"

/* Marks the previous job as complete. %smc_n is its number plus 1; 0 and -1: there was none. */
#define MARK                                                                                                           \
    "\tadd.u32 %smc_b, %smc_n, 1;\n"                                                                                   \
    "\tsetp.gt.u32 %smc_p, %smc_b, 1;\n"                                                                               \
    "\tsub.u32 %smc_n, %smc_n, 1;\n"                                                                                   \
    "\tmad.wide.u32 %smc_at, %smc_n, 4, %smc_marks;\n"                                                                 \
    "\tshl.b32 %smc_b, %smc_sm, 12;\n"                                                                                 \
    "\tadd.u32 %smc_b, %smc_b, 4097;\n"                                                                                \
    "\t@%smc_p red.global.add.u32 [%smc_at], %smc_b;\n"

/* Writes the index of %smc_job in the grid, and its number plus 1, to the words at %smc_a. */
#define DECODE(write)                                                                                                  \
    "\tld.shared.v4.u32 {%smc_sx, %smc_sy, %smc_sz, %smc_b}, [~K_smc_block+48];\n"                                     \
    "\tmov.u32 %smc_x1, %smc_job;\n"                                                                                   \
    "\tmov.u32 %smc_y1, 0;\n"                                                                                          \
    "\tmov.u32 %smc_z1, 0;\n"                                                                                          \
    "\tmul.lo.u32 %smc_sz, %smc_sz, %smc_sy;\n"                                                                        \
    "\tsetp.eq.u32 %smc_p, %smc_sz, 1;\n" /* one dimension */                                                          \
    "\t@%smc_p bra " write ";\n"                                                                                       \
    "\tdiv.u32 %smc_b, %smc_job, %smc_sx;\n"                                                                           \
    "\tmul.lo.u32 %smc_sx, %smc_sx, %smc_b;\n"                                                                         \
    "\tsub.u32 %smc_x1, %smc_job, %smc_sx;\n"                                                                          \
    "\tdiv.u32 %smc_z1, %smc_b, %smc_sy;\n"                                                                            \
    "\tmul.lo.u32 %smc_sy, %smc_sy, %smc_z1;\n"                                                                        \
    "\tsub.u32 %smc_y1, %smc_b, %smc_sy;\n" write ":\n"                                                                \
    "\tadd.u32 %smc_job, %smc_job, 1;\n"                                                                               \
    "\tst.shared.v4.u32 [%smc_a], {%smc_x1, %smc_y1, %smc_z1, %smc_job};\n"

/* Prints a template for a kernel. */
static void print_template(const smc_kernel *k, const char *lines, text *out)
{
    bool is_modern = k->module->sm >= 70 && k->module->version_major >= 6;
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
        else if (at[1] == 'S')
            text_str(out, is_modern ? "bar.warp.sync -1;\n\tbar.sync" : "bar.sync");
        else if (at[1] == 'F')
            text_str(out, is_modern ? "fence.acq_rel.gpu" : "membar.gl");
        else if (at[1] == '[' && !k->records)
            at = strstr(at, "~]");
        at += 2;
    }
}

/* During a job these registers are in use: %smc_base (the slot of the current job), %smc_ahead, and %smc_x, %smc_y and
 * %smc_z (the index of the job) as far as the kernel still reads them.
 *
 * The first thread of the last warp manages the jobs, since the first warp of a block often has most to do. Only in
 * this thread %smc_ahead is not -1. */
static const char begin[] =
    "\t.reg .pred %smc_p, %smc_q;\n"
    "\t.reg .b16 %smc_h0, %smc_h1, %smc_h2, %smc_h3, %smc_h4, %smc_h5;\n"
    "\t.reg .b32 %smc_w3, %smc_w4, %smc_w5;\n"
    "\t.reg .b32 %smc_base, %smc_ahead, %smc_x, %smc_y, %smc_z, %smc_job, %smc_a, %smc_b, %smc_n, %smc_site;\n"
    "\t.reg .b32 %smc_sm, %smc_step, %smc_n1, %smc_x1, %smc_y1, %smc_z1;\n"
    "\t.reg .b64 %smc_marks, %smc_at;\n"
    "~[\t.reg .b64 %smc_now;\n~]"
    "\tmov.u32 %smc_base, ~K_smc_block;\n"
    "\tadd.u32 %smc_base, %smc_base, 16;\n"
    "\tmov.u32 %smc_ahead, -1;\n"
    "\tmov.u32 %smc_a, %tid.z;\n"
    "\tmov.u32 %smc_b, %ntid.y;\n"
    "\tmov.u32 %smc_n, %tid.y;\n"
    "\tmad.lo.u32 %smc_a, %smc_a, %smc_b, %smc_n;\n"
    "\tmov.u32 %smc_x, %ntid.x;\n"
    "\tmov.u32 %smc_n, %tid.x;\n"
    "\tmad.lo.u32 %smc_a, %smc_a, %smc_x, %smc_n;\n" /* the number of the thread */
    "\tmul.lo.u32 %smc_b, %smc_b, %smc_x;\n"
    "\tmov.u32 %smc_n, %ntid.z;\n"
    "\tmul.lo.u32 %smc_b, %smc_b, %smc_n;\n"
    "\tsub.u32 %smc_b, %smc_b, 1;\n"
    "\tand.b32 %smc_b, %smc_b, -32;\n"
    "\tsetp.ne.u32 %smc_p, %smc_a, %smc_b;\n"
    "\t@%smc_p bra $smc_next;\n"
    "\tmov.u32 %smc_ahead, 0;\n"
    "\tcall ~K_smc_start;\n";

static const char meet_plainly[] = "$smc_next:\n"
                                   "\txor.b32 %smc_base, %smc_base, 16;\n"
                                   "\t~S ~B;\n";

/* Threads of a warp can meet only at one instruction. So threads at a barrier of the kernel also come here, with the
 * number of that barrier in %smc_site, and go back. */
static const char meet_as_proxy[] = "$smc_next:\n"
                                    "\txor.b32 %smc_base, %smc_base, 16;\n"
                                    "\tmov.u32 %smc_site, 0;\n"
                                    "$smc_vote:\n"
                                    "\tsetp.eq.u32 %smc_q, %smc_site, 0;\n"
                                    "\tbarrier.red.and.pred %smc_p, ~B, %smc_q;\n"
                                    "\t@%smc_p bra $smc_met;\n"
                                    "\t@%smc_q bra $smc_vote;\n"
                                    "\tbra $smc_back;\n"
                                    "$smc_met:\n";

/* All threads read the next job. */
static const char met[] = "\tld.shared.v4.u32 {%smc_x, %smc_y, %smc_z, %smc_job}, [%smc_base];\n"
                          "\txor.b32 %smc_a, %smc_base, 16;\n"
                          "~[\tsetp.eq.u32 %smc_p, %smc_ahead, -1;\n"
                          "\t@%smc_p bra $smc_recorded;\n"
                          "\tmov.u64 %smc_now, %globaltimer;\n"
                          "\tld.shared.u32 %smc_n, [%smc_a+12];\n" /* the previous job ends, the next begins */
                          "\tadd.u32 %smc_b, %smc_n, 1;\n"
                          "\tsetp.gt.u32 %smc_p, %smc_b, 1;\n"
                          "\tsub.u32 %smc_n, %smc_n, 1;\n"
                          "\tld.shared.u64 %smc_at, [~K_smc_block+88];\n"
                          "\tmad.wide.u32 %smc_at, %smc_n, 24, %smc_at;\n"
                          "\tld.shared.u32 %smc_b, [~K_smc_block+96];\n"
                          "\tld.shared.u32 %smc_n, [~K_smc_block+60];\n"
                          "\t@%smc_p st.global.u64 [%smc_at+8], %smc_now;\n"
                          "\t@%smc_p st.global.v2.u32 [%smc_at+16], {%smc_b, %smc_n};\n"
                          "\tadd.u32 %smc_b, %smc_job, 1;\n"
                          "\tsetp.gt.u32 %smc_p, %smc_b, 1;\n"
                          "\tsub.u32 %smc_n, %smc_job, 1;\n"
                          "\tld.shared.u64 %smc_at, [~K_smc_block+88];\n"
                          "\tmad.wide.u32 %smc_at, %smc_n, 24, %smc_at;\n"
                          "\t@%smc_p st.global.u64 [%smc_at], %smc_now;\n"
                          "$smc_recorded:\n~]"
                          "\tadd.u32 %smc_b, %smc_job, 1;\n"
                          "\tsetp.gt.u32 %smc_p, %smc_b, 1;\n"
                          "\t@%smc_p bra $smc_job;\n"
                          "\tsetp.eq.u32 %smc_p, %smc_job, 0;\n"
                          "\t@%smc_p bra $smc_out;\n"
                          "\tsetp.eq.u32 %smc_p, %smc_ahead, -1;\n"
                          "\t@%smc_p bra $smc_next;\n"
                          "\t{\n"
                          "\t.param .b32 smc_slot;\n"
                          "\t.param .b32 smc_found;\n"
                          "\tst.param.b32 [smc_slot], %smc_a;\n"
                          "\tcall (smc_found), ~K_smc_find, (smc_slot);\n"
                          "\tld.param.b32 %smc_ahead, [smc_found];\n"
                          "\t}\n"
                          "\tbra $smc_next;\n"
                          "$smc_out:\n"
                          "\t{\n"
                          "\t.param .b32 smc_slot;\n"
                          "\tst.param.b32 [smc_slot], %smc_a;\n"
                          "\tcall ~K_smc_leave, (smc_slot);\n"
                          "\t}\n"
                          "\tret;\n"
                          "$smc_job:\n";

/* Before the managing thread meets the others after a job, it marks the job before that one, and writes the next job
 * into its slot: the next of a run of jobs with equal steps, or of a list. At the end of the run, it has to find
 * another one; without a queue, no job is left. */
static const char after[] = "\tsetp.eq.u32 %smc_p, %smc_ahead, -1;\n"
                            "\t@%smc_p bra $smc_next;\n"
                            "\txor.b32 %smc_a, %smc_base, 16;\n"
                            "\tld.shared.u32 %smc_n, [%smc_a+12];\n"
                            "\tld.shared.u64 %smc_marks, [~K_smc_block+72];\n"
                            "\tld.shared.u32 %smc_sm, [~K_smc_block+96];\n"
                            "\tld.shared.u32 %smc_step, [~K_smc_block+112];\n"
                            "\tld.shared.v4.u32 {%smc_n1, %smc_x1, %smc_y1, %smc_z1}, [~K_smc_block+32];\n" MARK
                            "\tsetp.eq.u32 %smc_p, %smc_n1, 0;\n"
                            "\t@%smc_p bra $smc_over;\n"
                            "\tsub.u32 %smc_n1, %smc_n1, 1;\n"
                            "\tst.shared.u32 [~K_smc_block+32], %smc_n1;\n"
                            "\tsetp.eq.u32 %smc_p, %smc_step, 0;\n"
                            "\t@%smc_p bra $smc_listed;\n"
                            "\tld.shared.v4.u32 {%smc_x, %smc_y, %smc_z, %smc_job}, [%smc_base];\n"
                            "\tld.shared.v2.u32 {%smc_n, %smc_b}, [~K_smc_block+48];\n"
                            "\tadd.u32 %smc_x, %smc_x, %smc_x1;\n"
                            "\tadd.u32 %smc_y, %smc_y, %smc_y1;\n"
                            "\tadd.u32 %smc_z, %smc_z, %smc_z1;\n"
                            "\tsetp.ge.u32 %smc_p, %smc_x, %smc_n;\n"
                            "\t@%smc_p sub.u32 %smc_x, %smc_x, %smc_n;\n"
                            "\t@%smc_p add.u32 %smc_y, %smc_y, 1;\n"
                            "\tsetp.ge.u32 %smc_p, %smc_y, %smc_b;\n"
                            "\t@%smc_p sub.u32 %smc_y, %smc_y, %smc_b;\n"
                            "\t@%smc_p add.u32 %smc_z, %smc_z, 1;\n"
                            "\tadd.u32 %smc_job, %smc_job, %smc_step;\n"
                            "\tst.shared.v4.u32 [%smc_a], {%smc_x, %smc_y, %smc_z, %smc_job};\n"
                            "\tbra $smc_next;\n"
                            "$smc_over:\n"
                            "\tld.shared.u32 %smc_b, [~K_smc_block+100];\n"
                            "\tsetp.eq.u32 %smc_p, %smc_b, -1;\n"
                            "\tselp.b32 %smc_b, 0, -1, %smc_p;\n"
                            "\tst.shared.u32 [%smc_a+12], %smc_b;\n"
                            "\tbra $smc_next;\n"
                            "$smc_listed:\n"
                            "\t{\n"
                            "\t.param .b32 smc_slot;\n"
                            "\t.param .b32 smc_had;\n"
                            "\t.param .b32 smc_has;\n"
                            "\tst.param.b32 [smc_slot], %smc_a;\n"
                            "\tst.param.b32 [smc_had], %smc_ahead;\n"
                            "\tcall (smc_has), ~K_smc_listed, (smc_slot, smc_had);\n"
                            "\tld.param.b32 %smc_ahead, [smc_has];\n"
                            "\t}\n"
                            "\tbra $smc_next;\n";

void smc_worker_before(const smc_kernel *k, text *out)
{
    print_template(k, begin, out);
    print_template(k, k->meeting == MEET_PLAINLY ? meet_plainly : meet_as_proxy, out);
    print_template(k, met, out);
}

void smc_worker_after(const smc_kernel *k, text *out)
{
    text_str(out, "$smc_done:\n");
    if (k->copies_async)
        text_str(out, "\tcp.async.wait_all;\n");
    print_template(k, after, out);
    if (k->meeting != MEET_AS_PROXY)
        return;
    text_str(out, "$smc_back:\n");
    for (uint32_t i = 1; i <= k->sites; i++)
        text_printf(out, "\tsetp.eq.u32 %%smc_p, %%smc_site, %" PRIu32 ";\n\t@%%smc_p bra $smc_site%" PRIu32 ";\n", i,
                    i);
    text_str(out, "\ttrap;\n");
}

/* The registers of the functions. */
#define REGISTERS                                                                                                      \
    "\t.reg .pred %smc_p, %smc_q;\n"                                                                                   \
    "\t.reg .b32 %smc_a, %smc_b, %smc_n, %smc_c, %smc_job, %smc_ahead, %smc_x, %smc_y, %smc_z;\n"                      \
    "\t.reg .b32 %smc_x1, %smc_y1, %smc_z1, %smc_sx, %smc_sy, %smc_sz;\n"                                              \
    "\t.reg .b32 %smc_sm, %smc_queue, %smc_first, %smc_end, %smc_step, %smc_wanted, %smc_seen, %smc_ticket;\n"         \
    "\t.reg .b64 %smc_at, %smc_offset, %smc_stride, %smc_copy, %smc_list, %smc_marks;\n"                               \
    "~[\t.reg .b64 %smc_now;\n\t.reg .b32 %smc_before;\n~]"

/* Takes a ticket for the worker: it decides whether the worker stays. */
static const char start[] =
    ".func ~K_smc_start()\n{\n" REGISTERS "\tld.global.v4.u32 {%smc_x, %smc_y, %smc_z, %smc_n}, [~K_smc];\n"
    "\tsetp.ne.u32 %smc_p, %smc_n, 0;\n"
    "\t@%smc_p bra $smc_planned;\n"
    "\ttrap;\n"
    "$smc_planned:\n"
    "\tld.global.u64 %smc_list, [~K_smc+48];\n"
    "\tld.global.u64 %smc_marks, [~K_smc+64];\n"
    "\tst.shared.v2.u64 [~K_smc_block+64], {%smc_list, %smc_marks};\n"
    "~[\tld.global.u64 %smc_at, [~K_smc+72];\n"
    "\tst.shared.u64 [~K_smc_block+88], %smc_at;\n~]"
    "\tmov.u64 %smc_at, 0;\n" /* no queue is entered yet */
    "\tst.shared.u64 [~K_smc_block+80], %smc_at;\n"
    "\tmov.u32 %smc_sm, %smid;\n"
    "\tmov.u32 %smc_ticket, -1;\n"
    "\tmov.u32 %smc_job, 0;\n" /* no job, unless it stays */
    "\tand.b32 %smc_n, %smc_n, 255;\n"
    "\tsetp.eq.u32 %smc_q, %smc_n, 1;\n" /* persistent: all workers stay, and take from queue 0 */
    "\tselp.b32 %smc_queue, 0, %smc_sm, %smc_q;\n"
    "\tselp.b32 %smc_job, -1, 0, %smc_q;\n"
    "\tmov.u32 %smc_a, %nctaid.x;\n"
    "\tmov.u32 %smc_b, %nctaid.y;\n"
    "\tmul.lo.u32 %smc_a, %smc_a, %smc_b;\n"
    "\tmov.u32 %smc_b, %nctaid.z;\n"
    "\tmul.lo.u32 %smc_wanted, %smc_a, %smc_b;\n"
    "\tld.global.u32 %smc_a, [~K_smc+20];\n"
    "\tsetp.ge.u32 %smc_p, %smc_sm, %smc_a;\n" /* the SM is not in the plan */
    "\t@%smc_p bra $smc_known;\n"
    "\tld.global.u64 %smc_at, [~K_smc+56];\n"
    "\tmad.wide.u32 %smc_at, %smc_sm, 4, %smc_at;\n"
    "\tatom.global.add.u32 %smc_ticket, [%smc_at], 1;\n"
    "\t@%smc_q bra $smc_known;\n"
    "\tld.global.u64 %smc_at, [~K_smc+32];\n"
    "\tmad.wide.u32 %smc_at, %smc_sm, 4, %smc_at;\n"
    "\tld.global.u32 %smc_wanted, [%smc_at];\n"
    "\tsetp.lt.u32 %smc_p, %smc_ticket, %smc_wanted;\n" /* else enough workers stay, and this one retreats */
    "\tselp.b32 %smc_job, -1, 0, %smc_p;\n"
    "$smc_known:\n"
    "\tst.shared.v4.u32 [~K_smc_block+48], {%smc_x, %smc_y, %smc_z, %smc_ticket};\n"
    "\tmov.u32 %smc_a, 0;\n"
    "\tst.shared.u32 [~K_smc_block+12], %smc_job;\n"
    "\tst.shared.u32 [~K_smc_block+28], %smc_a;\n"
    "\tst.shared.v4.u32 [~K_smc_block+96], {%smc_sm, %smc_queue, %smc_a, %smc_a};\n"
    "\tst.shared.v4.u32 [~K_smc_block+112], {%smc_a, %smc_wanted, %smc_a, %smc_a};\n"
    "\tret;\n}\n";

/* Writes the next job of a list to smc_in. Its number was loaded earlier as smc_had; the number of the job after it is
 * loaded now. */
static const char listed[] =
    ".func (.param .b32 smc_out) ~K_smc_listed(.param .b32 smc_in, .param .b32 smc_had)\n{\n" REGISTERS
    "\tld.param.u32 %smc_a, [smc_in];\n"
    "\tld.param.u32 %smc_ahead, [smc_had];\n"
    "\tld.shared.u32 %smc_n, [~K_smc_block+124];\n"
    "\tadd.u32 %smc_n, %smc_n, 1;\n" /* its place in the list */
    "\tst.shared.u32 [~K_smc_block+124], %smc_n;\n"
    "\tmov.u32 %smc_job, %smc_ahead;\n"
    "\tld.shared.u32 %smc_c, [~K_smc_block+32];\n"
    "\tsetp.ne.u32 %smc_p, %smc_c, 0;\n"
    "\tld.shared.u64 %smc_list, [~K_smc_block+64];\n"
    "\tmad.wide.u32 %smc_at, %smc_n, 4, %smc_list;\n"
    "\t@%smc_p ld.global.u32 %smc_ahead, [%smc_at+4];\n" DECODE("$smc_write") "\tst.param.b32 [smc_out], %smc_ahead;\n"
                                                                              "\tret;\n}\n";

/* Takes another run of jobs, and writes its first job into the slot of the previous one; then all threads meet again.
 * The more jobs are left in the queue, the longer the run. */
static const char find[] =
    ".func (.param .b32 smc_out) ~K_smc_find(.param .b32 smc_in)\n{\n" REGISTERS "\tld.param.u32 %smc_a, [smc_in];\n"
    "\tmov.u32 %smc_ahead, 0;\n"
    "\tld.shared.u32 %smc_n, [%smc_a+12];\n"
    "\tld.shared.v2.u64 {%smc_list, %smc_marks}, [~K_smc_block+64];\n"
    "\tld.shared.v4.u32 {%smc_sm, %smc_queue, %smc_first, %smc_end}, [~K_smc_block+96];\n"
    "\tld.shared.v4.u32 {%smc_step, %smc_wanted, %smc_seen, %smc_job}, [~K_smc_block+112];\n" MARK
    "~[\tselp.b32 %smc_before, %smc_n, -1, %smc_p;\n~]"
    "\tld.shared.u64 %smc_at, [~K_smc_block+80];\n"
    "\tsetp.ne.u64 %smc_p, %smc_at, 0;\n"
    "\t@%smc_p bra $smc_claim;\n"
    "$smc_enter:\n"
    "\tld.global.u32 %smc_b, [~K_smc+20];\n"
    "\tadd.u32 %smc_b, %smc_b, %smc_queue;\n"
    "\tld.global.u64 %smc_at, [~K_smc+56];\n"
    "\tmad.wide.u32 %smc_at, %smc_b, 4, %smc_at;\n"
    "\tst.shared.u64 [~K_smc_block+80], %smc_at;\n"
    "\tld.global.u64 %smc_offset, [~K_smc+40];\n"
    "\tmad.wide.u32 %smc_offset, %smc_queue, 4, %smc_offset;\n"
    "\tld.global.u32 %smc_first, [%smc_offset];\n"
    "\tld.global.u32 %smc_end, [%smc_offset+4];\n"
    "\tld.global.u32 %smc_b, [~K_smc+24];\n"
    "\tadd.u32 %smc_b, %smc_b, 1;\n"
    "\tmad.wide.u32 %smc_offset, %smc_b, 4, %smc_offset;\n"
    "\tld.global.u32 %smc_step, [%smc_offset];\n"
    "\tmov.u32 %smc_seen, 0;\n"
    "\tld.shared.v2.u32 {%smc_sx, %smc_sy}, [~K_smc_block+48];\n" /* the step in each dimension */
    "\tdiv.u32 %smc_b, %smc_step, %smc_sx;\n"
    "\tmul.lo.u32 %smc_c, %smc_b, %smc_sx;\n"
    "\tsub.u32 %smc_sx, %smc_step, %smc_c;\n"
    "\tdiv.u32 %smc_sz, %smc_b, %smc_sy;\n"
    "\tmul.lo.u32 %smc_c, %smc_sz, %smc_sy;\n"
    "\tsub.u32 %smc_sy, %smc_b, %smc_c;\n"
    "\tst.shared.v4.u32 [~K_smc_block+32], {%smc_c, %smc_sx, %smc_sy, %smc_sz};\n"
    "\tst.shared.v4.u32 [~K_smc_block+112], {%smc_step, %smc_wanted, %smc_seen, %smc_seen};\n"
    "\tld.global.u32 %smc_b, [~K_smc+12];\n"
    "\tand.b32 %smc_b, %smc_b, 255;\n"
    "\tsetp.eq.u32 %smc_p, %smc_b, 2;\n"
    "\t@%smc_p bra $smc_one;\n"
    "\tsetp.eq.u32 %smc_p, %smc_b, 3;\n"
    "\t@%smc_p bra $smc_segment;\n"
    "\tst.shared.v4.u32 [~K_smc_block+96], {%smc_sm, %smc_queue, %smc_first, %smc_end};\n"
    "$smc_claim:\n"
    "\tsub.u32 %smc_c, %smc_end, %smc_first;\n"
    "\tsub.u32 %smc_c, %smc_c, %smc_seen;\n"
    "\tshr.u32 %smc_c, %smc_c, 2;\n"
    "\tdiv.u32 %smc_c, %smc_c, %smc_wanted;\n"
    "\tmax.u32 %smc_c, %smc_c, 1;\n"
    "\tatom.global.add.u32 %smc_job, [%smc_at], %smc_c;\n"
    "\tadd.u32 %smc_n, %smc_first, %smc_job;\n"
    "\tsetp.ge.u32 %smc_p, %smc_n, %smc_end;\n"
    "\t@%smc_p bra $smc_empty;\n"
    "\tsub.u32 %smc_b, %smc_end, %smc_n;\n"
    "\tmin.u32 %smc_c, %smc_c, %smc_b;\n"
    "\tadd.u32 %smc_seen, %smc_job, %smc_c;\n"
    "\tst.shared.u32 [~K_smc_block+120], %smc_seen;\n"
    "\tbra $smc_run;\n"
    "$smc_empty:\n"
    "\tmov.u32 %smc_wanted, -1;\n" /* from other SMs' queues it takes one job at a time */
    "\tld.global.u32 %smc_b, [~K_smc+12];\n"
    "\tand.b32 %smc_b, %smc_b, 256;\n"
    "\tsetp.eq.u32 %smc_p, %smc_b, 0;\n" /* no stealing */
    "\t@%smc_p bra $smc_none;\n"
    "\tadd.u32 %smc_queue, %smc_queue, 1;\n"
    "\tld.global.u32 %smc_b, [~K_smc+24];\n"
    "\tsetp.ge.u32 %smc_p, %smc_queue, %smc_b;\n"
    "\t@%smc_p mov.u32 %smc_queue, 0;\n"
    "\tsetp.ne.u32 %smc_p, %smc_queue, %smc_sm;\n"
    "\t@%smc_p bra $smc_enter;\n"
    "$smc_none:\n"
    "\tmov.u32 %smc_b, 0;\n"
    "\tst.shared.u32 [%smc_a+12], %smc_b;\n"
    "\tbra $smc_end;\n"
    "$smc_one:\n"
    "\tld.shared.u32 %smc_ticket, [~K_smc_block+60];\n"
    "\tadd.u32 %smc_n, %smc_first, %smc_ticket;\n"
    "\tmov.u32 %smc_c, 1;\n"
    "\tbra $smc_fixed;\n"
    "$smc_segment:\n"
    "\tld.shared.u32 %smc_ticket, [~K_smc_block+60];\n"
    "\tsub.u32 %smc_n, %smc_end, %smc_first;\n"
    "\tdiv.u32 %smc_c, %smc_n, %smc_wanted;\n"
    "\tmul.lo.u32 %smc_b, %smc_c, %smc_wanted;\n"
    "\tsub.u32 %smc_n, %smc_n, %smc_b;\n" /* this many segments have one more job */
    "\tsetp.lt.u32 %smc_p, %smc_ticket, %smc_n;\n"
    "\tmul.lo.u32 %smc_b, %smc_c, %smc_ticket;\n"
    "\tmin.u32 %smc_n, %smc_n, %smc_ticket;\n"
    "\tadd.u32 %smc_n, %smc_n, %smc_b;\n"
    "\tadd.u32 %smc_n, %smc_n, %smc_first;\n"
    "\t@%smc_p add.u32 %smc_c, %smc_c, 1;\n"
    "$smc_fixed:\n"
    "\tmov.u32 %smc_queue, -1;\n"
    "\tst.shared.u32 [~K_smc_block+100], %smc_queue;\n"
    "\tsetp.ge.u32 %smc_p, %smc_n, %smc_end;\n"
    "\t@%smc_p bra $smc_none;\n"
    "\tsetp.eq.u32 %smc_p, %smc_c, 0;\n"
    "\t@%smc_p bra $smc_none;\n"
    "$smc_run:\n"
    "\tmad.wide.u32 %smc_at, %smc_n, 4, %smc_list;\n"
    "\tld.global.u32 %smc_job, [%smc_at];\n"
    "\tsub.u32 %smc_c, %smc_c, 1;\n"
    "\tst.shared.u32 [~K_smc_block+32], %smc_c;\n"
    "\tst.shared.u32 [~K_smc_block+124], %smc_n;\n"
    "\tsetp.ne.u32 %smc_p, %smc_c, 0;\n"
    "\t@%smc_p ld.global.u32 %smc_ahead, [%smc_at+4];\n" DECODE(
        "$smc_begin") "$smc_end:\n"
                      "~[\tsetp.ne.u32 %smc_p, %smc_before, -1;\n" /* the previous job lasts until the next is found */
                      "\tld.shared.u64 %smc_at, [~K_smc_block+88];\n"
                      "\tmad.wide.u32 %smc_at, %smc_before, 24, %smc_at;\n"
                      "\tmov.u64 %smc_now, %globaltimer;\n"
                      "\t@%smc_p st.global.u64 [%smc_at+8], %smc_now;\n~]"
                      "\tst.param.b32 [smc_out], %smc_ahead;\n"
                      "\tret;\n}\n";

/* Counts a loss if a counter %smc_y is lower than the plan needs. If %smc_p, it counts the tickets of SM %smc_x, else
 * the jobs taken from queue %smc_x - %smc_a. In modes 2 and 3, where workers have jobs of their own, tickets must
 * suffice; in the others, all jobs must be taken. */
#define LOST                                                                                                           \
    "\tld.global.u32 %smc_c, [~K_smc+12];\n"                                                                           \
    "\tand.b32 %smc_c, %smc_c, 255;\n"                                                                                 \
    "\tsub.u32 %smc_c, %smc_c, 2;\n"                                                                                   \
    "\tsetp.le.u32 %smc_q, %smc_c, 1;\n"                                                                               \
    "\tselp.u32 %smc_c, 1, 0, %smc_q;\n"                                                                               \
    "\tselp.u32 %smc_sx, 1, 0, %smc_p;\n"                                                                              \
    "\tsetp.ne.u32 %smc_q, %smc_c, %smc_sx;\n" /* the other counters decide */                                         \
    "\t@%smc_q bra $smc_told;\n"                                                                                       \
    "\tmov.u32 %smc_sx, %smc_x;\n"                                                                                     \
    "\t@!%smc_p sub.u32 %smc_sx, %smc_x, %smc_a;\n"                                                                    \
    "\tld.global.u64 %smc_list, [~K_smc+40];\n"                                                                        \
    "\tmad.wide.u32 %smc_list, %smc_sx, 4, %smc_list;\n"                                                               \
    "\tld.global.u32 %smc_first, [%smc_list];\n"                                                                       \
    "\tld.global.u32 %smc_end, [%smc_list+4];\n"                                                                       \
    "\tsub.u32 %smc_end, %smc_end, %smc_first;\n" /* jobs of the queue */                                              \
    "\tld.global.u64 %smc_list, [~K_smc+32];\n"                                                                        \
    "\tmad.wide.u32 %smc_list, %smc_sx, 4, %smc_list;\n"                                                               \
    "\t@%smc_p ld.global.u32 %smc_wanted, [%smc_list];\n"                                                              \
    "\t@%smc_p min.u32 %smc_end, %smc_end, %smc_wanted;\n"                                                             \
    "\tsetp.lt.u32 %smc_q, %smc_y, %smc_end;\n"                                                                        \
    "\tmov.u32 %smc_c, 1;\n"                                                                                           \
    "\t@%smc_q red.global.add.u32 [~K_smc_lost], %smc_c;\n"                                                            \
    "$smc_told:\n"

/* The last worker that leaves counts lost jobs, and resets the counters for the next launch. */
static const char leave[] =
    ".func ~K_smc_leave(.param .b32 smc_in)\n{\n" REGISTERS NOT_FIRST_THREAD "\t@%smc_p bra $smc_leave;\n"
    "\tld.param.u32 %smc_a, [smc_in];\n"
    "\tld.shared.u32 %smc_n, [%smc_a+12];\n"
    "\tld.shared.u32 %smc_sm, [~K_smc_block+96];\n"
    "\tld.shared.u64 %smc_marks, [~K_smc_block+72];\n" MARK "\t~F;\n"
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
    "\tst.shared.u32 [~K_smc_block+124], %smc_b;\n"
    "$smc_leave:\n"
    "\t~S ~B;\n"
    "\tld.shared.u32 %smc_b, [~K_smc_block+124];\n"
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
    "\tsetp.lt.u32 %smc_p, %smc_x, %smc_a;\n" /* a copy of the tickets stays */
    "\tld.global.u32 %smc_y, [%smc_at];\n" LOST "\tmov.u32 %smc_z, 0;\n"
    "\tst.global.u32 [%smc_at], %smc_z;\n"
    "\tadd.u64 %smc_copy, %smc_at, %smc_offset;\n"
    "\t@%smc_p st.global.u32 [%smc_copy], %smc_y;\n"
    "\tadd.u32 %smc_x, %smc_x, %smc_n;\n"
    "\tmul.wide.u32 %smc_stride, %smc_n, 4;\n"
    "\tadd.u64 %smc_at, %smc_at, %smc_stride;\n"
    "\tbra $smc_reset;\n"
    "$smc_end:\n"
    "\tret;\n}\n";

void smc_worker_functions(const smc_kernel *k, text *out)
{
    print_template(k, start, out);
    print_template(k, listed, out);
    print_template(k, find, out);
    print_template(k, leave, out);
}
