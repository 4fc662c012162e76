/* Times, operations, waits and their reasons in words, for what explain prints. */
#ifndef CLI_EXPLAIN_PHRASES_H
#define CLI_EXPLAIN_PHRASES_H

#include "base/text/text.h"
#include "gridcast/explain.h"

/* A time, aligned right in `width` columns. */
void phrase_time(text *t, int64_t ns, int width);
/* How much of total_ns a time is, such as "  47.9 %". */
void phrase_share(text *t, int64_t ns, int64_t total_ns);
/* LABEL, LABEL#JOB of a task, or LABEL#CALL of a child. */
void phrase_op(text *t, const gcast_run *run, size_t run_op);
/* A reason, and the resources that were short. */
/* The reason in one or two words. */
const char *phrase_short(gcast_reason reason);
/* " (rule X1)", where the rule has such a code (docs/rules.md). */
void phrase_rule(text *t, gcast_reason reason, unsigned resources);
void phrase_reason(text *t, gcast_reason reason, unsigned resources);
/* The reason of one wait, with the sizes of carveouts and the holders. */
void phrase_wait(text *t, const gcast_run *run, const gcast_wait *wait);

#endif
