/* Who should launch? Policies for kernels that launch kernels, side by side: each is simulated on the same workload. */
#ifndef ANALYZE_SPAWN_SPAWN_COMPARE_H
#define ANALYZE_SPAWN_SPAWN_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/error.h"
#include "gridcast/launches.h"
#include "gridcast/report.h"
#include "gridcast/run.h"
#include "gridcast/simulate.h"
#include "gridcast/workload.h"

/* What is compared: a policy of all kernels of a workload. */
#define GCAST_SPAWN_CONTENDER_TABLE(X)                                                                                 \
    X(FLAT, "flat", "no children")                                                                                     \
    X(ALWAYS, "always", "a child for every launcher with enough items")                                                \
    X(THRESHOLD, "threshold", "a child from a given number of items on")                                               \
    X(OFFLINE, "offline", "the best threshold, found by simulating others")                                            \
    X(SPAWN, "spawn", "the controller of Tang et al., HPCA 2017")                                                      \
    X(PREDICT, "predict", "a controller that knows costs and limits")

typedef enum {
#define GCAST_X(id, name, text) GCAST_CONTENDER_##id,
    GCAST_SPAWN_CONTENDER_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_CONTENDERS
} gcast_spawn_contender;

const char *gcast_spawn_contender_name(gcast_spawn_contender c);

#define GCAST_NO_THRESHOLD 0 /* nobody launches */

typedef struct gcast_spawn_choice {
    gcast_spawn_contender contender;
    uint32_t threshold; /* of THRESHOLD: items, from 1 on */
} gcast_spawn_choice;

typedef struct gcast_compare_options {
    size_t size;                       /* of the struct, as the caller was compiled */
    const gcast_spawn_choice *choices; /* NULL: flat, always, offline, spawn, predict */
    size_t choice_count;
    gcast_spawn_options spawn;                     /* of SPAWN */
    bool exhaustive;                               /* OFFLINE tries every threshold that makes a difference */
    const char *name;                              /* of what is compared, for reports; NULL: the workload's */
    bool (*progress)(void *data, double fraction); /* may be NULL; false stops */
    void *progress_data;
} gcast_compare_options;

static inline gcast_compare_options gcast_compare_options_default(void)
{
    gcast_compare_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.spawn = gcast_spawn_options_default();
    return options;
}

/* What came of one choice. */
typedef struct gcast_spawn_row {
    gcast_spawn_contender contender;
    uint32_t threshold;       /* of THRESHOLD, and of OFFLINE the best one; GCAST_NO_THRESHOLD */
    uint32_t simulations;     /* that it took */
    int64_t end_ns;           /* of the run */
    double speedup;           /* the end of flat over this end */
    double occupancy;         /* resident warps over those that the SMs hold, on average over the run */
    gcast_launch_stats stats; /* of the run */
} gcast_spawn_row;

typedef struct gcast_spawn_comparison {
    const char *name;            /* of what was compared */
    const char *gpu;             /* name of the GPU */
    const char *gpu_title;       /* what it is */
    gcast_spawn_options spawn;   /* of SPAWN, with its window */
    const gcast_spawn_row *rows; /* by choice */
    size_t row_count;
    int64_t flat_ns;     /* the end of flat, which is simulated in any case */
    uint32_t kernels;    /* of the workload that launch */
    uint64_t launchers;  /* of all levels, with as many items as a launch needs */
    uint64_t items;      /* of these */
    uint32_t thresholds; /* that make a difference: distinct item counts of these launchers */
    void *memory;
} gcast_spawn_comparison;

/* `gpu` NULL: the workload's. GCAST_INPUT where no kernel of the workload launches. */
gcast_status gcast_spawn_compare(const gcast_workload *workload, const gcast_gpu *gpu,
                                 const gcast_compare_options *options, gcast_spawn_comparison **comparison,
                                 gcast_error *err);
void gcast_spawn_comparison_free(gcast_spawn_comparison *comparison);
/* One of the choices again, as a run; `threshold` is that of its row. */
gcast_status gcast_spawn_run(const gcast_workload *workload, const gcast_gpu *gpu, const gcast_compare_options *options,
                             const gcast_spawn_row *row, gcast_run **run, gcast_error *err);

/* Comparisons of the same choices. Formats: TABLE (of one: a line per policy; of several: a line each, with geometric
 * means), JSON (gridcast.spawn/1), SVG, PNG and PDF (bars of speedup over flat). */
gcast_status gcast_spawn_report(const gcast_spawn_comparison *const *comparisons, size_t count, gcast_format format,
                                bool color, gcast_write_fn write, void *data, gcast_error *err);

/* Phases of a kernel with children, of all kernels of a run the one that takes longest. Times are ends of the phases,
 * each to the bin of the run's series or exact. */
typedef struct gcast_launch_phases {
    size_t op;         /* of the run */
    int64_t start_ns;  /* it starts */
    int64_t child_ns;  /* (i): the first block of a child starts; -1: it has no children */
    int64_t fewer_ns;  /* (ii): its last block starts: from here on they become fewer */
    int64_t gone_ns;   /* (iii): its last block has ended */
    int64_t end_ns;    /* (iiii): it is complete */
    const char *limit; /* of its children from (iii) on: "hardware queues", "resident grids", "room on the SMs",
                          "launch overhead" or "" */
} gcast_launch_phases;

/* False where the run has no series, or no kernel that launches. */
bool gcast_launch_phases_find(const gcast_run *run, gcast_launch_phases *phases);
/* Blocks of parents and children over time, and below them how many children wait for what. Formats: SVG, PNG, PDF. */
gcast_status gcast_launch_timeline(const gcast_run *run, const char *title, gcast_format format, gcast_write_fn write,
                                   void *data, gcast_error *err);

#endif
