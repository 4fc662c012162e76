/* One run of the command in a process of its own, under some hardship, and what came of
 * it: how it ended, what it printed, which files it left. */
#ifndef TESTS_FAILURES_TRIAL_H
#define TESTS_FAILURES_TRIAL_H

#include <sys/types.h>

#include "command_line.h"
#include "failing.h"

typedef struct bytes {
    char *name; /* of a file; NULL: none */
    char *at;
    size_t size;
} bytes;

#define MOST_FILES 32

typedef struct outcome {
    int status; /* as waitpid gives it */
    bytes out, err;
    bytes files[MOST_FILES]; /* all that is there, but for the input */
    size_t file_count;
} outcome;

/* What is hard about a run: calls that fail, something done in its process before it starts, and something done
 * to it while it runs. */
typedef struct hardship {
    failing_plan plan;
    void (*before)(const void *data);
    void (*during)(pid_t child, const void *data);
    const void *data;
} hardship;

/* Make the folder that commands run in; the source tree is there too, as "root". */
void trial_begin(const char *data);
void trial_end(void);

/* The plan that the run left behind is in *h. */
outcome trial_run(const command_line *c, hardship *h);
/* Several at once, which write to one name: how many ended as always, and what they left. Its status is 0, or that of
 * one which ended in another way than by saying that the file exists. */
#define MOST_CROWD 8
outcome trial_crowd(const command_line *c, hardship *h, int count, int *done);
void outcome_free(outcome *o);

/* What a run may do that is not the same as one without hardship: say why in one line and end with this status, or
 * end by this signal. */
typedef struct allowed {
    int status;       /* 0: none */
    int or_status;    /* 0: none */
    const char *word; /* that is in the line; NULL: any */
    int signal;       /* 0: none */
    bool unheard;     /* nothing it says arrives */
} allowed;

/* NULL where all is well, else what is not. */
const char *outcome_judge(const command_line *c, const outcome *plain, const outcome *got, allowed may);
void outcome_print(const outcome *o, const failing_plan *plan);

#endif
