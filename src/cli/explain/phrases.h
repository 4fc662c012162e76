/* Operations, waits and their reasons in words, for what explain prints. */
#ifndef CLI_EXPLAIN_PHRASES_H
#define CLI_EXPLAIN_PHRASES_H

#include "base/text/text.h"
#include "gridcast/explain.h"

/* Right in so many columns. */
void words_time(text *t, int64_t ns, int width);
/* "  47.9 %" of a whole. */
void words_share(text *t, int64_t ns, int64_t whole);
/* LABEL, or LABEL#JOB where it is of a task. */
void words_op(text *t, const gcast_run *run, size_t run_op);
/* What the reason says, and what was short. */
void words_reason(text *t, gcast_reason reason, unsigned resources);
/* The same of one wait, with the sizes of carveouts and who held what. */
void words_wait(text *t, const gcast_run *run, const gcast_wait *wait);

#endif
