/* What each op means for the order of threads. */
#ifndef SIMT_ORDER_OP_EFFECTS_H
#define SIMT_ORDER_OP_EFFECTS_H

#include "simt/program/program.h"

typedef enum {
    ACCESS_WEAK,     /* a plain access */
    ACCESS_VOLATILE, /* PTX treats it as relaxed, but programs use it for data, too */
    ACCESS_STRONG    /* atomics, relaxed, acquire, release: never in a race with each other */
} race_strength;

/* What is known of an op before it runs. */
typedef struct race_op {
    uint8_t strength, scope; /* race_strength, race_scope */
    bool writes;             /* it writes memory; atomics, too */
    bool acquires, releases; /* its memory order */
    bool plain_atomic;       /* atom or red without a memory order: VIEW_GPU takes it for acquire and release */
    bool spins;              /* a load that a loop waits for */
    bool is_cas;             /* atom.cas */
    bool feeds_cas;          /* a load of the value that a cas then expects: if it is outdated, the cas fails */
    bool asynchronous;       /* cp.async */
    bool ends_copies;        /* cp.async.mbarrier.arrive: copies are complete for those who wait at that mbarrier */
    bool is_fence;           /* membar or fence */
} race_op;

/* By op of the program; a further entry at the end is that of a plain load. The caller frees it; NULL without memory.
 */
race_op *race_ops_make(const program *p);

#endif
