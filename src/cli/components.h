/* What the components in papers/ do for the command: reproductions of papers, which nothing else includes. A build
 * without them (GRIDCAST_PAPERS) says where they are asked for that it does not have them. */
#ifndef CLI_COMPONENTS_H
#define CLI_COMPONENTS_H

#include "cli/args.h"
#include "cli/component_names.h"

struct launches;
struct smc_request;

/* Does --method of `analyze` name COMPONENT_METHOD? */
bool component_method_wanted(const args *a);
/* Refuses options that go with it only. Errors are printed, here and below. */
gcast_status component_method_refuse(const args *a);
/* The whole of `analyze` by it. */
gcast_status component_method_run(const args *a);

/* `spawn --app`: applications whose kernels launch kernels, and benchmarks, as workloads. */
typedef struct app_component {
    gcast_status (*check)(const args *a); /* are the options right that describe an application? */
    gcast_status (*open)(const args *a, const char *name, gcast_workload **w);
    void (*note)(const args *a, const gcast_gpu *gpu); /* notes where times of applications are not of this GPU */
    const char *(*paper_benchmark)(size_t i);          /* those of --app all; NULL after the last, here and below */
    const char *(*benchmark)(size_t i);                /* words for --app */
    const char *(*input_form)(size_t i);               /* beginnings of words for --input */
} app_component;
extern const app_component component_apps;

/* Co-runs: several SM-centric kernels at the same time. */
typedef struct corun_component {
    gcast_status (*search)(struct smc_request *r);     /* `smc --corun`: how kernels share the SMs */
    gcast_status (*measure)(const struct launches *l); /* `measure` with several --launch: together, in all manners */
} corun_component;
extern const corun_component component_corun;

#endif
