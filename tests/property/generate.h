/* Random workloads on random GPUs, from a seed. They are small and have few different times, so that many events
 * happen at one time. They are valid, and every kernel fits on some SM that it may use. */
#ifndef PROPERTY_GENERATE_H
#define PROPERTY_GENERATE_H

#include "support/support.h"

#define GENERATED_PLANS 16

typedef struct generated {
    gcast_workload *workload;           /* what is to run */
    gcast_gpu *gpu;                     /* where; NULL: the workload names it */
    gcast_simulate_options options;     /* of the simulation */
    gcast_plan *plans[GENERATED_PLANS]; /* of its kernels */
    size_t plan_count;                  /* of plans */
    gcast_spawn_options *spawn;         /* of the options; NULL */
    uint32_t *waits_for;                /* of its kernels; NULL */
} generated;

/* Fails the test where the workload is not valid. */
generated generate(uint64_t seed);
/* As generate, but some of the kernels have plans. */
generated generate_planned(uint64_t seed);
/* As generate, but some of the kernels launch kernels; some have plans where the seed is a multiple of 5. */
generated generate_launching(uint64_t seed);
/* As generate, but some of the kernels have clusters. */
generated generate_clustered(uint64_t seed);
/* As generate, but some of the kernels are programmatic or cooperative, and blocks wait, some of them for ever. */
generated generate_waiting(uint64_t seed);
/* As generate, but many of the ops are nodes of CUDA graphs. */
generated generate_graphed(uint64_t seed);
void generated_free(generated *g);
/* The GPU, before a partition is taken. */
const gcast_gpu *generated_gpu(const generated *g);

/* generate_gpu.c */
gcast_gpu *generate_gpu(support_random *r);

/* The shape of a kernel that fits on the GPU. */
void generate_shape(support_random *r, const gcast_gpu *gpu, bool waves, gcast_op *op);

/* generate_launches.c: gives a kernel children, about as many as max_children at most. They are valid until the next
 * call. */
void generate_launches(support_random *r, const gcast_gpu *gpu, int max_children, gcast_op *op);
/* Gives a GPU the times and limits of launches; and options of the SPAWN controller. */
void generate_launch_times(support_random *r, gcast_gpu *gpu);
void generate_spawn_options(support_random *r, generated *g);

/* generate_after.c: lets ops be after others, puts ops of tasks in several streams, and gives the GPU an event gap. */
void generate_dependencies(support_random *r, gcast_workload *w, gcast_gpu *gpu);

/* generate_waits.c: makes kernels programmatic and cooperative, lets blocks trigger and wait, and gives the GPU the
 * times of that. False without memory. */
bool generate_waits(support_random *r, generated *g, gcast_gpu *gpu, int sms);
/* generate_graphs.c: makes runs of ops launches of graphs, and gives the GPU their times; and edges, between nodes. */
void generate_nodes(support_random *r, gcast_workload *w, gcast_gpu *gpu);
void generate_edges(support_random *r, gcast_workload *w);
/* Adds a launch of small kernels, most edges of which have ports: many of them run at a time. */
void generate_mesh(support_random *r, gcast_workload *w);

/* generate_plan.c: gives a kernel a plan for a GPU with this many SMs, of which it may use those with a bit. */
void generate_plan(support_random *r, const gcast_gpu *gpu, int sms, uint64_t allowed, gcast_op *op, generated *g);
/* Gives a GPU the times of workers. */
void generate_worker_times(support_random *r, gcast_gpu *gpu);

/* generate_clusters.c: the most of the first `sms` SMs of one GPC, of those with a bit. */
uint32_t generate_largest_gpc(const gcast_gpu *gpu, int sms, uint64_t allowed);
/* Gives a GPU GPCs. */
void generate_gpcs(support_random *r, gcast_gpu *gpu);
/* Gives a kernel clusters that some GPC can hold, of the first `sms` SMs, of which it may use those with a bit; its
 * grid grows to a multiple of them. */
void generate_cluster(support_random *r, const gcast_gpu *gpu, int sms, uint64_t allowed, gcast_op *op);

/* True n times in 100. */
static inline bool percent(support_random *r, int n)
{
    return support_between(r, 1, 100) <= n;
}

/* One of the values listed. */
#define one_of(r, ...)                                                                                                 \
    (((const int64_t[]){__VA_ARGS__})[support_between((r), 0, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t) - 1)])

#endif
