/* The kinds of hardship, each tried on one command after the other. */
#ifndef TESTS_FAILURES_KINDS_H
#define TESTS_FAILURES_KINDS_H

#include "trial.h"

typedef struct tally {
    bool all, verbose; /* not only some calls; say which commands */
    long runs, failed;
    long shown; /* failures of this command that were printed */
} tally;

/* Run it, and count it; false where it failed, which is printed. */
bool tally_run(tally *t, const command_line *c, const outcome *plain, hardship *h, allowed may, const char *what);
void tally_fail(tally *t, const command_line *c, const char *why, const outcome *got, const failing_plan *plan);

/* `calls` could fail in a run without hardship. */
void kind_memory(const command_line *c, const outcome *plain, long calls, tally *t);
void kind_space(const command_line *c, const outcome *plain, long calls, tally *t);
void kind_files(const command_line *c, const outcome *plain, long calls, tally *t);
void kind_disk(const command_line *c, const outcome *plain, long calls, tally *t);
void kind_closed(const command_line *c, const outcome *plain, long calls, tally *t);
void kind_locale(const command_line *c, const outcome *plain, long calls, tally *t);
void kind_names(const command_line *c, const outcome *plain, long calls, tally *t);
void kind_signals(const command_line *c, const outcome *plain, long calls, tally *t);

#endif
