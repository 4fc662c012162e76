/* Text that worker_code and worker_functions share. In templates ~K is the kernel's name, ~B the number of the barrier
 * between jobs, ~S such a barrier, ~F a fence; what is between ~[ and ~] is only for kernels that keep records.
 * Registers begin with %smc_, labels with $smc_. module_layout.h says what is where. */
#ifndef SMC_WORKER_PARTS_H
#define SMC_WORKER_PARTS_H

#include "base/text/text.h"
#include "smc/state.h"

/* Writes a template for a kernel. */
void smc_worker_template(const smc_kernel *k, const char *lines, text *out);

/* %smc_p: this is not the first thread of the block. */
#define NOT_FIRST_THREAD                                                                                               \
    "\tmov.u32 %smc_a, %tid.x;\n"                                                                                      \
    "\tmov.u32 %smc_b, %tid.y;\n"                                                                                      \
    "\tor.b32 %smc_a, %smc_a, %smc_b;\n"                                                                               \
    "\tmov.u32 %smc_b, %tid.z;\n"                                                                                      \
    "\tor.b32 %smc_a, %smc_a, %smc_b;\n"                                                                               \
    "\tsetp.ne.u32 %smc_p, %smc_a, 0;\n"

/* %smc_n is the number of the job before, plus 1; 0 and -1: there was none. It is complete now, and leaves its mark. */
#define MARK                                                                                                           \
    "\tadd.u32 %smc_b, %smc_n, 1;\n"                                                                                   \
    "\tsetp.gt.u32 %smc_p, %smc_b, 1;\n"                                                                               \
    "\tsub.u32 %smc_n, %smc_n, 1;\n"                                                                                   \
    "\tmad.wide.u32 %smc_at, %smc_n, 4, %smc_marks;\n"                                                                 \
    "\tshl.b32 %smc_b, %smc_sm, 12;\n"                                                                                 \
    "\tadd.u32 %smc_b, %smc_b, 4097;\n"                                                                                \
    "\t@%smc_p red.global.add.u32 [%smc_at], %smc_b;\n"

/* The index of %smc_job in the grid becomes the words at %smc_a. */
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

#endif
