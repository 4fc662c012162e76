/* The kinds of faults. Each function tries one kind on one command. */
#ifndef TESTS_FAILURES_KINDS_H
#define TESTS_FAILURES_KINDS_H

#include "trial.h"

typedef struct tally {
    bool all;     /* every call is tried, not only some */
    bool verbose; /* each command is printed */
    long runs;    /* runs so far */
    long failed;  /* runs that failed */
    long shown;   /* failures of this command that were printed */
} tally;

/* Runs the command with a fault and counts the run; false where it failed, which is printed. */
bool tally_run(tally *t, const command_line *c, const outcome *reference, fault *h, allowed accepted,
               const char *fault_name);
void tally_fail(tally *t, const command_line *c, const char *reason, const outcome *got, const failing_plan *plan);

/* `calls` is how many calls that can fail a run without a fault makes. */
void kind_memory(const command_line *c, const outcome *reference, long calls, tally *t);
void kind_space(const command_line *c, const outcome *reference, long calls, tally *t);
void kind_files(const command_line *c, const outcome *reference, long calls, tally *t);
void kind_disk(const command_line *c, const outcome *reference, long calls, tally *t);
void kind_closed(const command_line *c, const outcome *reference, long calls, tally *t);
void kind_locale(const command_line *c, const outcome *reference, long calls, tally *t);
void kind_names(const command_line *c, const outcome *reference, long calls, tally *t);
void kind_signals(const command_line *c, const outcome *reference, long calls, tally *t);

#endif
