/* Kernels that launch kernels: dynamic parallelism.
 *
 * A kernel's launchers (threads, warps or blocks) hold items of work. Each either does its items itself, one after the
 * other, or launches a child kernel for them. docs/model.md, "Launches", says what happens then. */
#ifndef GRIDCAST_LAUNCHES_H
#define GRIDCAST_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/api.h"

GCAST_BEGIN_DECLS

struct gcast_op;

#define GCAST_MAX_LAUNCHERS (UINT64_C(1) << 27) /* of a level, where each has an item count of its own */
#define GCAST_MAX_CHILDREN (UINT64_C(1) << 32)  /* that the launchers of a level may launch */
#define GCAST_MAX_DEPTH 24                      /* of kernels that launch kernels, as in CUDA */
#define GCAST_MAX_CHILD_STREAMS 65536           /* that a kernel may create */

/* Who launches. */
#define GCAST_LAUNCHER_TABLE(X)                                                                                        \
    X(THREAD, "thread", "each thread has items")                                                                       \
    X(WARP, "warp", "each warp has items, which its threads do together")                                              \
    X(BLOCK, "block", "each block has items, which its threads do together")

typedef enum {
#define GCAST_X(id, name, text) GCAST_LAUNCHER_##id,
    GCAST_LAUNCHER_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_LAUNCHERS
} gcast_launcher;

/* The stream of a child. Children of one stream run one after the other. */
#define GCAST_CHILD_STREAM_TABLE(X)                                                                                    \
    X(OWN, "child", "each child has a stream of its own")                                                              \
    X(BLOCK, "block", "the children of a block share one: CUDA's default")                                             \
    X(NAMED, "named", "one of the streams that the kernel creates")                                                    \
    X(IN_TURN, "in_turn", "launcher i takes stream i modulo their number")

typedef enum {
#define GCAST_X(id, name, text) GCAST_CHILD_STREAM_##id,
    GCAST_CHILD_STREAM_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_CHILD_STREAMS
} gcast_child_stream;

/* What a parent's blocks do about their children. */
#define GCAST_CHILD_WAIT_TABLE(X)                                                                                      \
    X(NONE, "none", "fire and forget: they go on and end")                                                             \
    X(BLOCK, "block", "each waits until its children are complete, and gives its resources back meanwhile (CDP1)")     \
    X(TAIL, "tail", "children start after the last block has ended (tail launch)")

typedef enum {
#define GCAST_X(id, name, text) GCAST_CHILD_WAIT_##id,
    GCAST_CHILD_WAIT_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_CHILD_WAITS
} gcast_child_wait;

/* Who decides whether a launcher launches. */
#define GCAST_SPAWN_TABLE(X)                                                                                           \
    X(ALWAYS, "always", "a child for every launcher with items")                                                       \
    X(FLAT, "flat", "no children: launchers do their items themselves")                                                \
    X(THRESHOLD, "threshold", "a child for every launcher with as many items as the threshold, or more")               \
    X(SPAWN, "spawn", "the controller of Tang et al., HPCA 2017")                                                      \
    X(PREDICT, "predict", "a controller that knows costs and limits from the model")

typedef enum {
#define GCAST_X(id, name, text) GCAST_SPAWN_##id,
    GCAST_SPAWN_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_SPAWN_POLICIES
} gcast_spawn_policy;

/* What a kernel launches. A thread of a child has one item; where children launch too (child->launches), item i of this
 * level is launcher i of the next. */
typedef struct gcast_launches {
    gcast_launcher by;
    int64_t at_ns;         /* a block's launchers decide this long after its start */
    const uint32_t *items; /* by launcher; NULL: items_each */
    uint64_t item_count;   /* entries of items[]; launchers beyond have none */
    uint32_t items_each;   /* of every launcher, where items is NULL */
    uint32_t min_items;    /* a launcher with fewer items does them itself, whatever the policy */
    int64_t item_ns;       /* of one item that a launcher does itself */
    gcast_spawn_policy policy;
    uint32_t threshold; /* of THRESHOLD: items from which on a launcher launches */
    gcast_child_stream stream;
    uint32_t streams; /* that the kernel creates: for NAMED and IN_TURN */
    uint32_t named;   /* the stream of NAMED, below `streams` */
    gcast_child_wait wait;
    int64_t after_ns; /* with wait BLOCK: what a block does after it has waited */
    /* The child: its label, block, resources and launches. Its grid follows from the items, its durations are those of
     * a block without items. It has nothing that only the host can ask for: no plan, cluster, graph, trigger, wait, or
     * operations that it is after. */
    const struct gcast_op *child;
    uint32_t items_per_block; /* of a child; 0: as many as a block has threads */
    int64_t child_item_ns;    /* of one item in a child's thread */
    /* filled in by gcast_workload_add_op */
    int child_index;      /* of the child among the workload's children */
    uint64_t launchers;   /* of the level: of all blocks of the kernel, or items of the level above */
    uint64_t total_items; /* of all launchers; UINT64_MAX: more */
    const uint64_t
        *first_item; /* where the child launches and items[] is given: by launcher, its first item; one more */
    const int64_t *loop_sum_ns; /* of nested levels where times differ: what launchers before this one take for all
                                   their items and those below; one more at the end */
    int64_t loop_each_ns;       /* of nested levels where loop_sum_ns is NULL: what each launcher takes */
} gcast_launches;

/* Fire and forget, by thread, always, streams of their own; child NULL. */
static inline gcast_launches gcast_launches_default(void)
{
    gcast_launches l;
    memset(&l, 0, sizeof l);
    l.at_ns = 1;
    l.min_items = 1;
    l.child_index = -1;
    return l;
}

/* Choices of the SPAWN controller where the paper says nothing. */
#define GCAST_SPAWN_IDLE_TABLE(X)                                                                                      \
    X(PEAK, "peak", "the largest number of all windows")                                                               \
    X(LAST, "last", "the last average that was not 0; before the first one, launch")                                   \
    X(ONE, "one", "count as one")                                                                                      \
    X(LAUNCH, "launch", "launch")

typedef enum {
#define GCAST_X(id, name, text) GCAST_SPAWN_IDLE_##id,
    GCAST_SPAWN_IDLE_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_SPAWN_IDLES
} gcast_spawn_idle;

#define GCAST_SPAWN_AVERAGE_TABLE(X)                                                                                   \
    X(ALL, "all", "of all child blocks so far")                                                                        \
    X(MOVING, "moving", "each block counts for one eighth")                                                            \
    X(WINDOW, "window", "of the last window in which a child block ended")

typedef enum {
#define GCAST_X(id, name, text) GCAST_SPAWN_AVERAGE_##id,
    GCAST_SPAWN_AVERAGE_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_SPAWN_AVERAGES
} gcast_spawn_average;

/* How long SPAWN launches without looking. */
#define GCAST_SPAWN_START_TABLE(X)                                                                                     \
    X(KNOWN, "known", "until the times of a child block and of a child warp are known")                                \
    X(FIRST, "first", "until the first child block has ended")

typedef enum {
#define GCAST_X(id, name, text) GCAST_SPAWN_START_##id,
    GCAST_SPAWN_START_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_SPAWN_STARTS
} gcast_spawn_start;

#define GCAST_SPAWN_COUNTER_TABLE(X)                                                                                   \
    X(WIDE, "wide", "as many bits as needed")                                                                          \
    X(SATURATE, "saturate", "16 bits that stay at 65,535")                                                             \
    X(WRAP, "wrap", "16 bits that start again at 0")

typedef enum {
#define GCAST_X(id, name, text) GCAST_SPAWN_COUNTER_##id,
    GCAST_SPAWN_COUNTER_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_SPAWN_COUNTERS
} gcast_spawn_counter;

/* Why SPAWN launches a child, or does not. */
#define GCAST_SPAWN_WHY_TABLE(X)                                                                                       \
    X(START, "start", "no child block has ended yet")                                                                  \
    X(UNKNOWN, "unknown", "an average is not known")                                                                   \
    X(FORMULA, "formula", "the formula compared times of child and parent")                                            \
    X(QUEUE, "queue", "the maximum number of child blocks is queued")                                                  \
    X(POOL, "pool", "the pool of pending children was full")

typedef enum {
#define GCAST_X(id, name, text) GCAST_SPAWN_WHY_##id,
    GCAST_SPAWN_WHY_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_SPAWN_WHYS
} gcast_spawn_why;

/* A decision of SPAWN, with what it is made from (gridcast.decisions/1). */
typedef struct gcast_spawn_decision {
    int64_t time_ns;
    uint32_t items;      /* of the launcher */
    uint32_t blocks;     /* of the child */
    uint64_t n;          /* child blocks launched and not ended */
    int64_t t_cta_ns;    /* average time of a child block; 0: none has ended */
    double n_con;        /* average number of child blocks that run, as the choices for idle windows have it; 0: none */
    int64_t t_warp_ns;   /* average time of a child warp; 0: not known */
    int64_t overhead_ns; /* of the launch */
    double child_ns;     /* time of the child; below 0: not known */
    double parent_ns;    /* time of the launcher; below 0: not known */
    bool launches;
    gcast_spawn_why why;
} gcast_spawn_decision;

typedef struct gcast_spawn_options {
    size_t size;                  /* of the struct, as the caller was compiled */
    int64_t window_ns;            /* of averages; 0: the GPU's spawn_window_ns */
    uint64_t queue_limit;         /* child blocks that may wait or run */
    gcast_spawn_idle idle;        /* what counts when no child block ran in the last window */
    gcast_spawn_average average;  /* of the times of child blocks */
    gcast_spawn_counter counters; /* of n and of the time of a block */
    bool fractions;               /* the average number of child blocks keeps its fraction */
    gcast_spawn_start start;      /* how long it launches without looking */
    void (*log)(void *data, const gcast_spawn_decision *decision); /* of every decision, in their order; may be NULL */
    void *log_data;
} gcast_spawn_options;

static inline gcast_spawn_options gcast_spawn_options_default(void)
{
    gcast_spawn_options o;
    memset(&o, 0, sizeof o);
    o.size = sizeof o;
    o.queue_limit = 65536;
    return o;
}

/* Sums of a run with launches; times are summed over children. */
typedef struct gcast_launch_stats {
    uint64_t children;     /* launched */
    uint64_t child_blocks; /* of them */
    uint64_t offloaded;    /* items that children did */
    uint64_t items;        /* of all launchers that decided */
    uint64_t kept;         /* launchers with items that did them themselves, for whatever reason */
    uint64_t refused;      /* of these, those that the policy let launch and the pool did not take */
    uint64_t early;        /* children that SPAWN launched before a child block had ended */
    uint64_t max_live;     /* most children at a time, called and not complete */
    uint64_t max_pool;     /* most in the pool at a time */
    double overhead_ns;    /* call to the end of the launch overhead, summed */
    double stream_wait_ns; /* then for the stream */
    double pool_wait_ns;   /* then for the pool */
    double queue_wait_ns;  /* then in the hardware queue, and in the EE queue for the limit of kernels */
    double room_wait_ns;   /* then in the EE queue until the first block starts */
    double warp_ns;        /* resident warps, of all kernels, summed over time */
    double child_warp_ns;  /* of these, of children */
} gcast_launch_stats;

/* A run over time, in bins of equal length: sums over time (count x ns) of each bin. */
#define GCAST_LAUNCH_SERIES_TABLE(X)                                                                                   \
    X(PARENT_BLOCKS, "parent_blocks", "resident blocks of kernels that the host launched")                             \
    X(CHILD_BLOCKS, "child_blocks", "resident blocks of children")                                                     \
    X(OVERHEAD, "overhead", "children in their launch overhead")                                                       \
    X(STREAM, "stream", "children that wait for their stream")                                                         \
    X(POOL_WAIT, "pool_wait", "children that wait for the pool")                                                       \
    X(POOL, "pool", "children in the pool")                                                                            \
    X(QUEUED, "queued", "children in the EE queue without a block")                                                    \
    X(CHILD_KERNELS, "child_kernels", "children with a resident block or fully dispatched, and not complete")

typedef enum {
#define GCAST_X(id, name, text) GCAST_SERIES_##id,
    GCAST_LAUNCH_SERIES_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_LAUNCH_SERIES
} gcast_series;

#define GCAST_SERIES_BINS 1024
typedef struct gcast_launch_series {
    int64_t bin_ns; /* length of a bin */
    uint32_t count; /* bins that are used */
    double sum[GCAST_LAUNCH_SERIES][GCAST_SERIES_BINS];
} gcast_launch_series;

/* A child of a run, besides its times as an operation. */
typedef struct gcast_child {
    uint32_t parent;       /* operation: index in the run's ops[], which may be a child's */
    uint32_t parent_block; /* of the parent */
    uint64_t launcher;     /* number of its launcher in the level */
    uint64_t first_item;   /* where children launch: number of its first item in the level; else 0 */
    uint32_t items;
    uint32_t place;        /* it was the warp's launch number `place` of that moment, from 1 */
    bool is_rest;          /* no child, but the rest of a block that waited for its children */
    int64_t pool_ns;       /* it was taken into the pool */
    int64_t blocks_end_ns; /* its last block ended; it is complete when its own children are too */
    int queue;             /* hardware queue; -1: none */
} gcast_child;

GCAST_END_DECLS

#endif
