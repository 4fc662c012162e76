/* The time of an application's steps on a GPU, in cycles, from counts of accesses and instructions. The counts follow
 * from the algorithms, the cycles of an access and of an instruction from the GPU; no figure is fitted to a measured
 * run.
 */
#ifndef PAPERS_APPS_STEP_COSTS_H
#define PAPERS_APPS_STEP_COSTS_H

#include <stdint.h>

#include "papers/apps/data/input.h"

/* What a step of a thread does, while the other lanes of its warp do the same. */
typedef struct app_counts {
    uint32_t dram;         /* accesses one after the other whose data no cache has */
    uint32_t l2;           /* accesses one after the other whose data L2 has */
    uint32_t uncoalesced;  /* accesses, waited for or not, in which each lane touches a line of its own */
    uint32_t instructions; /* other instructions */
} app_counts;

/* The steps of an application. */
typedef struct app_costs {
    app_counts parent_before; /* a parent's thread until it knows its number of items and decides */
    app_counts parent_item;   /* an item in the loop of a parent's thread */
    app_counts child_thread;  /* a child's thread besides its item */
    app_counts child_item;    /* an item in a child's thread */
} app_costs;

/* The cycles of accesses and instructions on a GPU. */
typedef struct app_latencies {
    uint32_t dram;        /* of an access whose data L2 does not have */
    uint32_t l2;          /* of an access whose data L2 has */
    uint32_t transaction; /* of every line after the first of an uncoalesced access */
    uint32_t instruction; /* mean, as some overlap */
} app_latencies;

const app_costs *app_costs_of(app_kind kind);
/* The simulated GPU of the SPAWN paper: 13 SMX of Kepler at 1,400 MHz. */
extern const app_latencies app_kepler;
#define APP_KEPLER_MHZ 1400u

/* Cycles of a step in a warp that has its SM to itself, with this many active lanes. */
uint64_t app_cycles(const app_counts *counts, const app_latencies *latencies, uint32_t lanes);

#endif
