/* Times, operations, waits and their reasons in words. */
#ifndef REPORT_PHRASES_H
#define REPORT_PHRASES_H

#include "base/text.h"
#include "gridcast/analyze.h"
#include "gridcast/explain.h"

/* A time, aligned right in `width` columns. */
void phrase_time(text *t, int64_t ns, int width);
/* A time as a percentage of total_ns, such as "  47.9 %". */
void phrase_share(text *t, int64_t ns, int64_t total_ns);
/* LABEL; LABEL#JOB for an operation of a task; LABEL#CALL for a child. */
void phrase_op(text *t, const gcast_run *run, size_t run_op);
/* The reason in one or two words. */
const char *phrase_short(gcast_reason reason);
/* The name of a rule in one or two words: "queue order" for "X1". A name that the rules do not have stays as it is. */
const char *phrase_word(const char *rule);
/* " (rule X1)", if the rule has such a code (docs/rules.md). */
void phrase_rule(text *t, gcast_reason reason, unsigned resources);
/* A reason, and the resources that were short. */
void phrase_reason(text *t, gcast_reason reason, unsigned resources);
/* The reason of one wait, with the sizes of carveouts and the operations that held what was needed. */
void phrase_wait(text *t, const gcast_run *run, const gcast_wait *wait);
/* "detect ends 12ms after its deadline", "detect takes 3ms" */
void phrase_late(text *t, const char *label, const gcast_late *late);

#endif
