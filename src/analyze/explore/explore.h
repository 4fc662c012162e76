/* The search of method explore, shared by its files (docs/explore.md). A state stands for all
 * executions that have started the same blocks so far; its times are intervals, and no execution
 * is outside of them. Times are kept as two vectors, earliest and latest, so that two states
 * become one by the smaller of the first and the larger of the second. */
#ifndef ANALYZE_EXPLORE_EXPLORE_H
#define ANALYZE_EXPLORE_EXPLORE_H

#include "analyze/analysis.h"
#include "analyze/time_limit.h"
#include "base/heap.h"

#define EXPLORE_NONE UINT32_MAX
#define EXPLORE_STATES 10000000        /* unless the options say otherwise */
#define EXPLORE_CUTS 8                 /* parts into which the blocks are divided after which a job may be cut off */
#define EXPLORE_ENGINES 3              /* the EE, and copy engines 0 and 1 */
#define EXPLORE_LATEST (INT64_MAX / 4) /* call, and sum of all that takes time: no sum of two overflows */

/* What a block takes of the slots of its engine, of which the late and the early ones count on their own: it starts
 * when the slot at `at` is free, and takes so many from the first on. In a pool, and of a copy, the first one. */
typedef struct explore_share {
    size_t late_at, late_take;
    size_t early_at, early_take;
} explore_share;

/* One operation: an op that runs once, or of one job of a task. Sorted by earliest call, then index. */
typedef struct explore_job {
    uint32_t op;         /* in the workload */
    uint32_t job;        /* of its task */
    uint32_t index;      /* calls of one time are made in this order */
    uint32_t queue;      /* EE levels, highest first, then copy engines */
    uint32_t engine;     /* 0: the EE */
    uint32_t stream;     /* its number among the streams with several jobs, or NONE */
    uint32_t before;     /* the last one that is certainly called before it on its stream, or NONE */
    bool same_job;       /* `before` is of the same job, and right before it in the stream */
    bool loose;          /* with another of the same time either may be called first */
    int64_t first, last; /* earliest and latest call */
    int64_t latency;
    uint64_t blocks; /* 1 for copies */
    int64_t min_ns, max_ns;
    const int64_t *each; /* one duration a block, or NULL */
    explore_share share;
} explore_job;

typedef struct explore_stream {
    uint32_t *jobs; /* ascending */
    uint32_t count;
    bool settled;   /* they are surely called in this order */
    int64_t min_ns; /* no job of it is shorter */
} explore_stream;

/* A state: this, then the key (one bit a job that is dispatched, then for each level the job that is
 * so in part and whether it has just been cut off), then the earliest and the latest times. Two
 * states with the same key become one by the earlier of the earliest and the later of the latest. */
typedef struct explore_state {
    uint64_t hash;
    uint64_t done;  /* how far it is; the same for the same key */
    uint32_t chain; /* next in its place of the table, or free */
    uint32_t first; /* no job before this one is left */
    uint64_t words[];
} explore_state;

/* A time, and who goes first of those at one time: the lower; NONE where that is not known. */
typedef struct explore_least {
    int64_t time;
    uint32_t rank;
} explore_least;

/* What may start next in a state. */
typedef struct explore_choice {
    uint32_t job;
    bool resumed; /* some of its blocks have started before */
    bool timely;  /* its stream does not hold it: it enters when it arrives */
    int64_t call_lo, call_hi;
    int64_t enter_lo, enter_hi;       /* its queue */
    int64_t start_lo, start_hi;       /* its next block, or the copy */
    int64_t complete_lo, complete_hi; /* its stream's last job */
    int64_t latest;                   /* no block of it starts later */
    int64_t limit;                    /* and surely those do that would start by then */
    unsigned cut; /* a higher level cuts in before its last block starts, in which part of its blocks; 0: none does */
    explore_least surely; /* by when one of its stream surely enters its queue */
} explore_choice;

typedef VEC(explore_choice) explore_choices;

/* Where times are in the two vectors of a state. */
typedef struct explore_places {
    /* in both: slots from 0 on, sorted, engine by engine; then */
    size_t last;    /* by engine: nothing starts before */
    size_t stream;  /* by stream: its last job is complete */
    size_t partial; /* by level: the started blocks of the job that it has dispatched in part end */
    size_t started; /* by level: how many these are; no time */
    size_t pairs;   /* how many these are */
    /* in the earliest only */
    size_t entered, entered_rank; /* by queue: what is left enters no sooner, nor with a lower index; 0: any */
    size_t reference;             /* by engine: the latest entry of all its jobs so far */
    size_t now;                   /* the last start of all */
    size_t called;                /* by stream: its last job was */
    size_t stream_least;          /* by stream: least response of its last job */
    size_t partial_least;         /* by level: the same of the job that it has dispatched in part */
    size_t least_sum;             /* of the EE's slots */
    size_t newest_first;          /* by engine: the job that it started last and that entered last, + 1; 0: not known */
    size_t earliest;              /* how many these are with the pairs */
    /* in the latest only */
    size_t early;        /* by slot, then by engine: what they are if the latest entry is the reference, and one
                            for one later if it is later */
    size_t stream_most;  /* by stream: largest response of its last job */
    size_t stream_entry; /* by stream: from the call of its last job to its entry */
    size_t partial_most; /* by level: largest response of the job that it has dispatched in part */
    size_t sum;          /* of the EE's slots */
    size_t early_sum;    /* the same of the early ones */
    size_t tail;         /* the EE's last slot comes free at most so long after `last` */
    size_t newest_last;  /* as newest_first */
    size_t latest;       /* how many these are with the pairs */
} explore_places;

typedef struct explore_store {
    VEC(explore_state *) slabs;
    uint32_t per_slab, taken, free;
    uint32_t *table;
    size_t table_size, live;
    heap pending; /* by done: every step leads on */
} explore_store;

typedef struct explore {
    const gcast_workload *w;
    const gcast_gpu *gpu;
    const gcast_analyze_options *options;
    time_limit limit;
    owned_analysis *out;
    gcast_error *err;
    gcast_status status;
    bool pool;       /* blocks are a pool of slots, and what is around them decides no time */
    bool by_events;  /* how it is searched */
    bool apart;      /* by events: no two states become one but where one is within the other */
    int64_t noise;   /* everything takes up to so much longer */
    const char *why; /* it is not covered, or too large; NULL */
    char text[160];  /* for `why` */
    arena memory;

    explore_job *jobs;
    uint32_t job_count;
    explore_stream *streams;
    int64_t gap, handover, switching, least_latency;
    int64_t turn;     /* a kernel that its stream held may enter up to so much later than after the gap */
    int64_t copy_gap; /* the hand-over of a copy engine */
    int64_t window;   /* jobs released before it count */
    int64_t start;    /* releases repeat from here on */
    int64_t period;   /* hyperperiod; 0: not asked for */

    size_t levels, queues, engines, stream_count, partials;
    bool both_ways; /* there are copies to the device and to the host */
    size_t slot_at[EXPLORE_ENGINES], slot_count[EXPLORE_ENGINES], slots;
    explore_share *shares;       /* by op, where blocks are no pool; NULL */
    size_t early_from;           /* with shares: the EE's early slots before are none */
    bool passing;                /* copies wait in channels, and may pass each other */
    size_t hardest;              /* of all kernels left, the last slot that one may wait for, in a look */
    size_t set_words, key_words; /* of a state */
    explore_places at;
    size_t state_bytes;

    uint32_t *burst_end;    /* by job: where the burst ends that begins with it; 0: none does */
    __int128 *burst_before; /* by job: work of all before it */
    uint32_t *last_alike;   /* of a burst's jobs, by place in it */
    bool large;             /* a state takes long, so that the clock is looked at within it too */
    int64_t *best, *worst;  /* by op: responses so far */
    int64_t *ends;          /* by job: latest end */
    bool bounded;           /* the jobs of some burst were not explored */

    explore_store store;
    explore_state *next; /* the successor being made */
    explore_choices choices;
    explore_least (*least)[2];  /* by queue */
    uint64_t *seen_look, look;  /* by stream: the look in which it was seen last */
    int64_t *ring, *scratch[2]; /* slots of an engine */
} explore;

static inline int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t *state_lo(const explore *x, explore_state *s)
{
    return (int64_t *)&s->words[x->key_words];
}

static inline int64_t *state_hi(const explore *x, explore_state *s)
{
    return state_lo(x, s) + x->at.earliest;
}

static inline bool state_has(const explore_state *s, uint32_t job)
{
    return s->words[job / 64] >> (job % 64) & 1;
}

/* The job of a level that is dispatched in part, NONE: there is none; and whether it is not to go on yet. */
static inline uint64_t *state_partial(const explore *x, explore_state *s, size_t level)
{
    return &s->words[x->set_words + 2 * level];
}

/* Not covered; false. */
static inline bool explore_refuse(explore *x, const char *why)
{
    if (!x->why)
        x->why = why;
    return false;
}

/* intervals/pool.c: blocks on equal slots. */
typedef struct explore_fill {
    int64_t ns;          /* of a block */
    const int64_t *each; /* or of each, from the first on that is to start, */
    int64_t more;        /* and so much longer */
    int64_t handover;
    bool shared; /* each waits for the slot at `nth`, and takes so many */
    size_t nth, take;
    int64_t first;  /* where it is so: the first starts no later */
    int64_t floor;  /* nothing starts sooner; then: the last start */
    int64_t limit;  /* nothing but the first starts later: the rest is left */
    int64_t latest; /* it is known that nothing starts later */
    uint64_t count; /* blocks; then: those that have started */
    int64_t end;    /* then: the latest end */
    uint64_t started;
    int64_t *ring; /* room for as many times as there are slots, twice and one more where they are shared */
} explore_fill;

void explore_fill_slots(int64_t *slots, size_t count, explore_fill *f);
/* How many slots all kernels see alike; false where they do not. */
bool explore_pool_size(explore *x, size_t *slots);

/* intervals/share.c: the same where blocks differ, and what each kernel's take of slots. */
void explore_fill_shares(int64_t *slots, size_t count, explore_fill *f);
bool explore_share_out(explore *x);

/* intervals/sum.c: bounds of the EE's slots from their sum. */
void explore_tighten(const explore *x, explore_state *s);
/* The sum of slots none of which comes free before `floor`; by how much it is more for that. */
int64_t explore_sum_from(const int64_t *slots, size_t count, int64_t floor);
int64_t explore_idle(const int64_t *slots, size_t count, int64_t floor);
/* What so many blocks hold of slots. */
int64_t explore_work(const explore_fill *f, uint64_t count);

/* explore/cover.c: does the method cover the workload at all, and by a pool of slots? */
bool explore_possible(explore *x);
bool explore_covers(explore *x);
bool explore_covers_shares(explore *x); /* else: of no pool, but wherever blocks go? */
bool explore_covers_channels(explore *x);
bool explore_lines_matter(explore *x); /* streams may share a connection, or wait for turns */
bool explore_set_turn(explore *x);     /* false without memory */
/* events/events.c: the search by events, for what no pool covers. */
bool explore_events(explore *x);
/* explore.c: best, worst and ends, nothing known. False without memory. */
bool explore_make_results(explore *x);
/* May the search go on, after so many states or instants, with so much memory and so far? */
bool explore_goes_on(explore *x, uint64_t looked, uint64_t bytes, double fraction);
bool explore_in_time(explore *x);
/* explore/jobs.c: jobs with their intervals. False: refused, or status. */
bool explore_make_jobs(explore *x);
int explore_copy_engine(const explore *x, const gcast_op *op); /* of a copy or memset: 0 or 1 */
/* explore/window.c: which jobs are looked at, and whether they stand for all. */
bool explore_window(explore *x);
bool explore_repeats(explore *x);
/* The first job of a stream that may be left. */
uint32_t explore_first_left(const explore_stream *stream, const explore_state *s);
/* intervals/next_start.c: to x->choices; false without memory. */
bool explore_look(explore *x, explore_state *s);
/* What is known of a job once all of it has started. */
typedef struct explore_outcome {
    int64_t call_lo, end_lo, end_hi, best, worst;
    int64_t entry; /* after the call, at most */
} explore_outcome;

/* intervals/start.c: blocks of a choice start. */
typedef struct explore_start {
    const explore_job *j;
    const explore_choice *c;
    int64_t *lo, *hi;                     /* of the successor */
    size_t at, slots;                     /* of its engine */
    uint64_t started_least, started_most; /* blocks, before */
    uint64_t least, most;                 /* blocks that start, if the most and if the fewest have started before */
    uint64_t surely;                      /* blocks that start in any case */
    int64_t late_sum;                     /* of the EE's slots, after */
    explore_outcome o;
} explore_start;
bool explore_start_blocks(explore *x, explore_start *p);

/* intervals/step.c: s after a choice, to x->next; false where that cannot be. */
bool explore_step(explore *x, explore_state *s, const explore_choice *c);
void explore_dispatched(explore *x, explore_state *n, uint32_t job, const explore_outcome *o);
/* Nothing starts before the last start any more: when before it slots came free is forgotten, so that states become
 * alike. */
void explore_forget_past(const explore *x, explore_state *n);
/* intervals/burst.c: jobs whose order is too open to be explored; x->burst_end. False without memory. */
bool explore_find_bursts(explore *x);
/* s after the burst that begins with its first job, to x->next; false: it is to be explored. */
bool explore_burst(explore *x, explore_state *s);
/* intervals/store.c */
bool store_start(explore *x); /* with the state in which nothing has started */
bool store_add(explore *x);   /* x->next, or its times to those of a state alike */
explore_state *store_pop(explore *x, uint32_t *id);
void store_drop(explore *x, uint32_t id);
uint64_t store_bytes(const explore *x);
void store_free(explore *x);

#endif
