#include "smc/worker_functions.h"

#include "smc/worker_parts.h"

/* Registers of the functions. */
#define REGISTERS                                                                                                      \
    "\t.reg .pred %smc_p, %smc_q;\n"                                                                                   \
    "\t.reg .b32 %smc_a, %smc_b, %smc_n, %smc_c, %smc_job, %smc_ahead, %smc_x, %smc_y, %smc_z;\n"                      \
    "\t.reg .b32 %smc_x1, %smc_y1, %smc_z1, %smc_sx, %smc_sy, %smc_sz;\n"                                              \
    "\t.reg .b32 %smc_sm, %smc_queue, %smc_first, %smc_end, %smc_step, %smc_wanted, %smc_seen, %smc_ticket;\n"         \
    "\t.reg .b64 %smc_at, %smc_offset, %smc_stride, %smc_copy, %smc_list, %smc_marks;\n"                               \
    "~[\t.reg .b64 %smc_now;\n\t.reg .b32 %smc_before;\n~]"
/* Takes a ticket for the worker. */
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
    "\tmov.u32 %smc_job, 0;\n" /* nothing to do, if it stays */
    "\tand.b32 %smc_n, %smc_n, 255;\n"
    "\tsetp.eq.u32 %smc_q, %smc_n, 1;\n" /* persistent: everyone stays, and takes from queue 0 */
    "\tselp.b32 %smc_queue, 0, %smc_sm, %smc_q;\n"
    "\tselp.b32 %smc_job, -1, 0, %smc_q;\n"
    "\tmov.u32 %smc_a, %nctaid.x;\n"
    "\tmov.u32 %smc_b, %nctaid.y;\n"
    "\tmul.lo.u32 %smc_a, %smc_a, %smc_b;\n"
    "\tmov.u32 %smc_b, %nctaid.z;\n"
    "\tmul.lo.u32 %smc_wanted, %smc_a, %smc_b;\n"
    "\tld.global.u32 %smc_a, [~K_smc+20];\n"
    "\tsetp.ge.u32 %smc_p, %smc_sm, %smc_a;\n" /* an SM that the plan does not know */
    "\t@%smc_p bra $smc_known;\n"
    "\tld.global.u64 %smc_at, [~K_smc+56];\n"
    "\tmad.wide.u32 %smc_at, %smc_sm, 4, %smc_at;\n"
    "\tatom.global.add.u32 %smc_ticket, [%smc_at], 1;\n"
    "\t@%smc_q bra $smc_known;\n"
    "\tld.global.u64 %smc_at, [~K_smc+32];\n"
    "\tmad.wide.u32 %smc_at, %smc_sm, 4, %smc_at;\n"
    "\tld.global.u32 %smc_wanted, [%smc_at];\n"
    "\tsetp.lt.u32 %smc_p, %smc_ticket, %smc_wanted;\n" /* else enough stay, and this one retreats */
    "\tselp.b32 %smc_job, -1, 0, %smc_p;\n"
    "$smc_known:\n"
    "\tst.shared.v4.u32 [~K_smc_block+48], {%smc_x, %smc_y, %smc_z, %smc_ticket};\n"
    "\tmov.u32 %smc_a, 0;\n"
    "\tst.shared.u32 [~K_smc_block+12], %smc_job;\n"
    "\tst.shared.u32 [~K_smc_block+28], %smc_a;\n"
    "\tst.shared.v4.u32 [~K_smc_block+96], {%smc_sm, %smc_queue, %smc_a, %smc_a};\n"
    "\tst.shared.v4.u32 [~K_smc_block+112], {%smc_a, %smc_wanted, %smc_a, %smc_a};\n"
    "\tret;\n}\n";

/* Writes the next job of a list at smc_in: it is smc_had, which was asked for before, and the one after it is asked
 * for. */
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

/* Takes another run of jobs, and writes its first one where the job before was; then all meet again.
 * The more jobs are left in the queue, the more it takes at once. */
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
    "\tmov.u32 %smc_wanted, -1;\n" /* of other SMs' queues it takes one job at a time */
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
    "\tsub.u32 %smc_n, %smc_n, %smc_b;\n" /* so many segments have one more */
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
                      "~[\tsetp.ne.u32 %smc_p, %smc_before, -1;\n" /* the job before lasts until the next is found */
                      "\tld.shared.u64 %smc_at, [~K_smc_block+88];\n"
                      "\tmad.wide.u32 %smc_at, %smc_before, 24, %smc_at;\n"
                      "\tmov.u64 %smc_now, %globaltimer;\n"
                      "\t@%smc_p st.global.u64 [%smc_at+8], %smc_now;\n~]"
                      "\tst.param.b32 [smc_out], %smc_ahead;\n"
                      "\tret;\n}\n";

/* %smc_y is a counter: of the tickets of SM %smc_x where %smc_p, else of the jobs taken of queue %smc_x - %smc_a. Were
 * there fewer than the plan needs? Workers with jobs of their own (modes 2 and 3) need a worker each, the others need
 * every job to be taken. */
#define LOST                                                                                                           \
    "\tld.global.u32 %smc_c, [~K_smc+12];\n"                                                                           \
    "\tand.b32 %smc_c, %smc_c, 255;\n"                                                                                 \
    "\tsub.u32 %smc_c, %smc_c, 2;\n"                                                                                   \
    "\tsetp.le.u32 %smc_q, %smc_c, 1;\n"                                                                               \
    "\tselp.u32 %smc_c, 1, 0, %smc_q;\n"                                                                               \
    "\tselp.u32 %smc_sx, 1, 0, %smc_p;\n"                                                                              \
    "\tsetp.ne.u32 %smc_q, %smc_c, %smc_sx;\n" /* the other counters tell */                                           \
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

/* The last worker that leaves says whether jobs were lost, and makes the counters ready for the next launch. */
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
    "\tsetp.lt.u32 %smc_p, %smc_x, %smc_a;\n" /* of tickets a copy stays */
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
    smc_worker_template(k, start, out);
    smc_worker_template(k, listed, out);
    smc_worker_template(k, find, out);
    smc_worker_template(k, leave, out);
}
