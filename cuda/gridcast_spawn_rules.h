/* The arithmetic of the SPAWN controller (Tang et al., HPCA 2017, Algorithm 1), without a GPU: when a thread launches a
 * child kernel rather than do its items by itself, and how the averages behind that decision are kept. It compiles as
 * C17, C++17 and CUDA; gridcast_spawn.cuh adds the state in device memory.
 *
 * Words of the paper: n: child blocks launched and not ended. t_cta: average time of a child block. n_con: average
 * number of child blocks that run at the same time. t_warp: average time of a child warp, which stands for an item.
 *
 *     no child block has ended yet:  launch (bootstrap)
 *     t_child  = t_overhead + (n + blocks) * t_cta / n_con
 *     t_parent = items * t_warp
 *     launch if t_child <= t_parent and n + blocks <= max_queue
 *
 * Where the paper is silent:
 *   - n_con is 0 (nothing ran in the last window): gridcast_idle says what to do.
 *   - t_cta is the average over all blocks, or an exponential one (gridcast_average).
 *   - n_con keeps its fraction; the paper's shift by 10 bits would make 0.9 a 0.
 *   - The bootstrap launches whatever n is, as Algorithm 1 does.
 *   - t_warp is 0 (the clock has not ticked during any child block yet): launch while the queue has space. A window in
 *     which it did not tick leaves t_warp as it was: taken for 0, it would end launching for good, since only children
 *     that end close windows.
 *
 * GRIDCAST_OWN, the default, needs no averages and has no bootstrap. It knows what a launch and an item cost, and a
 * child's place in the queue: the GPU starts one child after the other, every service_ns. A thread launches if its child
 * ends before it would itself:
 *
 *     overhead_ns + earlier * call_ns + place * service_ns + child_ns <= items * item_ns
 *
 * with place: children launched before this one that have not started; earlier: those of its own warp among them. When
 * a kernel begins, thousands of threads ask at once, most of which will not launch. So each takes a place in a class by
 * the size of its child, counts only its own class and those above, and gives the place back if it is too far behind:
 * threads with few items do not push away those with many. The time of an item is the program's own: GRIDCAST_LEARN
 * measures it in a run of the program. */
#ifndef GRIDCAST_SPAWN_RULES_H
#define GRIDCAST_SPAWN_RULES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#define GRIDCAST_BOTH __host__ __device__ static inline
#else
#define GRIDCAST_BOTH static inline
#endif

enum gridcast_policy {
    GRIDCAST_FLAT,      /* never launch */
    GRIDCAST_ALWAYS,    /* launch from min_items on */
    GRIDCAST_THRESHOLD, /* launch from `threshold` items on */
    GRIDCAST_SPAWN,     /* the paper's controller */
    GRIDCAST_OWN,       /* launch where the child ends sooner, by figures given in advance and its place in the queue */
    GRIDCAST_LEARN      /* launch GRIDCAST_LEARN_CHILDREN at first, then never; times loops and children for OWN */
};

#define GRIDCAST_LEARN_CHILDREN 256u
#define GRIDCAST_ANY_PENDING UINT32_MAX /* max_pending: children are not limited, and a full pool is CUDA's to refuse */

/* What holds while n_con is 0. */
enum gridcast_idle {
    GRIDCAST_IDLE_LAST,   /* the last n_con that was not 0; launch where there was none */
    GRIDCAST_IDLE_LAUNCH, /* launch */
    GRIDCAST_IDLE_ONE     /* count it as 1 */
};

/* How t_cta averages. */
enum gridcast_average {
    GRIDCAST_CUMULATIVE, /* over all child blocks that have ended */
    GRIDCAST_EXPONENTIAL /* a block counts 1/8, what was before it 7/8 */
};

typedef struct gridcast_params {
    uint32_t policy;      /* gridcast_policy */
    uint32_t min_items;   /* a thread with fewer never launches, whatever the policy; 0 counts as 1 */
    uint32_t threshold;   /* GRIDCAST_THRESHOLD: items from which a thread launches */
    uint32_t max_queue;   /* most child blocks launched and not ended */
    uint32_t max_pending; /* most child kernels launched and not ended: gridcast_pending_of(CUDA's pool), or less */
    uint32_t block_items; /* items of a child block */
    float overhead_ns;    /* t_overhead: from the call of a launch to the start of the child */
    float call_ns;        /* GRIDCAST_OWN: what each launch that the warp makes before this one adds to overhead_ns */
    float service_ns;     /* GRIDCAST_OWN: time between the starts of two children, at the GPU's ceiling */
    float child_ns;       /* GRIDCAST_OWN: time of a child block, end_ns and margin_ns */
    float item_ns;        /* GRIDCAST_OWN: time of an item in the parent's loop; 0: not measured yet */
    uint32_t window_ns;   /* length of a window of n_con and t_warp */
    uint32_t idle;        /* gridcast_idle */
    uint32_t average;     /* gridcast_average */
    float end_ns;         /* GRIDCAST_OWN: from the end of a child's last block until its kernel counts as complete */
    float margin_ns;      /* GRIDCAST_OWN: by how much a child must end before the thread itself would */
} gridcast_params;

/* What a decision reads besides n: 16 bytes, published whenever a window closes. */
typedef struct gridcast_snapshot {
    float block_ns;    /* t_cta / n_con: how long the GPU takes per child block */
    float item_ns;     /* t_warp */
    float overhead_ns; /* t_overhead */
    uint32_t flags;    /* GRIDCAST_BOOTSTRAP, GRIDCAST_NO_RATE; above them the number of the window, from 0 */
} gridcast_snapshot;

#define GRIDCAST_BOOTSTRAP 1u /* t_cta is 0: launch whatever n is */
#define GRIDCAST_NO_RATE 2u   /* n_con or t_warp is unknown: launch while the queue has space */
#define GRIDCAST_FLAGS 3u
#define GRIDCAST_WINDOW_SHIFT 2

/* The averages as they stand. */
typedef struct gridcast_averages {
    double t_cta_ns;   /* 0: no child block has ended */
    double n_con;      /* of the last window; 0: nothing ran */
    double last_n_con; /* the last one that was not 0; 0: none */
    double t_warp_ns;  /* of the last window in which warps took time by the clock; 0: none */
    uint64_t blocks;   /* child blocks that t_cta averages over */
    double sum_ns;     /* their times */
} gridcast_averages;

/* What happened in a window. */
typedef struct gridcast_window {
    uint64_t span_ns;       /* its length */
    uint64_t block_time_ns; /* time of child blocks in it, added up: its integral of the running blocks */
    uint64_t max_running;   /* n_con is not larger than this; 0: no such limit */
    uint64_t ended;         /* child blocks that ended in it */
    uint64_t ended_ns;      /* their times from start to end, added up */
    uint64_t warps;         /* warps that ended in it, one of each child block; 0: as many as blocks */
    uint64_t warps_ns;      /* their times, added up */
} gridcast_window;

/* What a run under GRIDCAST_LEARN found. */
typedef struct gridcast_learned {
    uint64_t loops;      /* warps whose longest loop was timed */
    uint64_t loop_ns;    /* times of these loops, added up */
    uint64_t loop_items; /* their items */
    uint64_t blocks;     /* child blocks that ended */
    uint64_t block_ns;   /* their times, added up */
} gridcast_learned;

#define GRIDCAST_CHILD_END_NS 6700 /* end_ns of an H200 */
#define GRIDCAST_MARGIN_NS 12000   /* chosen: with about so much OWN was best in our runs (docs/measurements.md) */

/* GRIDCAST_OWN, which was the best policy that needs no search in our runs on an H200 (docs/measurements.md sums them up). It
 * lacks item_ns, which is the program's own. Times of a launch and end_ns are an H200's, max_pending is that of CUDA's
 * default pool: gridcast_spawn_measure measures them. The rest is as the SPAWN paper has it. */
GRIDCAST_BOTH gridcast_params gridcast_params_default(void)
{
    gridcast_params p = {GRIDCAST_OWN, 8, 64, 65536, 1792, 64, 6300, 240, 210, 20700, 0, 1024, GRIDCAST_IDLE_LAST,
                         GRIDCAST_CUMULATIVE, GRIDCAST_CHILD_END_NS, GRIDCAST_MARGIN_NS};
    return p;
}

/* What is missing in parameters, as a sentence; NULL: nothing. A controller with such parameters is not made. */
GRIDCAST_BOTH const char *gridcast_params_lack(const gridcast_params *p)
{
    if (p->policy > GRIDCAST_LEARN)
        return "there is no such policy";
    if (p->policy == GRIDCAST_OWN && !(p->item_ns > 0))
        return "item_ns is 0: GRIDCAST_OWN would never launch; measure it (gridcast_spawn_learn)";
    if (p->policy == GRIDCAST_THRESHOLD && !p->threshold)
        return "threshold is 0";
    return 0;
}

/* Children that have ended by the controller's count and are still in CUDA's pool. A kernel counts as ended with its
 * block of the largest number. Until its other blocks have ended too its grid is resident, and of those a GPU has 128 at
 * most; as many again for grids that are complete and whose places CUDA has not given back. */
#define GRIDCAST_UNCOUNTED 256u

/* max_pending for a pool (cudaLimitDevRuntimePendingLaunchCount): what is left of it beside a margin of an eighth, and of
 * GRIDCAST_UNCOUNTED at least. 0: the pool is too small for any child. */
GRIDCAST_BOTH uint32_t gridcast_pending_of(uint64_t pool)
{
    uint64_t margin = pool / 8 > GRIDCAST_UNCOUNTED ? pool / 8 : GRIDCAST_UNCOUNTED;
    uint64_t pending = pool > margin ? pool - margin : 0;
    return pending < GRIDCAST_ANY_PENDING ? (uint32_t)pending : GRIDCAST_ANY_PENDING - 1;
}

/* Fills in what GRIDCAST_OWN needs of the program, and makes it the policy. child_ns includes p->end_ns, which is measured
 * before, and p->margin_ns. False: nothing was timed; *p stays as it is. */
GRIDCAST_BOTH bool gridcast_params_learn(gridcast_params *p, const gridcast_learned *l)
{
    if (!l->loop_items || !l->loop_ns || !l->blocks)
        return false;
    p->policy = GRIDCAST_OWN;
    p->item_ns = (float)((double)l->loop_ns / (double)l->loop_items);
    p->child_ns = (float)((double)l->block_ns / (double)l->blocks + (double)p->end_ns + (double)p->margin_ns);
    return true;
}

GRIDCAST_BOTH uint32_t gridcast_blocks_of(const gridcast_params *p, uint32_t items)
{
    uint32_t per_block = p->block_items ? p->block_items : 1;
    return items / per_block + (items % per_block != 0);
}

/* Does a thread with these items launch a child of `blocks` blocks? `queued`: child blocks launched and not ended,
 * `place`: child kernels launched and not started, both without this one; `earlier`: launches that its warp makes
 * before it. Once false, it stays false when the last three grow. */
GRIDCAST_BOTH bool gridcast_launches(const gridcast_params *p, const gridcast_snapshot *s, uint32_t items,
                                     uint32_t blocks, uint64_t queued, uint64_t place, uint32_t earlier)
{
    if (p->policy == GRIDCAST_FLAT || items == 0 || items < p->min_items)
        return false;
    if (p->policy == GRIDCAST_ALWAYS)
        return true;
    if (p->policy == GRIDCAST_THRESHOLD)
        return items >= p->threshold;
    if (p->policy == GRIDCAST_LEARN)
        return place < GRIDCAST_LEARN_CHILDREN;
    if (p->policy == GRIDCAST_OWN) {
        float overhead = fmaf((float)earlier, p->call_ns, p->overhead_ns + p->child_ns);
        return fmaf((float)place, p->service_ns, overhead) <= (float)items * p->item_ns;
    }
    if (s->flags & GRIDCAST_BOOTSTRAP)
        return true;
    if (queued + blocks > p->max_queue)
        return false;
    if (s->flags & GRIDCAST_FLAGS)
        return true;
    return fmaf((float)(queued + blocks), s->block_ns, s->overhead_ns) <= (float)items * s->item_ns;
}

/* The averages before the first child. */
GRIDCAST_BOTH gridcast_averages gridcast_averages_start(void)
{
    gridcast_averages a = {0, 0, 0, 0, 0, 0};
    return a;
}

/* Adds `blocks` child blocks that took `sum_ns` altogether to t_cta. The exponential average takes each of them as long
 * as their mean. */
GRIDCAST_BOTH void gridcast_add_blocks(gridcast_averages *a, const gridcast_params *p, uint64_t blocks, uint64_t sum_ns)
{
    if (!blocks)
        return;
    double mean = (double)sum_ns / (double)blocks;
    bool is_first = a->t_cta_ns <= 0;
    a->blocks += blocks;
    a->sum_ns += (double)sum_ns;
    if (p->average == GRIDCAST_CUMULATIVE)
        a->t_cta_ns = a->sum_ns / (double)a->blocks;
    else
        a->t_cta_ns = is_first ? mean : mean + (a->t_cta_ns - mean) * pow(7.0 / 8, (double)blocks);
    if (a->t_cta_ns <= 0)
        a->t_cta_ns = 1; /* a clock with coarse ticks: the block has ended, so the bootstrap is over */
}

/* Closes a window: what follows is decided by its values until the next one closes. */
GRIDCAST_BOTH void gridcast_close_window(gridcast_averages *a, const gridcast_params *p, const gridcast_window *w)
{
    gridcast_add_blocks(a, p, w->ended, w->ended_ns);
    if (w->span_ns) {
        a->n_con = (double)w->block_time_ns / (double)w->span_ns;
        if (w->max_running && a->n_con > (double)w->max_running)
            a->n_con = (double)w->max_running;
        if (a->n_con > 0)
            a->last_n_con = a->n_con;
    }
    uint64_t warps = w->warps ? w->warps : w->ended;
    if (warps && w->warps_ns)
        a->t_warp_ns = (double)w->warps_ns / (double)warps;
}

/* What decisions read. */
GRIDCAST_BOTH gridcast_snapshot gridcast_snapshot_of(const gridcast_averages *a, const gridcast_params *p)
{
    gridcast_snapshot s = {0, 0, 0, 0};
    double n_con = a->n_con;
    s.overhead_ns = p->overhead_ns;
    s.item_ns = (float)a->t_warp_ns;
    if (a->t_cta_ns <= 0) {
        s.flags = GRIDCAST_BOOTSTRAP;
        return s;
    }
    if (n_con <= 0 && p->idle == GRIDCAST_IDLE_LAST)
        n_con = a->last_n_con;
    if (n_con <= 0 && p->idle == GRIDCAST_IDLE_ONE)
        n_con = 1;
    if (n_con > 0)
        s.block_ns = (float)(a->t_cta_ns / n_con);
    if (n_con <= 0 || a->t_warp_ns <= 0)
        s.flags = GRIDCAST_NO_RATE;
    return s;
}

/* Classes of children for GRIDCAST_OWN: 1 block, 2, up to 4, up to 8, ... , more than 64. */
#define GRIDCAST_CLASSES 8

GRIDCAST_BOTH uint32_t gridcast_class_of(uint32_t blocks)
{
    uint32_t number = 0;
    while (number < GRIDCAST_CLASSES - 1 && blocks > 1u << number)
        number++;
    return number;
}

/* Running child blocks and their time in one word of 64 bits, which blocks change by additions in any order: the low 14
 * bits count them, the upper 50 hold the sum of their ends less the sum of their starts, modulo 2^50 ns (13 days). At
 * time t the integral of the running blocks is this sum + running * t; only differences of it mean something. */
#define GRIDCAST_RUNNING_BITS 14

GRIDCAST_BOTH uint64_t gridcast_running_begin(uint64_t start_ns)
{
    return (uint64_t)(0 - (start_ns << GRIDCAST_RUNNING_BITS)) + 1;
}

GRIDCAST_BOTH uint64_t gridcast_running_end(uint64_t end_ns)
{
    return (end_ns << GRIDCAST_RUNNING_BITS) - 1;
}

GRIDCAST_BOTH uint64_t gridcast_running_count(uint64_t word)
{
    return word & ((1u << GRIDCAST_RUNNING_BITS) - 1);
}

/* The integral at time now_ns, shifted left by GRIDCAST_RUNNING_BITS. */
GRIDCAST_BOTH uint64_t gridcast_block_time(uint64_t word, uint64_t now_ns)
{
    uint64_t running = gridcast_running_count(word);
    return word - running + ((running * now_ns) << GRIDCAST_RUNNING_BITS);
}

/* Its growth between two times, in ns; 0 where stamps of a clock with ticks make it fall. */
GRIDCAST_BOTH uint64_t gridcast_block_time_between(uint64_t earlier, uint64_t later)
{
    int64_t grown = (int64_t)(later - earlier);
    return grown < 0 ? 0 : (uint64_t)grown >> GRIDCAST_RUNNING_BITS;
}

/* How many, and their times, in one word that is changed by additions: the low 20 bits count, the upper 44 add up
 * nanoseconds (4.8 hours). Both are always of the same blocks, whatever the order of additions and reads; differences are
 * right while they stay below these limits, which no window comes near. */
#define GRIDCAST_TIMED_BITS 20

GRIDCAST_BOTH uint64_t gridcast_timed(uint64_t ns)
{
    return (ns << GRIDCAST_TIMED_BITS) + 1;
}

GRIDCAST_BOTH uint64_t gridcast_timed_count(uint64_t difference)
{
    return difference & ((1u << GRIDCAST_TIMED_BITS) - 1);
}

GRIDCAST_BOTH uint64_t gridcast_timed_ns(uint64_t difference)
{
    return difference >> GRIDCAST_TIMED_BITS;
}

/* Child kernels (upper 32 bits) and child blocks (lower 32) in one word, to be added, subtracted and compared. */
GRIDCAST_BOTH uint64_t gridcast_load_of(uint32_t kernels, uint32_t blocks)
{
    return (uint64_t)kernels << 32 | blocks;
}

GRIDCAST_BOTH uint32_t gridcast_load_blocks(uint64_t load)
{
    return (uint32_t)load;
}

GRIDCAST_BOTH uint32_t gridcast_load_kernels(uint64_t load)
{
    return (uint32_t)(load >> 32);
}

/* Blocks and kernels of a difference, launched less ended, in which each may be below 0. */
GRIDCAST_BOTH int64_t gridcast_load_blocks_left(uint64_t load)
{
    return (int32_t)(uint32_t)load;
}

GRIDCAST_BOTH int64_t gridcast_load_kernels_left(uint64_t load)
{
    return (int64_t)(load - (uint64_t)gridcast_load_blocks_left(load)) / ((int64_t)1 << 32);
}

/* Is this difference, launched less ended, below 0 in one of its halves? Then kernels run that nobody counted: more, or
 * larger, than a decision was asked for. 2^31 kernels or blocks are never pending. */
GRIDCAST_BOTH bool gridcast_load_is_less(uint64_t load)
{
    return load >> 63 || (load >> 31 & 1);
}

#endif
