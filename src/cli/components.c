#include "cli/components.h"

#include <string.h>

#include "cli/say.h"

#if GRIDCAST_WITH_PAPERS

#include "papers/apps/apps_command.h"
#include "papers/corun/corun_command.h"
#include "papers/corun/corun_measure.h"
#include "papers/thesis/thesis_command.h"

const app_component component_apps = {apps_check,           apps_open,      apps_note,
                                      apps_paper_benchmark, apps_benchmark, apps_input_form};

const corun_component component_corun = {smc_corun, launches_together};

gcast_status component_method_run(const args *a)
{
    return thesis_analyze(a);
}

#else

static gcast_status say_missing(const char *what)
{
    return say(GCAST_USAGE, "%s is not in this build: it was made without the paper reproductions (GRIDCAST_PAPERS)",
               what);
}

static gcast_status run_missing(const args *a)
{
    return say_missing(a->cmd->name);
}

#define X(id)                                                                                                          \
    const command cmd_##id = {.name = #id,                                                                             \
                              .operands = "",                                                                          \
                              .summary = "not in this build",                                                          \
                              .examples = {"gridcast --help"},                                                         \
                              .run = run_missing};
COMPONENT_COMMANDS(X)
#undef X

gcast_status component_method_run(const args *a)
{
    (void)a;
    return say_missing("--method " COMPONENT_METHOD);
}

static gcast_status check_no_app(const args *a)
{
    return args_has(a, "app") ? say_missing("--app") : GCAST_OK;
}

static gcast_status open_no_app(const args *a, const char *name, gcast_workload **w)
{
    (void)a, (void)name;
    *w = NULL;
    return say_missing("--app");
}

static void note_nothing(const args *a, const gcast_gpu *gpu)
{
    (void)a, (void)gpu;
}

static const char *no_word(size_t i)
{
    (void)i;
    return NULL;
}

const app_component component_apps = {check_no_app, open_no_app, note_nothing, no_word, no_word, no_word};

static gcast_status search_no_corun(struct smc_request *r)
{
    (void)r;
    return say_missing("--corun");
}

static gcast_status measure_no_corun(const struct launches *l)
{
    (void)l;
    return say_missing("measuring several launches together");
}

const corun_component component_corun = {search_no_corun, measure_no_corun};

#endif

static const option_spec method_options[] = {COMPONENT_METHOD_OPTIONS};

bool component_method_wanted(const args *a)
{
    const char *method = args_value(a, "method");
    return method && strcmp(method, COMPONENT_METHOD) == 0;
}

gcast_status component_method_refuse(const args *a)
{
    for (size_t i = 0; i < sizeof method_options / sizeof method_options[0]; i++)
        if (args_has(a, method_options[i].name))
            return say(GCAST_USAGE, "--%s needs --method " COMPONENT_METHOD, method_options[i].name);
    return GCAST_OK;
}
