/* Systems: tasks on the cores of a CPU and on a GPU, read from AMALTHEA models. Response times of tasks and latencies
 * of chains of tasks (docs/amalthea.md), and simulated executions. */
#ifndef GRIDCAST_SYSTEM_H
#define GRIDCAST_SYSTEM_H

#include <stddef.h>
#include <string.h>

#include "gridcast/analyze.h"
#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/report.h"
#include "gridcast/simulate.h"
#include "gridcast/workload.h"

GCAST_BEGIN_DECLS

typedef struct gcast_system gcast_system;               /* a model, and what is given beside it */
typedef struct gcast_system_answer gcast_system_answer; /* what an analysis of a system says */
typedef struct gcast_system_run gcast_system_run;       /* an execution of a system */

/* How several contexts share the GPU. */
typedef enum {
    GCAST_SHARING_AS_GIVEN, /* as the file beside the model says; else streams */
    GCAST_SHARING_STREAMS,  /* they are taken as one context; each task on the GPU has its own stream */
    GCAST_SHARING_SLICES    /* each task on the GPU is a context, and contexts take turns by slices of time */
} gcast_sharing;

/* How tasks wait for other tasks. */
typedef enum {
    GCAST_WAITING_AS_GIVEN, /* each as the model and the file beside it say */
    GCAST_WAITING_BUSY,     /* they hold their cores */
    GCAST_WAITING_SUSPEND   /* they leave their cores to other tasks */
} gcast_waiting;

/* What the model leaves open, and changes to it. */
typedef struct gcast_system_options {
    size_t size;              /* of the struct, as the caller was compiled */
    const gcast_gpu *gpu;     /* the system keeps a copy; NULL: no task can run on a GPU */
    const char *given;        /* path of a file with what the model lacks (gridcast.amalthea/1); NULL: none */
    bool fill;                /* kernels of which no shape is known fill the GPU */
    const char *const *cores; /* such as "Camera=Core0", or "Camera=gpu": puts a task there; NULL: none */
    size_t core_count;
    const char *const *chains; /* such as "Camera,Detect,Steer": chains beside those of the model; NULL: none */
    size_t chain_count;
    gcast_waiting waiting;
    gcast_sharing sharing;
    bool rate_monotonic; /* tasks of shorter periods have higher priorities, whatever the model says */
    int64_t tick_ps;     /* length of a tick where the model has no frequency, up to a second; 0: not known */
} gcast_system_options;

static inline gcast_system_options gcast_system_options_default(void)
{
    gcast_system_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    return options;
}

/* Reads a model from files and folders (all .amxmi files of a folder), and makes a system of it. Free it with
 * gcast_system_free. An error in `cores` or `chains` names the entry in its path, such as /cores/0. Several threads may
 * use one system. */
GCAST_API gcast_status gcast_system_read(const char *const *paths, size_t count, const gcast_system_options *options,
                                         gcast_system **x, gcast_error *err);
GCAST_API void gcast_system_free(gcast_system *x);
/* Something of the model that is doubtful, left out or assumed: a sentence, by its number from 0; NULL: there are
 * fewer. The text is the system's. */
GCAST_API const char *gcast_system_finding(const gcast_system *x, size_t number);

/* Communication of a chain's tasks: name, when a job reads and writes. */
#define GCAST_COMMUNICATION_TABLE(X)                                                                                   \
    X(DIRECT, "direct", "at any time from start to end")                                                               \
    X(IMPLICIT, "implicit", "reads when it starts, writes when it ends")                                               \
    X(LET, "let", "reads at its release, writes at its next release")

typedef enum {
#define GCAST_X(id, name, text) GCAST_COMMUNICATION_##id,
    GCAST_COMMUNICATION_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_COMMUNICATIONS
} gcast_communication;

/* Where a limit on a reaction counts from: name, description. */
#define GCAST_REACTION_TABLE(X)                                                                                        \
    X(STIMULUS, "stimulus", "the release of the first task")                                                           \
    X(CHANGE, "change", "a change that the first task's previous job just missed")

typedef enum {
#define GCAST_X(id, name, text) GCAST_REACTION_##id,
    GCAST_REACTION_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_REACTIONS
} gcast_reaction;

typedef struct gcast_system_analyze_options {
    size_t size;         /* of the struct, as the caller was compiled */
    gcast_method method; /* of the GPU: BOUND, EXPLORE or EXACT; GCAST_METHODS: the tightest of those that answer */
    gcast_communication communication; /* of chains, for their verdicts */
    gcast_reaction reaction;           /* where limits on reactions count from */
    bool ignore_offsets;               /* tasks may have any phase to each other */
    const gcast_analyze_options *gpu;  /* of the analysis of the GPU, with the progress of all; NULL: by default */
} gcast_system_analyze_options;

static inline gcast_system_analyze_options gcast_system_analyze_options_default(void)
{
    gcast_system_analyze_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.method = GCAST_METHOD_BOUND;
    options.communication = GCAST_COMMUNICATION_IMPLICIT;
    return options;
}

/* Finds response times of all tasks, latencies of all chains, and verdicts on deadlines and limits, and compares them
 * with simulated executions: GCAST_INTERNAL where one contradicts them. GCAST_OK also where something has no bound.
 * The system must outlive the answer; free that with gcast_system_answer_free. */
GCAST_API gcast_status gcast_system_analyze(const gcast_system *x, const gcast_system_analyze_options *options,
                                            gcast_system_answer **answer, gcast_error *err);
GCAST_API void gcast_system_answer_free(gcast_system_answer *answer);

/* All deadlines, limits and constraints together: MISSED, else OPEN, else MET_IF, else MET; NONE without an answer.
 * *why (may be NULL) names what is not met, or the condition; "": everything is met. The text is the answer's. */
GCAST_API gcast_deadline_verdict gcast_system_answer_verdict(const gcast_system_answer *answer, const char **why);

/* What an answer says of one task. Times count from the release of the task that starts it all. */
typedef struct gcast_system_task {
    const char *name;    /* the answer's */
    const char *core;    /* that it runs on; NULL: the GPU */
    int64_t best_ns;     /* no execution is faster */
    int64_t worst_ns;    /* no execution is slower; GCAST_NO_BOUND: not known */
    int64_t deadline_ns; /* from its own release; 0: none */
    gcast_deadline_verdict verdict;
} gcast_system_task;

/* The task with this number, from 0; false: there are fewer. */
GCAST_API bool gcast_system_answer_get_task(const gcast_system_answer *answer, size_t number, gcast_system_task *task);

/* A table, JSON (gridcast.system/1), a page (HTML), or a picture (SVG, PNG, PDF). Pages and pictures show an execution
 * with the longest times. `options` (NULL: by default) give the colour of tables, and time, SMs, width and folding of
 * pictures. `all`: the table also says what worst times are made of. `command` (NULL: none): how the page was made. */
GCAST_API gcast_status gcast_system_answer_report(const gcast_system_answer *answer, gcast_format format,
                                                  const gcast_report_options *options, bool all, const char *command,
                                                  gcast_write_fn write, void *data, gcast_error *err);

typedef struct gcast_system_simulate_options {
    size_t size;               /* of the struct, as the caller was compiled */
    gcast_durations durations; /* of code, copies and blocks */
    uint64_t seed;             /* of all that is drawn; 0: sporadic tasks are released at their least distance */
    bool random_offsets;       /* each task begins at a time drawn from its period, not at its offset */
    bool random_jitter;        /* releases are drawn from their jitter; else they are as early as possible */
    int64_t horizon_ns;        /* tasks are released before this; 0: a hyperperiod after the largest offset */
    bool record;               /* what runs when, for JSON, pages and pictures */
} gcast_system_simulate_options;

static inline gcast_system_simulate_options gcast_system_simulate_options_default(void)
{
    gcast_system_simulate_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    return options;
}

/* Simulates cores and GPU in one timeline. The system must outlive the run; free that with gcast_system_run_free. */
GCAST_API gcast_status gcast_system_simulate(const gcast_system *x, const gcast_system_simulate_options *options,
                                             gcast_system_run **run, gcast_error *err);
GCAST_API void gcast_system_run_free(gcast_system_run *run);
/* Does every job end before its deadline? */
GCAST_API bool gcast_system_run_in_time(const gcast_system_run *run);
/* A table or, where the run was recorded, JSON (gridcast.system-run/1), a page (HTML) or a picture (SVG, PNG, PDF).
 * `options` as for gcast_system_answer_report. */
GCAST_API gcast_status gcast_system_run_report(const gcast_system_run *run, gcast_format format,
                                               const gcast_report_options *options, gcast_write_fn write, void *data,
                                               gcast_error *err);

/* The system's part on the GPU as a workload: its tasks are released when an analysis by bound says that those that
 * start them may release them. *bounded (may be NULL) is false where the analysis has no bound for that, so that they
 * are released with those that start them. The caller frees *w. GCAST_INPUT: no task is on the GPU, or contexts take
 * turns there. */
GCAST_API gcast_status gcast_system_workload(const gcast_system *x, gcast_workload **w, bool *bounded,
                                             gcast_error *err);

GCAST_END_DECLS

#endif
