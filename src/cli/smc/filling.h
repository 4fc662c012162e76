/* The grid that fills a GPU with workers: as many blocks as its SMs hold at a time. */
#ifndef CLI_SMC_FILLING_H
#define CLI_SMC_FILLING_H

#include "base/text/text.h"
#include "cli/smc/state.h"

/* The shape of a block, by --block, --shared and --registers. */
typedef struct filling_shape {
    bool is_known;         /* --block is given */
    uint32_t block[3];     /* its threads */
    uint32_t shared_bytes; /* dynamic */
    uint32_t registers;    /* per thread; 0: not known, so that they do not limit */
} filling_shape;

gcast_status filling_shape_read(const args *a, filling_shape *out);

/* How many blocks of kernel number `kernel` an SM holds at a time; 0: not known, as the kernel has something that
 * cannot be run here. `gpu` NULL: the limits are those of the PTX's target. Errors are printed. */
gcast_status filling_capacity(const gcast_gpu *gpu, const filling_shape *shape, const gcast_ptx *p, uint32_t kernel,
                              uint32_t *out);

/* Writes with which grid a transformed kernel, number `kernel` of `p`, is launched. Errors are printed. */
gcast_status filling_line(const smc_request *r, const filling_shape *shape, const gcast_ptx *p, uint32_t kernel,
                          text *out);

#endif
