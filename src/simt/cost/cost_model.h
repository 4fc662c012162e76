/* The cost model (docs/exec.md) finds when each instruction of a block issues: every warp has a clock, and every
 * register a time from which it can be read; instructions issue in order and share the units of their SM. Times are in
 * hundredths of a cycle. */
#ifndef SIMT_COST_COST_MODEL_H
#define SIMT_COST_COST_MODEL_H

#include "simt/machine/machine.h"

#define COST_CYCLE 100
#define COST_L1_SECTORS 4096 /* 128 KiB, direct-mapped; on a GPU, L1 has the memory that shared memory leaves */

/* Units: name, text for people, whether an SM has one of it (otherwise each quarter of the SM has one). */
#define COST_UNIT_TABLE(X)                                                                                             \
    X(issue, "issue slots", false)                                                                                     \
    X(alu, "integer unit", false)                                                                                      \
    X(fma, "float unit", false)                                                                                        \
    X(double, "double unit", false)                                                                                    \
    X(special, "special functions", false)                                                                             \
    X(memory, "loads and stores", true)                                                                                \
    X(l2, "L2 reads", true)                                                                                            \
    X(write, "L2 writes", true)                                                                                        \
    X(atomic, "L2 atomics", true)

typedef enum {
#define X(name, text, shared) UNIT_##name,
    COST_UNIT_TABLE(X)
#undef X
        COST_UNITS
} cost_unit;

/* Classes of instructions: name, unit that it keeps busy. */
#define COST_CLASS_TABLE(X)                                                                                            \
    X(free, issue)      /* no instruction of the GPU: moves, parameters, or a part of another instruction */           \
    X(special, special) /* special registers */                                                                        \
    X(alu, alu)                                                                                                        \
    X(alu64, alu)                                                                                                      \
    X(select, alu) /* compare and select */                                                                            \
    X(mul, fma)                                                                                                        \
    X(mul_wide, fma)                                                                                                   \
    X(mul64, fma)                                                                                                      \
    X(divide, issue)                                                                                                   \
    X(divide64, issue)                                                                                                 \
    X(fma, fma)                                                                                                        \
    X(fdiv, issue)                                                                                                     \
    X(fsqrt, issue)                                                                                                    \
    X(sfu, special)                                                                                                    \
    X(fma64, double)                                                                                                   \
    X(fdiv64, issue)                                                                                                   \
    X(fsqrt64, issue)                                                                                                  \
    X(convert, alu)                                                                                                    \
    X(convert_back, special)                                                                                           \
    X(convert64, special)                                                                                              \
    X(bits, special)                                                                                                   \
    X(half, fma)                                                                                                       \
    X(shuffle, memory)                                                                                                 \
    X(vote, alu)                                                                                                       \
    X(match, special)                                                                                                  \
    X(redux, special)                                                                                                  \
    X(shared, memory)       /* loads; busy: per wavefront */                                                           \
    X(shared_round, memory) /* latency: of each wavefront after the first */                                           \
    X(l1, memory)           /* busy: per line of 128 bytes */                                                          \
    X(line, memory)         /* latency: of each line after the first */                                                \
    X(l2, l2)               /* busy: per sector */                                                                     \
    X(store, write)         /* busy: per sector */                                                                     \
    X(constant, memory)                                                                                                \
    X(local, memory)                                                                                                   \
    X(atom_shared, memory) /* busy: per round */                                                                       \
    X(atom, atomic)        /* busy: per sector */                                                                      \
    X(atom_round, atomic)  /* latency: of each round after the first; busy: per round */                               \
    X(barrier, issue)      /* latency: with one warp; busy: per further warp */                                        \
    X(fence, issue)                                                                                                    \
    X(fence_block, issue)                                                                                              \
    X(branch, issue)                                                                                                   \
    X(mask, issue) /* latency: of a change of the active mask */                                                       \
    X(call, issue)                                                                                                     \
    X(start, issue) /* latency: from the start of one warp to that of the next */

typedef enum {
#define X(name, unit) COST_##name,
    COST_CLASS_TABLE(X)
#undef X
        COST_CLASSES
} cost_class;

/* The cost of an instruction of a class on a GPU. */
typedef struct cost_figure {
    uint32_t latency; /* until its result can be read */
    uint32_t busy;    /* time for which its unit is busy */
} cost_figure;

struct gcast_cost_gpu {
    const char *name;                 /* as in options */
    uint32_t clock_mhz, sms;          /* of the GPU */
    cost_figure figure[COST_CLASSES]; /* by class */
};

/* The state of a block. */
typedef struct block_cost {
    uint64_t horizon;             /* nothing issues at or after this time in this turn */
    uint64_t latest_issue;        /* the latest issue so far */
    uint64_t free[COST_UNITS][4]; /* by unit and quarter: when it is free again */
    uint64_t busy[COST_UNITS];    /* by unit: how long it was busy */
    uint64_t store_busy;          /* time that a stored sector keeps UNIT_write busy when all SMs of the launch store */
    uint64_t *ready;              /* by warp and register: two times (see times_of in cost_model.c) */
    uint64_t *l1;                 /* by line of L1: number of the sector, and in the low 8 bits which words are there */
} block_cost;

/* The demand of one instruction. */
typedef struct cost_demand {
    uint32_t latency;          /* until its result can be read */
    uint64_t busy[COST_UNITS]; /* by unit: time for which it is busy */
} cost_demand;

/* False with the error of the core set. */
bool cost_block_start(core *c, block *b);
void cost_block_end(core *c, const block *b);
void cost_block_free(block *b);
/* Before the warps of a block take turns: sets the horizon. */
void cost_turn(block *b);
/* Issues an op for the lanes of m; false: not in this turn. */
bool cost_step(core *c, warp *w, const op *o, uint32_t m);
/* A warp leaves a barrier at which the last warp arrived at `last_arrival`. */
void cost_release(core *c, warp *w, uint64_t last_arrival);

#endif
