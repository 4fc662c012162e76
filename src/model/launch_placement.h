/* Placements: which SM each block of a kernel runs on, and the order in which blocks start. CUDA promises nothing about
 * either, so a kernel that reads %smid must be right with all of them; gcast_simt_options takes one. */
#ifndef MODEL_LAUNCH_PLACEMENT_H
#define MODEL_LAUNCH_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "gridcast/error.h"

/* The i-th block that starts is block i except where another order is named. */
#define GCAST_PLACEMENT_KIND_TABLE(X)                                                                                  \
    X(HARDWARE, "hardware", "as on an idle GPU: a block on each even SM, on each odd one, and so on in turn")          \
    X(MODULO, "modulo", "block i on SM i modulo the number of SMs")                                                    \
    X(RANDOM, "random", "SMs and order drawn; an SM has at most per_sm of any per_sm x sms starts in a row")           \
    X(REVERSED, "reversed", "SMs as of hardware; the last block starts first")                                         \
    X(STARVED, "starved", "SM seed modulo sms has no block, the others have them in turn")                             \
    X(UNEVEN, "uneven", "SM k has about k + 1 times as many blocks as SM 0")                                           \
    X(CROWDED, "crowded", "all blocks on SM seed modulo sms")

typedef enum {
#define GCAST_X(id, name, text) GCAST_PLACEMENT_KIND_##id,
    GCAST_PLACEMENT_KIND_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_PLACEMENT_KINDS
} gcast_placement_kind;

#define GCAST_PLACEMENT_MAX_PER_SM 1024

/* Fills block_sm (by block number: its SM) and block_order (block numbers in the order in which they start), each of
 * `blocks` entries. per_sm is how many blocks an SM holds at a time, at most GCAST_PLACEMENT_MAX_PER_SM. The same
 * arguments give the same placement. GCAST_USAGE where an argument is out of range, or `starved` has only one SM. */
gcast_status gcast_placement_make(gcast_placement_kind kind, uint64_t seed, uint32_t sms, uint32_t per_sm,
                                  uint64_t blocks, uint32_t *block_sm, uint32_t *block_order, gcast_error *err);

/* The placement of a kernel in the text of a gridcast.run/1 with blocks, simulated or measured: each block's SM, and
 * blocks by their start, of equal ones the lower number first. `kernel` is a label, or LABEL#JOB; NULL: the only
 * operation with this number of blocks. A label with several jobs is its first. *sms is the GPU's. `file` is for
 * errors. */
gcast_status gcast_placement_read(const char *text, size_t size, const char *file, const char *kernel, uint64_t blocks,
                                  uint32_t *sms, uint32_t *block_sm, uint32_t *block_order, gcast_error *err);

#endif
