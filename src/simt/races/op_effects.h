/* How each op takes part in the order of threads. */
#ifndef SIMT_RACES_OP_EFFECTS_H
#define SIMT_RACES_OP_EFFECTS_H

#include "simt/program/program.h"

typedef enum {
    ACCESS_WEAK,     /* a plain access */
    ACCESS_VOLATILE, /* PTX treats it as relaxed, but programs use it for data, too */
    ACCESS_STRONG    /* atomics, relaxed, acquire, release: no race among each other */
} race_strength;

/* The effects of an op. */
typedef struct race_op {
    uint8_t strength, scope; /* race_strength, race_scope */
    bool writes;             /* it writes memory; atomics, too */
    bool acquires, releases; /* its memory order */
    bool plain_atomic;       /* atom or red without a memory order: VIEW_GPU treats it as acquire and release */
    bool spins;              /* a load whose value ends a loop */
    bool is_cas;             /* atom.cas */
    bool feeds_cas;          /* a load of the value that a cas expects: if the value is outdated, the cas fails */
    bool asynchronous;       /* cp.async */
    bool ends_copies;        /* cp.async.mbarrier.arrive: copies are complete for threads that wait at the mbarrier */
    bool is_fence;           /* membar or fence */
} race_op;

/* By op of the program; one more entry at the end is a plain load. The caller frees it; NULL without memory. */
race_op *race_ops_make(const program *p);

#endif
