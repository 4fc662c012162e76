/* During a job %smc_base (the place of the job at hand), %smc_ahead, and what the kernel still needs of %smc_x, %smc_y
 * and %smc_z, its index, stay in registers. */
#include "smc/worker_code.h"

#include <inttypes.h>

#include "smc/worker_parts.h"

/* The first thread alone has a %smc_ahead that is not -1. */
static const char begin[] =
    "\t.reg .pred %smc_p, %smc_q;\n"
    "\t.reg .b16 %smc_h0, %smc_h1, %smc_h2, %smc_h3, %smc_h4, %smc_h5;\n"
    "\t.reg .b32 %smc_w3, %smc_w4, %smc_w5;\n"
    "\t.reg .b32 %smc_base, %smc_ahead, %smc_x, %smc_y, %smc_z, %smc_now_job;\n"
    "\t.reg .b32 %smc_a, %smc_b, %smc_n, %smc_c, %smc_job, %smc_x1, %smc_y1, %smc_z1, %smc_sx, %smc_sy, %smc_sz;\n"
    "\t.reg .b32 %smc_sm, %smc_queue, %smc_first, %smc_end, %smc_step, %smc_wanted, %smc_seen, %smc_site;\n"
    "\t.reg .b64 %smc_at, %smc_list, %smc_marks;\n"
    "~[\t.reg .b64 %smc_now;\n~]"
    "\tmov.u32 %smc_base, ~K_smc_block;\n"
    "\tadd.u32 %smc_base, %smc_base, 16;\n"
    "\tmov.u32 %smc_ahead, -1;\n" NOT_FIRST_THREAD "\t@%smc_p bra $smc_next;\n"
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

/* All learn the next job. The first thread marks the one before, and writes the one after into its place, so that
 * nobody has to wait for it: the next of a run of jobs at equal steps, or of a list. */
static const char met[] =
    "\tld.shared.v4.u32 {%smc_x, %smc_y, %smc_z, %smc_now_job}, [%smc_base];\n"
    "\txor.b32 %smc_a, %smc_base, 16;\n"
    "\tsetp.eq.u32 %smc_p, %smc_now_job, -1;\n"
    "\t@%smc_p bra $smc_refill;\n"
    "\tsetp.eq.u32 %smc_p, %smc_ahead, -1;\n"
    "\t@%smc_p bra $smc_go;\n"
    "\tld.shared.u32 %smc_n, [%smc_a+12];\n"
    "\tld.shared.v4.u32 {%smc_c, %smc_sx, %smc_sy, %smc_sz}, [~K_smc_block+32];\n"
    "\tld.shared.v2.u64 {%smc_list, %smc_marks}, [~K_smc_block+64];\n"
    "\tld.shared.v4.u32 {%smc_sm, %smc_queue, %smc_first, %smc_end}, [~K_smc_block+96];\n"
    "\tld.shared.v4.u32 {%smc_step, %smc_wanted, %smc_seen, %smc_job}, [~K_smc_block+112];\n"
    "\tld.shared.v2.u32 {%smc_first, %smc_end}, [~K_smc_block+48];\n" MARK "~[\tadd.u32 %smc_n, %smc_now_job, -1;\n"
    "\tsetp.ne.u32 %smc_p, %smc_now_job, 0;\n"
    "\tld.shared.u64 %smc_at, [~K_smc_block+88];\n"
    "\tmad.wide.u32 %smc_at, %smc_n, 24, %smc_at;\n"
    "\t@%smc_p st.global.u64 [%smc_at], %smc_now;\n~]"
    "\tsetp.eq.u32 %smc_p, %smc_now_job, 0;\n"
    "\t@%smc_p bra $smc_go;\n"
    "\tsetp.eq.u32 %smc_p, %smc_c, 0;\n" /* the run is over: ask for another, or, without a queue, end */
    "\t@%smc_p bra $smc_over;\n"
    "\tsub.u32 %smc_c, %smc_c, 1;\n"
    "\tst.shared.u32 [~K_smc_block+32], %smc_c;\n"
    "\tsetp.eq.u32 %smc_p, %smc_step, 0;\n"
    "\t@%smc_p bra $smc_listed;\n"
    "\tadd.u32 %smc_x1, %smc_x, %smc_sx;\n"
    "\tadd.u32 %smc_y1, %smc_y, %smc_sy;\n"
    "\tadd.u32 %smc_z1, %smc_z, %smc_sz;\n"
    "\tsetp.ge.u32 %smc_p, %smc_x1, %smc_first;\n"
    "\t@%smc_p sub.u32 %smc_x1, %smc_x1, %smc_first;\n"
    "\t@%smc_p add.u32 %smc_y1, %smc_y1, 1;\n"
    "\tsetp.ge.u32 %smc_p, %smc_y1, %smc_end;\n"
    "\t@%smc_p sub.u32 %smc_y1, %smc_y1, %smc_end;\n"
    "\t@%smc_p add.u32 %smc_z1, %smc_z1, 1;\n"
    "\tadd.u32 %smc_job, %smc_now_job, %smc_step;\n"
    "\tst.shared.v4.u32 [%smc_a], {%smc_x1, %smc_y1, %smc_z1, %smc_job};\n"
    "\tbra $smc_go;\n"
    "$smc_listed:\n"
    "\tadd.u32 %smc_n, %smc_job, 1;\n" /* its place in the list */
    "\tst.shared.u32 [~K_smc_block+124], %smc_n;\n"
    "\tmov.u32 %smc_job, %smc_ahead;\n"
    "\tsetp.ne.u32 %smc_p, %smc_c, 0;\n"
    "\tmad.wide.u32 %smc_at, %smc_n, 4, %smc_list;\n"
    "\t@%smc_p ld.global.u32 %smc_ahead, [%smc_at+4];\n" DECODE("$smc_write") "\tbra $smc_go;\n"
                                                                              "$smc_over:\n"
                                                                              "\tsetp.eq.u32 %smc_p, %smc_queue, -1;\n"
                                                                              "\tselp.b32 %smc_b, 0, -1, %smc_p;\n"
                                                                              "\tst.shared.u32 [%smc_a+12], %smc_b;\n"
                                                                              "$smc_go:\n"
                                                                              "\tsetp.ne.u32 %smc_p, %smc_now_job, 0;\n"
                                                                              "\t@%smc_p bra $smc_job;\n"
                                                                              "\tbra $smc_out;\n";

static const char refill[] = "$smc_refill:\n"
                             "\tsetp.eq.u32 %smc_p, %smc_ahead, -1;\n"
                             "\t@%smc_p bra $smc_next;\n"
                             "\t{\n"
                             "\t.param .b32 smc_slot;\n"
                             "\t.param .b32 smc_next;\n"
                             "\tst.param.b32 [smc_slot], %smc_a;\n"
                             "\tcall (smc_next), ~K_smc_find, (smc_slot);\n"
                             "\tld.param.b32 %smc_ahead, [smc_next];\n"
                             "\t}\n"
                             "\tbra $smc_next;\n"
                             "$smc_out:\n"
                             "\tcall ~K_smc_leave;\n"
                             "\tret;\n"
                             "$smc_job:\n";

void smc_worker_before(const smc_kernel *k, text *out)
{
    smc_worker_template(k, begin, out);
    smc_worker_template(k, k->meeting == MEET_PLAINLY ? meet_plainly : meet_as_proxy, out);
    smc_worker_template(k, met, out);
    smc_worker_template(k, refill, out);
}

void smc_worker_after(const smc_kernel *k, text *out)
{
    text_str(out, "$smc_done:\n");
    if (k->copies_async)
        text_str(out, "\tcp.async.wait_all;\n");
    text_str(out, "\tbra $smc_next;\n");
    if (k->meeting != MEET_AS_PROXY)
        return;
    text_str(out, "$smc_back:\n");
    for (uint32_t i = 1; i <= k->sites; i++)
        text_printf(out, "\tsetp.eq.u32 %%smc_p, %%smc_site, %" PRIu32 ";\n\t@%%smc_p bra $smc_site%" PRIu32 ";\n", i,
                    i);
    text_str(out, "\ttrap;\n");
}
