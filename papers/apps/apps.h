/* Applications whose kernels launch kernels: the benchmarks of the SPAWN paper (Tang et al., HPCA 2017), with generated
 * inputs, as workloads. */
#ifndef PAPERS_APPS_APPS_H
#define PAPERS_APPS_APPS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/error.h"
#include "gridcast/launches.h"
#include "gridcast/workload.h"

#define GCAST_APP_MAX_NS INT64_C(1000000000000) /* of a cost */

/* How long the steps of an application take. Below 0: on the GPU that the paper simulates, by counts of accesses and
 * instructions. */
typedef struct gcast_app_costs {
    int64_t parent_before_ns; /* a parent's thread until it decides; from 2 on */
    int64_t parent_item_ns;   /* an item in the loop of a parent's thread */
    int64_t child_thread_ns;  /* a child's thread besides its item; from 1 on, where children launch from 2 on */
    int64_t child_item_ns;    /* an item in a child's thread */
    int64_t round_ns;         /* a kernel of one block before each round, such as one that makes a frontier; 0: none */
} gcast_app_costs;

static inline gcast_app_costs gcast_app_costs_default(void)
{
    gcast_app_costs costs;
    costs.parent_before_ns = costs.parent_item_ns = costs.child_thread_ns = costs.child_item_ns = -1;
    costs.round_ns = 0;
    return costs;
}

typedef struct gcast_app_options {
    size_t size;               /* of the struct, as the caller was compiled */
    gcast_app_costs costs;     /* of its steps */
    gcast_child_stream stream; /* of children: OWN or BLOCK */
    int64_t turnaround_ns;     /* a host launches each round so long after the one before is complete; below 0: no host,
                                  all rounds are called at 0, in one stream */
    uint32_t min_items; /* a thread with fewer never launches a child; 0: as many as the application has by itself */
} gcast_app_options;

static inline gcast_app_options gcast_app_options_default(void)
{
    gcast_app_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.costs = gcast_app_costs_default();
    options.stream = GCAST_CHILD_STREAM_OWN;
    options.turnaround_ns = -1;
    return options;
}

#define GCAST_PAPER_BENCHMARKS 13 /* those of its comparison come first */

size_t gcast_benchmark_count(void);
const char *gcast_benchmark_name(size_t benchmark);

/* A benchmark such as BFS-graph500, or an application such as BFS with an input such as rmat:16:16:1; letters may be of
 * either case. `input` NULL: that of the benchmark. One kernel per round of the application, whose threads hold as many
 * items as the application on this input gives them. The workload names no GPU; its name is the application and the
 * input in full. */
gcast_status gcast_app_workload(const char *benchmark_or_app, const char *input, const gcast_app_options *options,
                                gcast_workload **workload, gcast_error *err);

/* The costs of an application or benchmark in a file gridcast.app-costs/1, of which those of the benchmark count most.
 * What the file does not say stays as *costs has it. `file` is for errors. */
gcast_status gcast_app_costs_read(const char *text, size_t size, const char *file, const char *benchmark_or_app,
                                  gcast_app_costs *costs, gcast_error *err);

#endif
