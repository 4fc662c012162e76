/* The special registers that the machine knows, and two values that ops read in the same way: the address of the frame,
 * and the active mask. */
#ifndef SIMT_MACHINE_SPECIAL_REGISTERS_H
#define SIMT_MACHINE_SPECIAL_REGISTERS_H

#include <stdint.h>

#include "simt/machine/machine.h"

/* name, spelling, component (0: it has none), bits; the components of a register follow each other */
#define SPECIAL_TABLE(X)                                                                                               \
    X(tid_x, "%tid", 1, 32)                                                                                            \
    X(tid_y, "%tid", 2, 32)                                                                                            \
    X(tid_z, "%tid", 3, 32)                                                                                            \
    X(ntid_x, "%ntid", 1, 32)                                                                                          \
    X(ntid_y, "%ntid", 2, 32)                                                                                          \
    X(ntid_z, "%ntid", 3, 32)                                                                                          \
    X(ctaid_x, "%ctaid", 1, 32)                                                                                        \
    X(ctaid_y, "%ctaid", 2, 32)                                                                                        \
    X(ctaid_z, "%ctaid", 3, 32)                                                                                        \
    X(nctaid_x, "%nctaid", 1, 32)                                                                                      \
    X(nctaid_y, "%nctaid", 2, 32)                                                                                      \
    X(nctaid_z, "%nctaid", 3, 32)                                                                                      \
    X(clusterid_x, "%clusterid", 1, 32)                                                                                \
    X(clusterid_y, "%clusterid", 2, 32)                                                                                \
    X(clusterid_z, "%clusterid", 3, 32)                                                                                \
    X(nclusterid_x, "%nclusterid", 1, 32)                                                                              \
    X(nclusterid_y, "%nclusterid", 2, 32)                                                                              \
    X(nclusterid_z, "%nclusterid", 3, 32)                                                                              \
    X(cluster_ctaid_x, "%cluster_ctaid", 1, 32)                                                                        \
    X(cluster_ctaid_y, "%cluster_ctaid", 2, 32)                                                                        \
    X(cluster_ctaid_z, "%cluster_ctaid", 3, 32)                                                                        \
    X(cluster_nctaid_x, "%cluster_nctaid", 1, 32)                                                                      \
    X(cluster_nctaid_y, "%cluster_nctaid", 2, 32)                                                                      \
    X(cluster_nctaid_z, "%cluster_nctaid", 3, 32)                                                                      \
    X(cluster_ctarank, "%cluster_ctarank", 0, 32)                                                                      \
    X(cluster_nctarank, "%cluster_nctarank", 0, 32)                                                                    \
    X(is_explicit_cluster, "%is_explicit_cluster", 0, 1)                                                               \
    X(laneid, "%laneid", 0, 32)                                                                                        \
    X(warpid, "%warpid", 0, 32)                                                                                        \
    X(nwarpid, "%nwarpid", 0, 32)                                                                                      \
    X(smid, "%smid", 0, 32)                                                                                            \
    X(nsmid, "%nsmid", 0, 32)                                                                                          \
    X(gridid, "%gridid", 0, 64)                                                                                        \
    X(lanemask_eq, "%lanemask_eq", 0, 32)                                                                              \
    X(lanemask_le, "%lanemask_le", 0, 32)                                                                              \
    X(lanemask_lt, "%lanemask_lt", 0, 32)                                                                              \
    X(lanemask_ge, "%lanemask_ge", 0, 32)                                                                              \
    X(lanemask_gt, "%lanemask_gt", 0, 32)                                                                              \
    X(clock, "%clock", 0, 32)                                                                                          \
    X(clock_hi, "%clock_hi", 0, 32)                                                                                    \
    X(clock64, "%clock64", 0, 64)                                                                                      \
    X(globaltimer, "%globaltimer", 0, 64)                                                                              \
    X(globaltimer_lo, "%globaltimer_lo", 0, 32)                                                                        \
    X(globaltimer_hi, "%globaltimer_hi", 0, 32)                                                                        \
    X(dynamic_smem_size, "%dynamic_smem_size", 0, 32)                                                                  \
    X(total_smem_size, "%total_smem_size", 0, 32)                                                                      \
    X(aggr_smem_size, "%aggr_smem_size", 0, 32)                                                                        \
    X(reserved_begin, "%reserved_smem_offset_begin", 0, 32)                                                            \
    X(reserved_end, "%reserved_smem_offset_end", 0, 32)                                                                \
    X(reserved_cap, "%reserved_smem_offset_cap", 0, 32)                                                                \
    X(reserved_0, "%reserved_smem_offset_0", 0, 32)                                                                    \
    X(reserved_1, "%reserved_smem_offset_1", 0, 32)                                                                    \
    X(envreg1, "%envreg1", 0, 32)                                                                                      \
    X(envreg2, "%envreg2", 0, 32)                                                                                      \
    X(frame_address, "", 0, 64) /* of local memory: the base of .local variables */                                    \
    X(activemask, "", 0, 32)

typedef enum {
#define X(name, text, component, bits) SPECIAL_##name,
    SPECIAL_TABLE(X)
#undef X
} special;

/* A flag of op.variant: the row has 64 bits where the register has 32, or 32 where it has 64. */
#define SPECIAL_OTHER_WIDTH 0x80

/* By special register: its size in bits. */
extern const uint8_t special_bits[];

/* The number of a special register; -1: the machine does not know it. */
int special_register(const char *name, int component);

/* Writes the special register that the op names to its row, for the lanes of mask m. */
void special_read(core *c, warp *w, const op *o, uint32_t m);

#endif
