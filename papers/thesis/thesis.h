/* The response-time analysis of D. L. Paredes Zevallos' thesis on the Jetson TX2:
 * kernels of equal blocks, first come first served, on one pool of slots. Algorithm 2
 * with the deletion that its text leaves out, with release times, and the closed form
 * for equal execution times as printed and corrected (docs/thesis.md). */
#ifndef PAPERS_THESIS_THESIS_H
#define PAPERS_THESIS_THESIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gridcast/analyze.h"
#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/workload.h"

typedef struct gcast_thesis_kernel {
    int64_t execution_ns; /* C: what a block takes */
    uint64_t blocks;      /* g */
    int64_t release_ns;   /* r: no block starts before */
} gcast_thesis_kernel;

typedef struct gcast_thesis_pool {
    uint32_t slots;      /* g_max: blocks at a time */
    int64_t handover_ns; /* end of a block to the next use of its slot; 0 in the thesis */
    int64_t switch_ns;   /* last start of a kernel to the first of the next; 0 in the thesis */
} gcast_thesis_pool;

/* A row of the set h: when slots come free, and how many. */
typedef struct gcast_thesis_row {
    int64_t time_ns;
    uint64_t slots;
} gcast_thesis_row;

/* Where the algorithm stands after a pass through its loop. */
typedef struct gcast_thesis_step {
    size_t kernel;                /* i, from 0 */
    uint64_t left;                /* g_i: blocks that have no slot yet; 0: the kernel is done with */
    int64_t time_ns;              /* t_a */
    uint64_t free;                /* g_f */
    uint64_t waves;               /* waves over all slots that this pass covered at once; mostly 0 */
    const gcast_thesis_row *rows; /* h, by time */
    size_t row_count;
} gcast_thesis_step;

typedef struct gcast_thesis_watch {
    void (*on_step)(void *data, const gcast_thesis_step *step);
    void *data;
} gcast_thesis_watch;

/* Algorithm 2: completions[i] is f_i of kernels[i], which come in the order of their
 * launches. `watch` and `passes` (through the loop) may be NULL. */
gcast_status gcast_thesis_completions(const gcast_thesis_pool *pool, const gcast_thesis_kernel *kernels, size_t count,
                                      const gcast_thesis_watch *watch, int64_t *completions, uint64_t *passes,
                                      gcast_error *err);

/* The closed form where all kernels are released at 0 and take execution_ns per block:
 * corrected, which gives what algorithm 2 gives, */
gcast_status gcast_thesis_closed(uint32_t slots, int64_t execution_ns, const gcast_thesis_kernel *kernels, size_t count,
                                 int64_t *completions, gcast_error *err);
/* and equations 3.12 to 3.15 as printed, which does not: where g_i = g_f its alpha is
 * one half, so that times are given twice as large as they are. */
gcast_status gcast_thesis_closed_printed(uint32_t slots, int64_t execution_ns, const gcast_thesis_kernel *kernels,
                                         size_t count, int64_t *doubled_completions, gcast_error *err);

/* u = C g b / T of each kernel and U_t, their sum, in thousandths of a thread, each rounded to the nearest. A kernel
 * whose period is 0 has none: its u is 0. GCAST_INPUT where one does not fit in 64 bits. */
gcast_status gcast_thesis_utilisation(const gcast_thesis_kernel *kernels, const int64_t *periods_ns, size_t count,
                                      int threads, int64_t *each, int64_t *total, gcast_error *err);

/* Blocks of a kernel on adjacent slots: `rounds` of them on each slot, one after the other, from start_ns on. */
typedef struct gcast_thesis_box {
    size_t kernel;       /* from 0 */
    uint32_t first_slot; /* of those that it covers, from 0 */
    uint32_t slots;      /* that it covers */
    int64_t start_ns;    /* of the first round */
    uint64_t rounds;     /* one begins when the slot can be used again after the one before */
} gcast_thesis_box;

/* Where algorithm 2 puts the blocks: those that start at a time take the free slots with the lowest numbers. Boxes are
 * in the order of kernels, those of a kernel in that of their starts; free *boxes with free(). */
gcast_status gcast_thesis_place(const gcast_thesis_pool *pool, const gcast_thesis_kernel *kernels, size_t count,
                                gcast_thesis_box **boxes, size_t *box_count, gcast_error *err);

/* A workload as the thesis sees it, and what it says about one release of each kernel. */
typedef struct gcast_thesis {
    const char *why_not; /* it does not apply, in a sentence, and nothing below is set; NULL: it does */
    gcast_thesis_pool pool;
    const gcast_thesis_kernel *kernels; /* in the order of their launches */
    const size_t *ops;                  /* which op of the workload each is */
    size_t count;
    int threads;                   /* b: of a block */
    int64_t total_threads;         /* b_max: of the GPU */
    int64_t latency_ns;            /* from a call to the release of the kernel here */
    const int64_t *periods_ns;     /* T of each kernel; 0: none is known */
    const int64_t *completions_ns; /* f of each kernel, by algorithm 2 */
    const int64_t *responses_ns;   /* R of each kernel: f less the time of its call */
    const int64_t *utilisations;   /* u of each kernel in thousandths of a thread; 0 without a period */
    int64_t total_utilisation;     /* U_t in thousandths of a thread */
    size_t period_count;           /* kernels that have a period */
    void *memory;
} gcast_thesis;

/* `gpu` is already cut to the workload's partition. `periods_ns` has a number for each op of the workload: T of those
 * that run once, 0 where none is known; it may be NULL. */
gcast_status gcast_thesis_create(const gcast_workload *w, const gcast_gpu *gpu, const int64_t *periods_ns,
                                 gcast_thesis **out, gcast_error *err);
void gcast_thesis_free(gcast_thesis *t);

/* The analysis whose times of one release there are, of method thesis; NULL: there is none. */
const gcast_thesis *gcast_answer_thesis(const gcast_answer *answer);

#endif
