/* gridcast analyze: response times and bounds, and whether deadlines are met. */
#include <stdlib.h>
#include <string.h>

#include "cli/analyze/advice.h"
#include "cli/analyze/analyze_args.h"
#include "cli/analyze/answer.h"
#include "cli/analyze/hangs.h"
#include "cli/analyze/witness_file.h"
#include "cli/analyze/workload_analysis.h"
#include "cli/args.h"
#include "cli/components.h"
#include "cli/output/progress.h"
#include "cli/say.h"
#include "cli/system/map_system.h"
#include "cli/system/model_args.h"
#include "cli/system/system_outputs.h"
#include "cli/workload_args.h"
#include "gridcast/analyze.h"

#define ANSWER_FILE_OPTION                                                                                             \
    {                                                                                                                  \
        "output", 'o', "FILE", "as .txt .json, or as a picture .svg .png .pdf"                                         \
    }

/* AMALTHEA models are analyzed as systems. */

#define ANALYZE_SYSTEM_OPTIONS                                                                                         \
    SYSTEM_OPTIONS, CONTEXTS_OPTION, {"chain", 0, "A,B,C", "a chain of tasks, first to last; may repeat"},             \
        {"communication", 0, "DATA", "data of chains: direct, implicit (default) or let"},                             \
        {"reaction", 0, "FROM", "reactions from the stimulus (auto) or the change"},                                   \
        {"ignore-offsets", 0, NULL, "tasks may have any phase to each other"}, MAP_OPTIONS,                            \
    {                                                                                                                  \
        "all", 0, NULL, "also list the parts of worst times, and all steps"                                            \
    }

/* These options of workloads are options for models, too. */
static const option_spec analyze_system_shared[] = {
    {"method", 0, NULL, "of the GPU: bound (auto), exact, explore, " COMPONENT_METHOD},
    {"limit", 0, NULL, NULL},
    {"launch-latency", 0, NULL, NULL},
    {"quantile", 0, NULL, NULL},
    COMPONENT_METHOD_SHARED,
    {"json", 0, NULL, "print gridcast.system/1"},
    {"quiet", 0, NULL, NULL},
    {"output", 0, NULL, ".txt .json .html .svg .png .pdf; --map: .amxmi"},
    {"force", 0, NULL, NULL},
    {"gpu", 0, NULL, NULL},
    {"sms", 0, NULL, NULL},
    {NULL, 0, NULL, NULL},
};

/* Without --map. */
static gcast_status analyze_mapped(const args *a, const gcast_system_analyze_options *given)
{
    gcast_error err;
    progress shown;
    gcast_system *system;
    gcast_system_answer *answer;
    gcast_system_analyze_options o = *given;
    gcast_analyze_options gpu = *given->gpu;
    gcast_status status = system_from_args(a, &system);
    if (status != GCAST_OK)
        return status;
    progress_start(&shown, "analysing");
    gpu.progress = progress_show;
    gpu.progress_data = &shown;
    o.gpu = &gpu;
    status = gcast_system_analyze(system, &o, &answer, &err);
    progress_end(&shown);
    status = status == GCAST_OK ? system_tell(a, answer) : say_error(&err);
    gcast_system_answer_free(answer);
    gcast_system_free(system);
    return status;
}

static gcast_status analyze_system(const args *a)
{
    gcast_system_analyze_options o = gcast_system_analyze_options_default();
    gcast_analyze_options gpu = gcast_analyze_options_default();
    int method = 0, communication = GCAST_COMMUNICATION_IMPLICIT, reaction = GCAST_REACTION_STIMULUS;
    gcast_status status = component_method_refuse(a);
    if (status == GCAST_OK && !args_has(a, "map"))
        status = map_args_refuse(a);
    if (status == GCAST_OK)
        status = args_choice(a, "method", method_choices, &method);
    if (status == GCAST_OK)
        status = args_choice(a, "communication", communication_choices, &communication);
    if (status == GCAST_OK)
        status = args_choice(a, "reaction", reaction_choices, &reaction);
    if (status == GCAST_OK)
        status = analyze_options_from_args(a, &gpu);
    if (status == GCAST_OK)
        status = system_files_check(a);
    if (status != GCAST_OK)
        return status;
    if (method) /* 0: auto, which is the default */
        o.method = (gcast_method)(method - 1);
    o.communication = (gcast_communication)communication;
    o.reaction = (gcast_reaction)reaction;
    o.ignore_offsets = args_has(a, "ignore-offsets");
    o.gpu = &gpu;
    return args_has(a, "map") ? map_system(a, &o) : analyze_mapped(a, &o);
}

/* Workloads are analyzed by one method or several. */

static gcast_status analyze(const args *a, const gcast_workload *w, const gcast_gpu *gpu)
{
    workload_analysis x = {.a = a, .w = w, .gpu = gpu};
    gcast_status status = methods_from_args(a, &x.methods, &x.method_count);
    if (status == GCAST_OK)
        status = component_method_refuse(a);
    if (status == GCAST_OK)
        status = workload_analysis_check(&x);
    return status == GCAST_OK ? workload_analysis_run(&x) : status;
}

static gcast_status analyze_workload(const args *a)
{
    gcast_workload *w = NULL;
    gcast_gpu *gpu = NULL;
    gcast_status status = args_has(a, "residency") ? residency_check_args(a) : GCAST_OK;
    if (status == GCAST_OK)
        status = workload_from_args(a, &w, &gpu);
    if (status == GCAST_OK)
        gpu_notes_say(w, gpu);
    if (status == GCAST_OK)
        status = args_has(a, "residency") ? residency_tell(a, w, gpu) : analyze(a, w, gpu);
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
    return status;
}

static gcast_status run_command(const args *a)
{
    if (component_method_wanted(a))
        return component_method_run(a);
    gcast_status status = workload_analysis_check_input(a);
    if (status != GCAST_OK)
        return status;
    return system_wanted(a) ? analyze_system(a) : analyze_workload(a);
}

static const option_spec options[] = {
    {"method", 0, "METHOD", "auto (default), exact, bound, explore or " COMPONENT_METHOD},
    {"any-order", 0, NULL, "any order of calls released at one time (no host)"},
    {"horizon", 0, "TIME", "only jobs released before TIME (default: all)"},
    {"limit", 0, "TIME", "stop each method after TIME (default: 1min)"},
    RESIDENCY_OPTION,
    LATENCY_OPTIONS,
    COMPONENT_METHOD_OPTIONS,
    {"json", 0, NULL, "print gridcast.analysis/1"},
    {"quiet", 'q', NULL, "print no table"},
    ANSWER_FILE_OPTION,
    WITNESS_OPTIONS,
    ADVICE_OPTIONS,
    WORKLOAD_OPTIONS,
    {NULL, 0, NULL, NULL},
};

static const option_spec system_options[] = {ANALYZE_SYSTEM_OPTIONS, {NULL, 0, NULL, NULL}};

static const legend_entry legend[] = {
    {"best", "the shortest response time (from release to end)"},
    {"seen", "the longest response time in the executions that were tried"},
    {"worst", "the longest (exact, " COMPONENT_METHOD ": it occurs), else an upper bound"},
    {"verdict", "met; met if: met on the printed condition; missed; open: not known"},
    {NULL, NULL},
};

const command cmd_analyze = {
    .name = "analyze",
    .operands = "WORKLOAD|MODEL.amxmi...",
    .min_operands = 1,
    .max_operands = -1,
    .summary = "compute response times and bounds: are deadlines met?",
    .options = options,
    .system_options = system_options,
    .shared_options = analyze_system_shared,
    .system_example = "gridcast analyze examples/12-car.amxmi --gpu tx2 -o car.html",
    .legend = legend,
    .examples = {"gridcast analyze examples/07-deadlines.json"},
    .run = run_command,
};
