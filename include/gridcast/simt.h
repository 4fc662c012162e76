/* The SIMT machine: runs a kernel's PTX warp by warp on this computer, and
 * tells what its warps did. A report owns all that is read from it. */
#ifndef GRIDCAST_SIMT_H
#define GRIDCAST_SIMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/launch.h"
#include "gridcast/ptx.h"

GCAST_BEGIN_DECLS

struct gcast_block_shape;

/* The first target whose threads have program counters of their own. */
#define GCAST_SIMT_VOLTA 70

typedef enum {
    GCAST_SIMT_BY_TARGET, /* as the PTX says: STACK below sm_70, else THREADS */
    GCAST_SIMT_THREADS,   /* since Volta: every thread has a program counter and makes progress */
    GCAST_SIMT_STACK /* before Volta: one program counter per warp, and a stack of masks that join at post-dominators */
} gcast_simt_model;

/* PTX lets a compiler make one fma of a product and a sum that have no rounding modifier. */
typedef enum {
    GCAST_SIMT_CONTRACT_PTXAS, /* where NVIDIA's ptxas does: the GPU's bits */
    GCAST_SIMT_CONTRACT_OFF    /* never, as ptxas -fmad=false */
} gcast_simt_contract;

typedef struct gcast_simt_options {
    size_t size; /* of the struct, as the caller was compiled */
    gcast_simt_model model;
    gcast_simt_contract contract;
    uint32_t cores;                    /* of this computer; 0: all */
    uint32_t sms;                      /* %nsmid; 0: 1 */
    uint64_t max_instructions;         /* of a warp; 0: 10^9. More is an error, not a hang */
    bool profile;                      /* fill the lines of the report, sectors and bank conflicts */
    const struct gcast_cost_gpu *cost; /* estimate how long blocks take on this GPU; NULL: no */
    bool check_races;                  /* on one core; found ones are in the report */
    uint64_t interleave;     /* warps of a block take short turns in an order drawn from this; 0: long ones, in order */
    uint32_t masks_of_block; /* record the active masks over time of a warp of this block: ... */
    uint32_t masks_of_warp;  /* ... of this warp of it ... */
    uint32_t max_masks;      /* ... up to this many masks; 0: none */
    const struct gcast_gpu *gpu; /* the GPU it is compiled for, whose limits hold; NULL: the PTX's target */
    uint32_t registers;          /* per thread, as compiled: may be too many for the GPU; 0: not known */
    /* what kernels print; NULL: dropped. Blocks print in the order of their numbers. */
    void (*print)(void *data, const char *text, size_t size);
    void *print_data;
    /* Called by the caller's thread with the fraction of blocks that are done; may be NULL; false stops. Begins anew
     * where blocks turn out to exchange data. */
    bool (*progress)(void *data, double fraction);
    void *progress_data;
    /* Where blocks run, and in which order they start. A block that can only wait for others lets the next ones
     * start. */
    const uint32_t *block_sm;    /* by block number: the SM it runs on, below sms; NULL: number modulo sms */
    const uint32_t *block_order; /* block numbers in the order in which they start, each once; NULL: ascending */
    uint64_t placed_blocks;      /* length of both, which must be the blocks of the grid; without them not used */
} gcast_simt_options;

static inline gcast_simt_options gcast_simt_options_default(void)
{
    gcast_simt_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.model = GCAST_SIMT_BY_TARGET;
    return options;
}

/* Counts of warp instructions by kind. */
#define GCAST_SIMT_MIX_TABLE(X)                                                                                        \
    X(integer, "integer and logic")                                                                                    \
    X(float32, "float")                                                                                                \
    X(float64, "double")                                                                                               \
    X(special, "special functions")                                                                                    \
    X(convert, "conversions")                                                                                          \
    X(compare, "compare and select")                                                                                   \
    X(move, "moves")                                                                                                   \
    X(branch, "branches and calls")                                                                                    \
    X(global_memory, "global and generic memory")                                                                      \
    X(shared_memory, "shared memory")                                                                                  \
    X(local_memory, "local memory")                                                                                    \
    X(parameter, "parameters and constants")                                                                           \
    X(atomic, "atomics")                                                                                               \
    X(exchange, "shuffle, vote and match")                                                                             \
    X(barrier, "barriers and fences")                                                                                  \
    X(other, "other")

typedef enum {
#define GCAST_X(name, text) GCAST_SIMT_##name,
    GCAST_SIMT_MIX_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_SIMT_MIX
} gcast_simt_mix;

/* What was counted, of the whole launch or of a line. Requests are warp instructions that access memory. */
typedef struct gcast_simt_counts {
    uint64_t instructions;        /* issued to a warp */
    uint64_t thread_instructions; /* active lanes of these */
    /* idle lanes, by reason; with the active ones they are 32 per instruction */
    uint64_t lost_divergence;     /* on another path */
    uint64_t lost_return;         /* the thread has returned */
    uint64_t lost_block;          /* no thread has the lane: block sizes that are no multiple of 32 */
    uint64_t branches, divergent; /* conditional branches of warps, and those that went both ways */
    uint64_t requests, sectors;   /* of global memory; 32 bytes each */
    uint64_t shared_requests, shared_wavefronts;
    uint64_t atomics, atomic_rounds;  /* rounds: per request, the maximum number of lanes at one address */
    uint64_t barriers, barrier_waits; /* arrivals of warps; instructions between an arrival and the last one, summed */
    uint64_t mix[GCAST_SIMT_MIX];
} gcast_simt_counts;

typedef struct gcast_simt_line {
    const char *file;  /* of the source, from .loc; NULL: PTX lines */
    uint32_t line;     /* in it */
    uint32_t ptx_line; /* the first of its instructions */
    gcast_simt_counts counts;
} gcast_simt_line;

typedef enum {
    GCAST_RACE_UNORDERED,    /* a race: nothing orders the accesses */
    GCAST_RACE_NOT_PROMISED, /* what orders them promises no order of memory: atomics without fences, shuffles */
    GCAST_RACE_SAME_VALUE    /* nothing orders them, but both write the same */
} gcast_race_kind;

/* The access of one of two threads that race on a byte. */
typedef struct gcast_simt_access {
    uint64_t block;
    uint32_t thread; /* of the block; both are flat numbers */
    uint32_t ptx_line;
    const char *file; /* of the source; NULL: not known */
    uint32_t line;
    bool writes;
    char instruction[48]; /* "atom.global.cas.b32"; empty: a plain load or store */
} gcast_simt_access;

/* Two instructions whose threads access the same bytes, where at least one writes. The two accesses are those of the
 * first threads that did. */
typedef struct gcast_simt_race {
    gcast_race_kind kind;
    bool shared;        /* on shared memory; else on global */
    const char *buffer; /* global: whose bytes; NULL: not known */
    uint64_t address;   /* in shared memory, or in the buffer */
    gcast_simt_access first, second;
    const char *why;
    uint64_t times; /* how often the two instructions raced */
} gcast_simt_race;

typedef struct gcast_simt_mask {
    uint32_t ptx_line, source_line;
    uint32_t active, returned; /* lanes that run, and lanes whose thread has returned */
} gcast_simt_mask;

/* Cycles of a block alone on an SM by the cost model, and cycles that the busiest unit of the SM works. */
typedef struct gcast_block_cost {
    uint64_t cycles, busy;
    uint32_t unit; /* what was busiest: a number of the cost model */
} gcast_block_cost;

typedef struct gcast_simt_report {
    gcast_simt_counts counts;
    uint64_t blocks, warps;
    uint64_t max_warp_instructions; /* maximum over the warps */
    uint32_t registers;             /* declared by the kernel: 32-bit registers of PTX per thread */
    uint32_t shared_bytes;          /* per block, static and dynamic */
    uint32_t local_bytes;           /* per thread */
    uint32_t estimated_registers;   /* per thread, as ptxas might compile it ... */
    uint32_t registers_margin;      /* ... with an error of at most this for nine of ten kernels (docs/exec.md) */
    uint32_t contracted;            /* executed additions that ptxas contracts with a product to an fma */
    uint32_t lines, masks;
    uint32_t races, race_notes; /* number of GCAST_RACE_UNORDERED, and of the other kinds, which follow in the list */
    bool races_cut;             /* a byte had so many accesses that races may have been missed */
    const gcast_simt_line *line;
    const gcast_simt_race *race; /* races + race_notes */
    const gcast_simt_mask *mask;
    const gcast_block_cost *cost; /* by block; NULL: not asked for */
    gcast_simt_model model;       /* the model it ran with: THREADS or STACK */
    int sm;                       /* of the PTX: NN of .target sm_NN; 0: it names none */
    bool one_by_one;              /* blocks exchange data, so they ran one after the other, with any number of cores */
} gcast_simt_report;

/* Buffers of the launch are changed in place, unless it fails. An access out of bounds or misaligned, a deadlock or an
 * unsupported instruction is GCAST_INPUT with the PTX line and column, and names thread, block and masks. */
GCAST_API gcast_status gcast_simt_run(const gcast_ptx *p, gcast_launch *launch, const gcast_simt_options *options,
                                      gcast_simt_report **out, gcast_error *err);
GCAST_API void gcast_simt_report_free(gcast_simt_report *r);

/* What a block of the launch takes of an SM: its threads and shared memory, and the registers that the options say. */
GCAST_API gcast_status gcast_simt_block_shape(const gcast_ptx *p, const gcast_launch *launch,
                                              const gcast_simt_options *options, struct gcast_block_shape *out,
                                              gcast_error *err);

/* What is supported: instruction `index` as "add", "{.sat}.s32 ..."; false after the last. */
GCAST_API bool gcast_simt_instruction(uint32_t index, const char **name, const char **forms);

GCAST_END_DECLS

#endif
