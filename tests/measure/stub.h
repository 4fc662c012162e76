/* What the files of the driver without a GPU share. */
#ifndef TESTS_STUB_H
#define TESTS_STUB_H

#include <stdatomic.h>
#include <stdbool.h>

#include "measure/driver/cuda.h"

#define FAILURE 999
#define NO_MEMORY 2
#define STUB_SMS 8          /* of the GPU */
#define STUB_MAX_GLOBALS 16 /* of a module */

/* Defines an exported call of the driver. */
#define CALL(name, arguments)                                                                                          \
    __attribute__((visibility("default"))) CUresult name arguments;                                                    \
    CUresult name arguments
#define MAY_FAIL                                                                                                       \
    if (stub_failing())                                                                                                \
    return FAILURE

/* The rest of a call that makes a thing. */
#define CREATED(object) (object) ? CUDA_SUCCESS : NO_MEMORY

/* A variable of a module. */
typedef struct stub_global {
    char name[64]; /* as in the PTX */
    size_t bytes;  /* of it */
    void *data;    /* zero when the module is loaded */
} stub_global;

struct stub_module;

typedef struct stub_function {
    const char *name;           /* one of those that the stub knows */
    int registers;              /* per thread */
    int carveout;               /* preferred; 0: never set */
    int large_clusters;         /* more than 8 blocks are allowed in a cluster */
    int newer;                  /* compiled for compute capability 9.0 */
    struct stub_module *module; /* where it is */
} stub_function;

typedef struct stub_module {
    stub_function *function;              /* every kernel that the stub knows */
    stub_global global[STUB_MAX_GLOBALS]; /* its variables */
    int globals;                          /* of these */
} stub_module;

/* What was launched with attributes, for tests: stub_seen_NAME() says it. */
typedef struct stub_seen {
    int clusters, cooperative, programmatic; /* kernels with the attribute */
    int graphs, nodes, ports, uploads;       /* launches of graphs, their nodes, edges with ports; uploads */
    int events;                              /* recorded by graphs */
} stub_seen;
extern stub_seen stub_counts;

/* What block `block` of a launch does. */
typedef void (*stub_block)(uint64_t block, uint64_t threads, void **parameters);

/* Is this the call that is to fail? */
int stub_failing(void);
/* A number from the environment; 0 where it is not set. */
int stub_setting(const char *name);
int64_t stub_gpu_now(void);
/* Things that the program must give back, and how many it has not; NULL without memory. */
extern atomic_int stub_made;
void *stub_make(size_t size);
CUresult stub_destroy(void *object);
/* The dynamic shared memory that a kernel was allowed, the largest so far. */
extern int stub_max_shared;
/* The variable of a module; NULL: it has none of this name. */
stub_global *stub_find_global(stub_module *module, const char *name);
/* Runs `workers` blocks of an SM-centric kernel whose variable K_smc is `header`. */
CUresult stub_run_workers(const stub_global *header, uint64_t workers, uint64_t threads, stub_block job,
                          void **parameters);
/* Leaves the records of spin, timer_spin or spin_waiting. */
void stub_spin(const stub_function *f, uint64_t blocks, void **parameters);
/* Leaves the records of launch_warps or launch_chain. */
void stub_launch_children(const char *name, uint64_t blocks, uint64_t threads, void **parameters);

#endif
