/* Latencies of chains of tasks (docs/amalthea-analysis.md, chains). */
#ifndef ANALYZE_SYSTEM_CHAINS_CHAIN_STAGES_H
#define ANALYZE_SYSTEM_CHAINS_CHAIN_STAGES_H

#include "analyze/system/state.h"

/* Tasks of a chain that follow each other within one job of their root: one triggers the next, or the next waits for
 * it. Between stages data is sampled. Times count from the nominal release of the root. */
typedef struct chain_stage {
    bool sporadic;
    bool skips;             /* a job of its first task need not lead to an output of its last one */
    int64_t period, offset; /* of the root */
    int64_t read_min;       /* it reads no sooner */
    int64_t write_max;      /* it has written by then; SYS_UNBOUNDED */
    int64_t least;          /* from reading to writing, at least */
} chain_stage;

/* The stages of a chain under one communication, at most one for each of its tasks; returns how many. */
size_t chain_stages(const system_work *x, const sys_chain *chain, sys_communication how, chain_stage *stages);
/* All latencies; by walks from job to job where `offsets` are to count and the stages allow that, else for any phase.
 */
sys_latency chain_latency(const chain_stage *stages, size_t count, bool offsets);

/* Fills in all chains of an answer. False without memory. */
bool chains_answer(const system_work *x, sys_answer *a);

#endif
