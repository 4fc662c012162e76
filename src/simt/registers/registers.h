/* How many registers a thread of a kernel takes as ptxas compiles it, estimated
 * from the PTX: what is live where, in the order of the text and in one that
 * hides latencies, and how ptxas gives registers out. How far off that is is in
 * docs/exec.md. */
#ifndef SIMT_REGISTERS_REGISTERS_H
#define SIMT_REGISTERS_REGISTERS_H

#include "base/vec.h"
#include "ptx/graph/graph.h"
#include "simt/run/machine.h"

/* Of the kernel of a program, with all that it calls, on a GPU of compute capability `sm` (90). */
gcast_status registers_estimate(const program *p, int sm, uint32_t *out, gcast_error *err);

/* How far ptxas's number is off for nine of ten kernels at most, by tests/data/ptxas/registers.txt. */
uint32_t registers_within(int sm);

/* What ptxas is allowed: the most a thread may have, and the numbers up to which more cost no occupancy. */
typedef struct register_levels {
    uint32_t most;
    uint32_t level[64], levels; /* rising */
} register_levels;
register_levels registers_levels(const ptx_function *kernel, int sm);

/* By PTX register: what it is to the GPU. Constants, parameters and what is computed of them for all threads alike need
 * no register of a thread; copies need that of what they copy. */
#define REGISTER_FREE UINT32_MAX
typedef struct register_view {
    const ptx_graph *graph;
    uint32_t *stands_for; /* itself, another, or REGISTER_FREE */
    uint8_t *words;       /* 0: a predicate */
    uint32_t *local;      /* its number among the registers of the steps at hand, if `seen` is `turn` */
    uint32_t *seen, turn;
} register_view;
bool registers_view_make(register_view *v, const ptx_graph *g);
void registers_view_free(register_view *v);
ptx_roles registers_roles(const register_view *v);

/* An instruction of the GPU, as a schedule sees it. */
typedef enum { STEP_PLAIN, STEP_DOUBLE, STEP_FUNCTION, STEP_SPECIAL, STEP_NEAR, STEP_FAR, STEP_STORE } step_kind;
typedef enum { STEP_REGISTERS, STEP_LOAD, STEP_WRITE, STEP_FENCE } step_memory;
typedef struct step {
    uint32_t first, reads, writes; /* in the list of operands: reads first */
    uint8_t kind, memory, space;
    uint8_t extra; /* words that the function which ptxas makes of it needs besides its operands */
    bool guarded, call;
} step;

/* Registers are numbered anew: those of the steps only. */
typedef struct register_steps {
    VEC(step) steps;
    VEC(uint32_t) operand;
    VEC(uint32_t) out;  /* live behind all */
    VEC(uint32_t) name; /* by register: that of the text */
    VEC(uint8_t) words; /* by register */
    uint32_t through;   /* words of those that are only live through */
} register_steps;

/* The instructions of a block that are not dead, but for jumps, and what is live behind it; with the blocks after it
 * that ptxas makes one of with it, of which *block_number becomes the last. */
bool registers_steps(const ptx_live *live, register_view *v, uint32_t *block_number, register_steps *s);
/* So many rounds of a loop that is one block. */
bool registers_unroll(const register_steps *s, uint32_t times, register_steps *out);
void registers_steps_free(register_steps *s);
/* Is the block a loop that counts by a constant, without calls and fences, so that ptxas unrolls it? */
bool registers_unrolls(const ptx_graph *g, uint32_t number, const register_steps *s);

/* An order in which no instruction waits if another need not: order[] has room for all steps. */
bool registers_schedule(const register_steps *s, uint32_t *order);
/* The most words that are live at once, and across calls; order NULL: that of the text. UINT32_MAX without memory. */
uint32_t registers_peak(const register_steps *s, const uint32_t *order, uint32_t *across);

#endif
