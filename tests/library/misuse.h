/* What calls are given where their arguments are right, and what a call came to. */
#ifndef TESTS_LIBRARY_MISUSE_H
#define TESTS_LIBRARY_MISUSE_H

#include <gridcast/gridcast.h>
#include <math.h>
#include <stdbool.h>

#include "analyze/advice/remedy.h"
#include "analyze/spawn/spawn_compare.h"
#include "files/examiner/log_scenario.h"
#include "measure/calibration.h"
#include "measure/smc/smc_session.h"
#include "model/exec.h"
#include "model/launch_file.h"
#include "model/scenario.h"
#include "report/plots/workers_report.h"

#define WORLD_MAX 64 /* entries of arrays that calls fill */

/* The things of one program, and those of another. */
typedef struct world {
    gcast_workload *workload; /* with tasks and deadlines */
    gcast_workload *once;     /* ops that run once */
    gcast_workload *launching;
    gcast_gpu *gpu;
    gcast_run *run;
    gcast_run *launch_run;
    gcast_explanation *explanation;
    gcast_whatif *whatif;
    gcast_residency *residency;
    gcast_totals *totals;
    gcast_pair *pair;
    gcast_remedies *remedies;
    gcast_analysis *analysis;
    gcast_answer *answer;
    gcast_advice *advice;
    gcast_system *system;
    gcast_system_answer *system_answer;
    gcast_system_run *system_run;
    gcast_replay *replay;
    gcast_corpus *corpus;
    gcast_scenario *scenario;
    gcast_calibration *calibration;
    gcast_plan *plan;
    gcast_job_data *job_data;
    gcast_ptx *ptx;
    gcast_launch_file *launch_file;
    gcast_simt_report *simt_report;
    gcast_block_times *block_times;
    gcast_smc_coverage *coverage;
    gcast_spawn_comparison *comparison;
    gcast_smc_session *session; /* of children, which open it */
    gcast_smc_kernel *kernel;   /* of children, which open it */
    struct CUmod_st *module;    /* of children */
} world;

extern world own, other;

/* Texts of files. */
extern char *text_gpu, *text_workload, *text_examiner, *text_plan, *text_job_data, *text_launch, *text_ptx,
    *text_corpus, *text_run, *text_smc_ptx;
extern const char text_durations[], text_costs[];
/* Texts that are no names of anything: 200,000 letters, bytes that are no UTF-8, and what has a meaning elsewhere. */
extern char text_long[];
extern const char text_invalid[], text_odd[];

extern gcast_launch a_launch, a_smc_launch;
extern gcast_smc_launch_arguments a_smc_arguments;
extern gcast_exec an_exec;
extern gcast_log_file a_log;
extern gcast_workers_curve a_curve;
extern const char *const a_change, *const a_model;
extern const gcast_method a_method;

/* Arrays that calls read or fill. */
extern int numbers[WORLD_MAX];
extern uint32_t words[WORLD_MAX];
extern double doubles[WORLD_MAX];
extern int64_t times[WORLD_MAX];
extern gcast_run *runs[WORLD_MAX];
extern gcast_smc_record records[WORLD_MAX];
extern gcast_block_shape shape;
extern char path[WORLD_MAX];

gcast_op world_op(void);
const int *world_sms(void); /* of the GPU, each once */
const gcast_gpu *world_gpc_gpu(void);
const gcast_launch_file *world_timed_launch(void);
const gcast_simt_report *world_costed_report(void);
const gcast_ptx *world_smc_ptx(void);

/* Makes all of it; false: something failed, which was printed. */
bool world_make(void);
/* A session and a kernel on a driver without a GPU, for this process only. */
bool world_open_driver(void);

bool world_write(void *data, const char *bytes, size_t size);

/* What a call must come to. */
typedef enum {
    FINE,   /* it works: all arguments are right, or an optional one is left out */
    ANY,    /* it may work or not */
    REFUSED /* it does not work */
} misuse_expected;

typedef struct misuse_outcome {
    const char *what[2]; /* which arguments were wrong, and how */
    misuse_expected expected;
    bool is_choice;  /* right, one of several */
    bool has_status; /* it returned one: */
    gcast_status status;
    bool is_true;     /* it returned something that is not 0, NULL or empty */
    bool left_result; /* a pointer to a result is not NULL */
} misuse_outcome;

/* Notes what is wrong in turn 0, and in turn 1 what is wrong besides: then nothing is expected of the call. */
void misuse_say(misuse_outcome *out, int turn, const char *what, misuse_expected expected, bool is_choice);

/* A function of the library: calls it with variant `variant` of its arguments, and with `second` where that is not 0;
 * false: there are no more. Nothing is called with `dry`. */
typedef struct misuse_function {
    const char *name;
    bool needs_driver;
    bool changes; /* it may change or free a thing of the world: each call needs a world of its own */
    bool (*call)(int variant, int second, bool dry, misuse_outcome *out);
} misuse_function;

extern const misuse_function misuse_functions[];
extern const int misuse_function_count;

/* What no generator knows: structs whose contents are wrong. As functions, each variant one of them (misuse_models.c,
 * misuse_results.c). */
typedef struct misuse_case {
    const char *what;
    misuse_expected expected;
    gcast_status (*call)(gcast_error *err);
} misuse_case;

bool misuse_call_models(int variant, int second, bool dry, misuse_outcome *out);
bool misuse_call_results(int variant, int second, bool dry, misuse_outcome *out);
/* Calls number `variant` of the cases. */
bool misuse_call_case(const misuse_case *cases, int count, int variant, bool dry, misuse_outcome *out);

#endif
