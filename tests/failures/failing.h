/* Calls that fail when a test says so: memory, threads and links. Linked into a copy of
 * the command, where every call lands, of the libraries too; built with sanitizers, whose
 * own allocator must stay in place, only the calls of gridcast and of jansson do. */
#ifndef TESTS_FAILURES_FAILING_H
#define TESTS_FAILURES_FAILING_H

#include <stdbool.h>
#include <stdio.h>

#define FAILING_DEPTH 32

/* Shared with the process that watches. */
typedef struct failing_plan {
    long fail_at;    /* the call that fails, from 1 on; 0: none */
    bool from_there; /* and all after it */
    bool no_links;   /* the file system has no hard links */
    long calls;      /* that were made */
    bool thread;     /* the first that failed was to make a thread, not memory */
    long left;       /* blocks of memory that were not given back when it ended */
    const void *left_from;
    int depth; /* of the first that failed; 0: none did */
    void *where[FAILING_DEPTH];
} failing_plan;

/* What the test itself says goes here: stdout is the command's. */
extern FILE *report;

/* What is counted: every call, or where there are sanitizers only those of the program itself. */
extern const bool failing_sees_libraries;

/* Calls are counted, and fail, from now on. NULL: no more. */
void failing_start(failing_plan *plan);
/* The command is over: what has it left? */
void failing_end(void);
/* Where the first call that failed came from: addresses for addr2line, and names where there are any. */
void failing_print(const failing_plan *plan);

#endif
