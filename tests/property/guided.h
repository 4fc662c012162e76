/* A guided attack on the answers about a system: executions that are drawn, and executions that are changed bit by bit
 * to make the response of one op longer, or shorter. GRIDCAST_ATTACK_EXECUTIONS says how many each system gets. */
#ifndef PROPERTY_GUIDED_H
#define PROPERTY_GUIDED_H

#include "property/system.h"

typedef struct guided_tally {
    uint64_t drawn;         /* executions that were drawn */
    uint64_t guided;        /* executions that were changed from others */
    uint64_t compared;      /* executions that gcast_workload_simulate made again, with equal times */
    uint64_t responses;     /* that were compared with the answers */
    uint64_t fixed;         /* systems with a single execution */
    uint64_t latest_drawn;  /* ops whose longest response was first seen in an execution that was drawn */
    uint64_t latest_guided; /* ops whose longest response was first seen in a guided one */
    uint64_t reached;       /* ops with a response as long as the answer says */
    double share;           /* sum over these ops: longest response over the worst of the answer */
} guided_tally;

/* Executions per system: GRIDCAST_ATTACK_EXECUTIONS, or else this. */
uint64_t guided_executions(uint64_t otherwise);

/* Tries that many executions; false where a response is outside of an answer that is complete, after showing it.
 * longest_ns[op] becomes the longest response seen. */
bool guided_attack(const random_system *s, const gcast_analysis *const *answers, size_t answer_count, uint64_t seed,
                   uint64_t executions, int64_t *longest_ns, guided_tally *t);

#endif
