/* The state of the cost model (docs/bridge.md): every warp has a clock, and every register a time from which
 * it can be read; instructions issue in order and share the units of their SM. Times are in hundredths of a
 * cycle. */
#ifndef SIMT_COST_STATE_H
#define SIMT_COST_STATE_H

#include "simt/machine/machine.h"

#define COST_CYCLE 100
#define COST_L1_SECTORS 4096 /* 128 KiB, direct-mapped; on a GPU it is what shared memory leaves */

/* Units: name, text for people, whether an SM has one of it (else each quarter of the SM has one). */
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

/* Classes of instructions: name, the unit that each keeps busy. */
#define COST_CLASS_TABLE(X)                                                                                            \
    X(free, issue)      /* no instruction of the GPU: moves, parameters, or part of the one before */                  \
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

/* What an instruction of a class costs on a GPU. */
typedef struct cost_figure {
    uint32_t latency; /* until its result can be read */
    uint32_t busy;    /* cycles for which it keeps its unit busy: one per quarter of the SM, or one per SM */
} cost_figure;

struct gcast_cost_gpu {
    const char *name;                 /* as options have it */
    uint32_t clock_mhz, sms;          /* of the GPU */
    cost_figure figure[COST_CLASSES]; /* by class */
};

/* The clock of a block. */
typedef struct block_cost {
    uint64_t horizon;             /* nothing issues at or after this time in this turn */
    uint64_t latest_issue;        /* the latest issue so far */
    uint64_t free[COST_UNITS][4]; /* by unit and quarter: when it is free again */
    uint64_t busy[COST_UNITS];    /* by unit: how long it was busy */
    uint64_t store_busy;          /* by a sector that is stored, with as many SMs writing as the launch uses */
    uint64_t *ready;              /* by warp and register: two times (scoreboard.c) */
    uint64_t *l1;                 /* by line of L1: number of the sector, and in the low 8 bits which words are there */
} block_cost;

/* What one instruction demands. */
typedef struct cost_demand {
    uint32_t latency;          /* until its result can be read */
    uint64_t busy[COST_UNITS]; /* by unit: how long it keeps it busy */
} cost_demand;

#endif
