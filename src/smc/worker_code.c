/* During a job %smc_base (the place of the job at hand), %smc_ahead, and what the kernel still needs of %smc_x, %smc_y
 * and %smc_z, its index, stay in registers. */
#include "smc/worker_code.h"

#include <inttypes.h>

#include "smc/worker_parts.h"

/* The first thread of the last warp looks after jobs, since the first warp of a block often has most to do. It alone
 * has a %smc_ahead that is not -1. */
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

/* Threads of a warp can meet only at one instruction. So those that reach a barrier of the kernel come here, too, with
 * its number as %smc_site, and go back. */
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

/* All learn the next job. */
static const char met[] = "\tld.shared.v4.u32 {%smc_x, %smc_y, %smc_z, %smc_job}, [%smc_base];\n"
                          "\txor.b32 %smc_a, %smc_base, 16;\n"
                          "~[\tsetp.eq.u32 %smc_p, %smc_ahead, -1;\n"
                          "\t@%smc_p bra $smc_recorded;\n"
                          "\tmov.u64 %smc_now, %globaltimer;\n"
                          "\tld.shared.u32 %smc_n, [%smc_a+12];\n" /* the job before ends, the next begins */
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

/* The thread that looks after jobs marks the one before the one that ends, and writes the next one into its place,
 * before it meets the others: the next of a run of jobs at equal steps, or of a list. At the end of the run another has
 * to be found, or, without a queue, none is left. */
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
    smc_worker_template(k, begin, out);
    smc_worker_template(k, k->meeting == MEET_PLAINLY ? meet_plainly : meet_as_proxy, out);
    smc_worker_template(k, met, out);
}

void smc_worker_after(const smc_kernel *k, text *out)
{
    text_str(out, "$smc_done:\n");
    if (k->copies_async)
        text_str(out, "\tcp.async.wait_all;\n");
    smc_worker_template(k, after, out);
    if (k->meeting != MEET_AS_PROXY)
        return;
    text_str(out, "$smc_back:\n");
    for (uint32_t i = 1; i <= k->sites; i++)
        text_printf(out, "\tsetp.eq.u32 %%smc_p, %%smc_site, %" PRIu32 ";\n\t@%%smc_p bra $smc_site%" PRIu32 ";\n", i,
                    i);
    text_str(out, "\ttrap;\n");
}
