/* What the checker of races keeps: what each thread knows of the others, who
 * touched which byte, and what was found. A launch that is checked runs on one
 * core, so nothing here is locked. */
#ifndef SIMT_RACES_STATE_H
#define SIMT_RACES_STATE_H

#include "simt/races/vector_clock.h"
#include "simt/run/machine.h"

/* Two views of the order. STRICT: what PTX promises. LOOSE: also what programs rely on and GPUs do: an atomic that
 * reads sees all that was handed on there, fence or not; who takes a lock by an atomic and gives it back by one hands
 * on all it did between; shuffles and votes are as good as __syncwarp; who returns comes to all barriers. What not even
 * LOOSE orders is a race. */
enum { STRICT, LOOSE, VIEWS };

typedef enum {
    ACCESS_WEAK,     /* plain */
    ACCESS_VOLATILE, /* relaxed by PTX, but used for data, too */
    ACCESS_STRONG    /* atomics, relaxed, acquire, release: in no race with each other */
} race_strength;

typedef enum { SCOPE_BLOCK, SCOPE_GPU, SCOPES } race_scope;

/* What is known of an op before it runs. */
typedef struct race_op {
    uint8_t strength, scope;
    bool writes; /* atomics, too */
    bool acquires, releases;
    bool plain_atomic; /* atom or red without a word on order: LOOSE takes it for both */
    bool spins;        /* a load that a loop waits for */
    bool is_cas;
    bool feeds_cas;    /* a load of what a cas then expects: if it is old, the cas fails */
    bool asynchronous; /* cp.async */
    bool ends_copies;  /* cp.async.mbarrier.arrive: for whoever waits at that barrier */
    bool is_fence;
} race_op;

/* One warp instruction that touched memory: who, when, what. */
typedef struct race_record {
    uint32_t warp; /* of the launch */
    uint32_t tick; /* of its lanes; UINT32_MAX: a copy that nobody has waited for */
    uint32_t what; /* its op, and RACE_QUIET: it could have written, but nothing new */
} race_record;

#define RACE_QUIET 0x80000000u

static inline uint32_t race_op_of(const race_record *r)
{
    return r->what & ~RACE_QUIET;
}

static inline bool race_is_quiet(const race_record *r)
{
    return r->what & RACE_QUIET;
}

/* Accesses to a byte that are in no order with each other: a list, shared by all bytes that have the same. */
typedef struct race_node {
    uint32_t record, lanes, next; /* next: of an earlier access */
    bool has_write;               /* this or one behind it */
} race_node;

/* Of four bytes. */
typedef struct race_cell {
    uint32_t write; /* the last plain one, record << 5 | lane; 0: none; SPLIT: see `since` */
    uint32_t since; /* node of what came after it; 0: none; of a split one: which of the splits */
} race_cell;

#define RACE_SPLIT UINT32_MAX
#define RACE_MOST_RECORDS (UINT32_MAX >> 5)

/* What a thread has for others, and from others. */
typedef struct race_view {
    race_clock *known;          /* what is before it */
    race_clock *fenced[SCOPES]; /* of that: what was before a fence, so that a relaxed write hands it on */
    race_clock *seen[SCOPES];   /* what relaxed reads saw of its own block, of others: known from a fence on */
} race_view;

typedef struct race_thread {
    race_view view[VIEWS];
} race_thread;

/* cp.async that nobody has waited for. */
typedef struct race_copy {
    uint32_t group, record;
    bool shared; /* its write */
} race_copy;

/* Who came to a barrier or such when: for explanations. */
typedef struct race_event {
    uint32_t tick, op, lanes;
} race_event;

#define RACE_RECENT 8

typedef struct race_warp {
    uint32_t number; /* in the launch */
    uint32_t tick;   /* the last that was given */
    uint32_t now[LANES];
    race_thread lane[LANES];
    uint32_t groups[LANES]; /* of cp.async that were committed */
    VEC(race_copy) copies[LANES];
    VEC(race_event) events;
    struct {
        uint32_t what, tick, record;
    } recent[2][RACE_RECENT]; /* records of this warp: of global memory, of shared */
} race_warp;

/* A place that threads order themselves by: what was released there. */
typedef struct race_place {
    uint64_t address;
    race_clock *handed[VIEWS][SCOPES]; /* SCOPE_BLOCK: to threads of `block`; SCOPE_GPU: to all */
    race_clock *arrived[VIEWS];        /* of an mbarrier: in its phase */
    uint32_t block;
    uint64_t holder; /* thread + 1 that changed it last by an atomic: if it does so again, it gives a lock back */
    bool is_flag;    /* some loop waited for it, or atomics are done there */
} race_place;

typedef struct race_places {
    VEC(race_place) all;
    hash_index index;
} race_places;

typedef struct race_step {
    uint32_t from, record, lanes, to;
} race_step;

/* What cells of a memory refer to: of global memory, or of a block's shared memory, and then gone with the block. */
typedef struct race_memory {
    VEC(race_record) records; /* 0 is none */
    VEC(race_node) nodes;     /* 0 is none */
    VEC(race_cell) splits;    /* four of each */
    uint32_t *table;          /* nodes by hash */
    uint32_t slots;           /* of the table: a power of two */
    race_step *steps;         /* a cache: adding to a list */
    race_places places;
    struct race_memory *next; /* of those that are free */
} race_memory;

typedef struct race_block {
    race_cell *shared;
    uint32_t cells;
    race_memory *memory; /* of `shared` */
    race_warp *warp;
    race_view barrier[MOST_BARRIERS][VIEWS];
    race_view exited; /* LOOSE */
} race_block;

/* Two accesses, as often as they met; places of the source come with the report. */
typedef struct race_found {
    gcast_simt_race race;
    uint32_t op_a, op_b;
    char why[240];
} race_found;

struct race_checker {
    machine *machine;
    race_op *op; /* by op; the last is any plain load, see `exact` */
    bool exact;  /* lists tell plain loads of a warp apart: slower, but they have lines */
    race_clocks clocks;
    race_memory *memory; /* global memory */
    race_memory *free;
    race_cell **global; /* by region; NULL: not touched yet */
    VEC(race_found) found;
    hash_index found_index;
    bool found_any;
    uint32_t last_region;
    bool cut;         /* a list was too long, so its oldest were dropped */
    bool blocks_meet; /* some block has learnt from another */
    bool failed;      /* no memory */
};

typedef struct race_checker race_checker;

/* Views: what takes `a`'s place knows of both. */
void view_join(race_checker *k, race_view *a, const race_view *b);
void view_set(race_checker *k, race_view *a, const race_view *b);
void view_clear(race_checker *k, race_view *a);

/* What lanes of a warp know together, each up to its own present; afterwards they are a tick further. */
void order_gather(race_checker *k, const race_warp *w, uint32_t m, int view, race_view *out);
void order_tick(race_checker *k, const warp *w, uint32_t m, const op *o);

/* cp.async of a lane are done, of groups before this: as of now, for whoever gets to know. */
void copies_end(race_checker *k, race_memory *shared, race_warp *x, uint32_t lane, uint32_t before_group);

bool race_ops_make(race_checker *k);

#endif
