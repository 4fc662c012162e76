/* Does what happened in an execution of a system keep to an answer of its analysis? What does not is told on stderr,
 * with the system and the seed that it is from. */
#ifndef PROPERTY_SYSTEM_CHECKS_H
#define PROPERTY_SYSTEM_CHECKS_H

#include "model/system_answer.h"
#include "model/system_run.h"
#include "support/chain_oracle.h"

bool system_job_holds(const sys_system *s, uint64_t seed, const sys_task_answer *a, const sys_job *job);
/* Steps, of a run that has slices. */
bool system_steps_hold(const sys_run *run, uint64_t seed, const sys_answer *answer);
/* Chains; what was seen goes to `most`, by chain. */
bool system_chains_hold(const sys_run *run, uint64_t seed, const sys_answer *answer, chain_seen *most);
/* LET is the same in every execution: with offsets the answer is exact. */
bool system_let_holds(const sys_system *s, uint64_t seed, const sys_answer *fixed, const sys_answer *any);
/* Limits; those on steps where the run has slices. What was seen goes to `most`, by limit. */
bool system_limits_hold(const sys_run *run, uint64_t seed, const sys_answer *answer, gcast_communication how,
                        int64_t *most);

#endif
