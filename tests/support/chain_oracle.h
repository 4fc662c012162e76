/* Latencies of chains in an execution of a system, and of LET by brute force: written from the definitions alone. */
#ifndef TESTS_SUPPORT_CHAIN_ORACLE_H
#define TESTS_SUPPORT_CHAIN_ORACLE_H

#include "model/system_answer.h"
#include "model/system_run.h"

/* The least and the longest that was seen; least INT64_MAX: none was. */
typedef struct chain_seen {
    int64_t first_least, first_most, reaction_most, age_least, age_most;
} chain_seen;

/* Tasks read when they start and write when they end. */
chain_seen chain_seen_in_run(const sys_run *run, const sys_chain *chain);
/* Tasks read at their nominal releases and write at the next, up to a time. All roots are periodic. */
chain_seen chain_seen_with_let(const sys_system *s, const sys_chain *chain, int64_t until_ns);

#endif
