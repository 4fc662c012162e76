/* Calls that fail when a test says so: memory, threads and links. Linked into a copy of
 * the command, where every call lands, of the libraries too; built with sanitizers, whose
 * own allocator must stay in place, only the calls of gridcast and of jansson do. */
#ifndef TESTS_FAILURES_FAILING_H
#define TESTS_FAILURES_FAILING_H

#include <stdbool.h>
#include <stdio.h>

#define FAILING_DEPTH 32

/* Which calls fail, and what happened. It is in memory shared with the process that waits for the command. */
typedef struct failing_plan {
    long fail_at;                   /* the call that fails, from 1 on; 0: none */
    bool all_after;                 /* all calls after it fail, too */
    bool no_links;                  /* the file system has no hard links */
    long calls;                     /* calls that were made */
    bool thread;                    /* the first call that failed was to create a thread, not to allocate memory */
    long leaked;                    /* blocks of memory that were not freed when the command ended */
    const void *leak_caller;        /* where one of these was allocated */
    int depth;                      /* entries of backtrace; 0: no call failed */
    void *backtrace[FAILING_DEPTH]; /* of the first call that failed */
} failing_plan;

/* Where the test itself prints: stdout belongs to the command. */
extern FILE *report;

/* Every call is counted, not only those of the program itself. False with sanitizers. */
extern const bool failing_sees_libraries;

/* From now on calls are counted, and fail as planned. NULL: no longer. */
void failing_start(failing_plan *plan);
/* The command has ended: counts the blocks that it leaked. */
void failing_end(void);
/* Where the first call that failed came from: addresses for addr2line, and names where there are any. */
void failing_print(const failing_plan *plan);

#endif
