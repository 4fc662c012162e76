/* One run of the command in a process of its own, with a fault, and its outcome: how it
 * ended, what it printed, which files it left. */
#ifndef TESTS_FAILURES_TRIAL_H
#define TESTS_FAILURES_TRIAL_H

#include <sys/types.h>

#include "command_line.h"
#include "failing.h"

typedef struct bytes {
    char *name;  /* of a file; NULL: it is no file */
    char *at;    /* the contents */
    size_t size; /* their size */
} bytes;

#define MAX_FILES 32

typedef struct outcome {
    int status;             /* as waitpid gives it */
    bytes out, err;         /* standard output and error */
    bytes files[MAX_FILES]; /* all files in the folder but the input */
    size_t file_count;      /* of files */
} outcome;

/* What goes wrong in a run: calls that fail, something done in its process before it starts, and something done
 * to it while it runs. */
typedef struct fault {
    failing_plan plan;                             /* calls that fail */
    void (*before)(const void *data);              /* called in the process before the command; NULL: nothing is */
    void (*during)(pid_t child, const void *data); /* called while the command runs; NULL: nothing is */
    const void *data;                              /* for both */
} fault;

/* Creates the folder that commands run in; "root" in it is a link to the source tree. */
void trial_begin(const char *data);
void trial_end(void);

/* h->plan becomes the plan as the run left it. */
outcome trial_run(const command_line *c, fault *h);
/* Several processes at once, which write to one name. *done: how many ended as without a fault. The status of the
 * outcome is 0, or that of a process which ended in another way than by saying that the file exists. */
#define MAX_CONCURRENT 8
outcome trial_concurrent(const command_line *c, fault *h, int count, int *done);
void outcome_free(outcome *o);

/* How a run may differ from the reference, which is a run without a fault: it says why in one line and ends with this
 * status, or a signal ends it. */
typedef struct allowed {
    int status;         /* 0: none */
    int or_status;      /* 0: none */
    const char *word;   /* the line contains it; NULL: any line will do */
    int signal;         /* 0: none */
    bool stderr_closed; /* stderr is closed: no line is expected */
} allowed;

/* NULL where all is well, else what is wrong. */
const char *outcome_judge(const command_line *c, const outcome *reference, const outcome *got, allowed accepted);
void outcome_print(const outcome *o, const failing_plan *plan);

#endif
