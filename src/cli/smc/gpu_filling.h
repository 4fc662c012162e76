/* The grid that fills a GPU with workers: as many blocks as its SMs hold at a time. */
#ifndef CLI_SMC_GPU_FILLING_H
#define CLI_SMC_GPU_FILLING_H

#include "base/text.h"
#include "cli/smc/plan_args.h"

/* The shape of a block, as --block, --shared and --registers give it. */
typedef struct filling_shape {
    bool is_known;         /* --block is given */
    uint32_t block[3];     /* its threads */
    uint32_t shared_bytes; /* dynamic */
    uint32_t registers;    /* per thread; 0: not known, no limit */
} filling_shape;

/* Errors are printed, here and below. */
gcast_status filling_shape_read(const args *a, filling_shape *out);

/* How many blocks of kernel number `kernel` an SM holds at a time; 0: not known, since the kernel cannot be run here.
 * `gpu` NULL: the limits of the target of the PTX count. */
gcast_status filling_capacity(const gcast_gpu *gpu, const filling_shape *shape, const gcast_ptx *p, uint32_t kernel,
                              uint32_t *out);

/* Writes a line that says with which grid the transformed kernel number `kernel` of `p` is to be launched. */
gcast_status filling_line(const smc_request *r, const filling_shape *shape, const gcast_ptx *p, uint32_t kernel,
                          text *out);

#endif
