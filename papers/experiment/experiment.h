/* Schedulability experiments: random sets of periodic tasks, and which methods
 * accept how many of them at which utilisation. */
#ifndef PAPERS_EXPERIMENT_EXPERIMENT_H
#define PAPERS_EXPERIMENT_EXPERIMENT_H

#include "gridcast/analyze.h"
#include "gridcast/error.h"
#include "gridcast/gpu.h"
#include "gridcast/report.h"
#include "gridcast/workload.h"

/* How a set's utilisation is split among its tasks. */
#define GCAST_GENERATOR_TABLE(X)                                                                                       \
    X(UUNIFAST, "uunifast", "evenly over all ways to split it")                                                        \
    X(DRS, "drs", "evenly over those that keep every task within bounds")

typedef enum {
#define GCAST_X(id, name, text) GCAST_GENERATOR_##id,
    GCAST_GENERATOR_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_GENERATORS
} gcast_generator;

#define GCAST_PRIORITIES_TABLE(X)                                                                                      \
    X(EQUAL, "equal", "all tasks alike")                                                                               \
    X(RANDOM, "random", "any that the GPU has")                                                                        \
    X(DEADLINE, "deadline", "shorter deadlines first, spread over those that the GPU has")

typedef enum {
#define GCAST_X(id, name, text) GCAST_PRIORITIES_##id,
    GCAST_PRIORITIES_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_PRIORITY_RULES
} gcast_priorities;

/* What judges a set: a gcast_method, algorithm 2 of the thesis (papers/thesis), or simulating one hyperperiod or more
 * executions, which can only reject. */
#define GCAST_TEST_THESIS ((int)GCAST_METHODS)
#define GCAST_TEST_SIMULATE ((int)GCAST_METHODS + 1)
#define GCAST_TESTS ((int)GCAST_METHODS + 2)

#define GCAST_VERDICT_TABLE(X) X(NONE, "none") X(ACCEPTED, "accepted") X(REJECTED, "rejected") X(UNKNOWN, "unknown")

typedef enum {
#define GCAST_X(id, name) GCAST_VERDICT_##id,
    GCAST_VERDICT_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_VERDICTS
} gcast_verdict;

/* A list of values of one parameter. */
typedef struct gcast_numbers {
    const int64_t *at; /* the values */
    size_t count;
} gcast_numbers;

typedef struct gcast_experiment {
    const char *name;
    const gcast_gpu *gpu; /* a partition is already taken */
    uint64_t hash;        /* of everything that decides a result */
    int64_t seed;
    gcast_generator generator;
    int tasks;                                    /* per set */
    int64_t task_min_permille, task_max_permille; /* drs: limits of the utilisation of each task */
    gcast_numbers percents;                       /* utilisations of the sets */
    int64_t sets;                                 /* per utilisation */
    gcast_numbers periods, threads, registers, smem;
    int64_t grid_min, grid_max;           /* blocks */
    int deadline_percent, jitter_percent; /* of the period */
    int duration_min_percent;             /* of the longest duration */
    gcast_priorities priorities;
    int tests[GCAST_TESTS]; /* in the order of the file */
    size_t test_count;
    gcast_analyze_options limits;
    int64_t executions; /* that simulate tries per set, to find one that misses a deadline; 0: not given, one */
    void *memory;
} gcast_experiment;

const char *gcast_test_name(int test);

gcast_status gcast_experiment_load(const char *path, gcast_experiment **e, gcast_error *err);
gcast_status gcast_experiment_read(const char *text, size_t size, const char *file, gcast_experiment **e,
                                   gcast_error *err);
void gcast_experiment_free(gcast_experiment *e);

/* Number of sets: `sets` at the first utilisation, then as many at the next, and so on. */
uint64_t gcast_experiment_size(const gcast_experiment *e);
/* Set number `set`: the same on every machine, whatever else was made before. */
gcast_status gcast_experiment_set(const gcast_experiment *e, uint64_t set, gcast_workload **w, gcast_error *err);
/* The verdicts of all tests on a set, two bits per test from the lowest on: a gcast_verdict. GCAST_INTERNAL where
 * exact, bound or explore accepts a set of which an execution misses a deadline. */
gcast_status gcast_experiment_judge(const gcast_experiment *e, uint64_t set, uint32_t *verdicts, gcast_error *err);

/* How many of the sets each test accepts at each utilisation. verdicts[] has one entry
 * per set. Where executions are given, also how many sets some analysis accepts, how many miss
 * a deadline in an execution, and how many are open. Formats: TABLE, CSV, SVG, PNG, PDF. */
gcast_status gcast_acceptance_report(const gcast_experiment *e, const uint32_t *verdicts, gcast_format format,
                                     gcast_write_fn write, void *data, gcast_error *err);

#endif
