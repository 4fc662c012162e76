/* The cost model (docs/bridge.md): every warp has a clock and every register a time from which it can be
 * read; instructions issue in order and share the units of their SM. Times are hundredths of a cycle. */
#ifndef SIMT_COST_COST_H
#define SIMT_COST_COST_H

#include "simt/run/machine.h"

#define COST_CYCLE 100
#define COST_L1_SECTORS 4096 /* 128 KiB, direct-mapped: what is left beside shared memory differs */

/* Units: what it is called, one an SM or one a quarter of it. */
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

/* Classes of instructions, with the unit that each keeps busy. */
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
    X(shared, memory)       /* loads; busy: a wavefront */                                                             \
    X(shared_round, memory) /* latency: of each wavefront after the first */                                           \
    X(l1, memory)           /* busy: a line of 128 bytes */                                                            \
    X(line, memory)         /* latency: of each line after the first */                                                \
    X(l2, l2)               /* busy: a sector */                                                                       \
    X(store, write)         /* busy: a sector */                                                                       \
    X(constant, memory)                                                                                                \
    X(local, memory)                                                                                                   \
    X(atom_shared, memory) /* busy: a round */                                                                         \
    X(atom, atomic)        /* busy: a sector */                                                                        \
    X(atom_round, atomic)  /* latency: of each round after the first; busy: of each */                                 \
    X(barrier, issue)      /* latency: of the first warp; busy: of each further one */                                 \
    X(fence, issue)                                                                                                    \
    X(fence_block, issue)                                                                                              \
    X(branch, issue)                                                                                                   \
    X(mask, issue) /* latency: of a change of the active mask */                                                       \
    X(call, issue)                                                                                                     \
    X(start, issue) /* latency: from one warp's start to the next one's */

typedef enum {
#define X(name, unit) COST_##name,
    COST_CLASS_TABLE(X)
#undef X
        COST_CLASSES
} cost_class;

typedef struct cost_figure {
    uint32_t latency, busy; /* busy: of a quarter's unit, or of the SM's where it has but one */
} cost_figure;

struct gcast_cost_gpu {
    const char *name;
    uint32_t clock_mhz, sms;
    cost_figure figure[COST_CLASSES];
};

/* What a block knows of time. */
typedef struct block_cost {
    uint64_t horizon; /* nothing issues from here on in this turn */
    uint64_t latest;  /* the latest issue */
    uint64_t free[COST_UNITS][4], busy[COST_UNITS];
    uint64_t store_busy; /* of a sector: the figure is of all SMs writing at once */
    uint64_t *ready;     /* by warp and register: two times */
    uint64_t *l1;        /* number of a sector, and in the low 8 bits which of its words are there */
} block_cost;

/* What one instruction asks for. */
typedef struct cost_demand {
    uint32_t latency;
    uint64_t busy[COST_UNITS];
} cost_demand;

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* By class and registers; in the memory of the program. */
gcast_status cost_prepare(program *p, cost_program *out, gcast_error *err);
cost_class cost_class_of(const ptx_instruction *in);
/* Is `next` done by the same instruction of the GPU as `before`, whose result it takes? */
bool cost_is_fused(const ptx_instruction *before, const ptx_instruction *next);

bool cost_block_start(core *c, block *b);
void cost_block_free(block *b);
/* Before a round of turns: how far warps may go. */
void cost_turn(block *b);
/* May this op issue in this turn? If so, it has. */
bool cost_step(core *c, warp *w, const op *o, uint32_t m);
/* The part of it that is an access of memory by lanes m. */
void cost_memory(core *c, const warp *w, const op *o, const cost_op *x, uint32_t m, cost_demand *d);
/* Warp w comes to a barrier, or leaves it when `latest` was there. */
void cost_release(core *c, warp *w, uint64_t latest);
void cost_block_end(core *c, const block *b);

#endif
