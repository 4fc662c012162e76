/* The state of the race checker: what each thread knows of the others, the accesses to each byte (the shadow memory),
 * and the races that were found. A launch that is checked runs on one core, so nothing here is locked. */
#ifndef SIMT_RACES_RACE_CHECKER_H
#define SIMT_RACES_RACE_CHECKER_H

#include "simt/machine/machine.h"
#include "simt/races/op_effects.h"
#include "simt/races/vector_clock.h"

/* One warp instruction that accessed memory. */
typedef struct race_record {
    uint32_t warp;     /* number in the launch */
    uint32_t tick;     /* of its lanes; RACE_PENDING: a copy that nobody has waited for */
    uint32_t op_flags; /* the op, and RACE_QUIET: it may write, but did not change the value */
} race_record;

#define RACE_QUIET 0x80000000u
#define RACE_PENDING UINT32_MAX

static inline uint32_t race_op_of(const race_record *r)
{
    return r->op_flags & ~RACE_QUIET;
}

static inline bool race_is_quiet(const race_record *r)
{
    return r->op_flags & RACE_QUIET;
}

/* A list of accesses to a byte that are not ordered among themselves. Bytes with equal lists share one. */
typedef struct race_node {
    uint32_t record, lanes; /* the newest access, and its lanes */
    uint32_t next;          /* node of the accesses before it; 0: none */
    bool has_write;         /* this access, or a later one in the list, writes */
} race_node;

/* The shadow of four bytes. */
typedef struct race_cell {
    uint32_t write; /* the last plain write: record << 5 | lane; 0: none; RACE_SPLIT: each byte has its own cell */
    uint32_t later; /* node of the accesses after it; 0: none; of a split cell: its first byte in race_memory.splits */
} race_cell;

#define RACE_SPLIT UINT32_MAX
#define RACE_MAX_RECORDS (UINT32_MAX >> 5)

/* A cp.async that nobody has waited for. */
typedef struct race_copy {
    uint32_t group;  /* its commit group */
    uint32_t record; /* its access */
    bool shared;     /* the access is its write to shared memory, otherwise its read of global memory */
} race_copy;

/* Lanes of a warp came to an op that may order them; kept for explanations. */
typedef struct race_event {
    uint32_t tick, op, lanes; /* tick before it; the op; the lanes */
} race_event;

/* The last record of a warp for an op, which equal accesses share. */
typedef struct race_recent {
    uint32_t op_flags, tick; /* as in race_record */
    uint32_t record;         /* its number */
} race_recent;

#define RACE_RECENT 8 /* records that a warp remembers */

typedef struct race_warp {
    uint32_t number;                    /* in the launch */
    uint32_t tick;                      /* the latest tick of any lane */
    uint32_t lane_tick[LANES];          /* by lane: its tick */
    race_view view[LANES][VIEWS];       /* by lane: what it knows */
    uint32_t groups[LANES];             /* by lane: number of groups of cp.async that it has committed */
    VEC(race_copy) copies[LANES];       /* by lane: copies that it has not waited for */
    VEC(race_event) events;             /* in order */
    race_recent recent[2][RACE_RECENT]; /* the last records: of global memory, of shared memory */
} race_warp;

/* An address by which threads synchronize. */
typedef struct race_place {
    uint64_t address;                    /* in its space */
    race_clock *released[VIEWS][SCOPES]; /* what writes released here to threads of `block`, to all threads */
    race_clock *arrived[VIEWS];          /* an mbarrier: what the arrivals of this phase released */
    uint32_t block;                      /* of the thread that wrote last */
    uint64_t holder;                     /* 1 + the thread whose atomic changed it last: it may hold a lock; 0: none */
    bool is_flag;                        /* a loop waited for it, or atomics access it */
} race_place;

typedef struct race_places {
    VEC(race_place) all; /* in the order of their first use */
    hash_index index;    /* by address: the number in `all` */
} race_places;

/* An entry of the cache of lists: an access was added to a list. */
typedef struct race_step {
    uint32_t list, record, lanes; /* the list; the access */
    uint32_t result;              /* the new list; 0: the entry is empty */
} race_step;

/* Data that the cells of a memory refer to: of global memory, or of one block's shared memory. */
typedef struct race_memory {
    VEC(race_record) records; /* 0 is none */
    VEC(race_node) nodes;     /* 0 is none */
    VEC(race_cell) splits;    /* four cells for each cell that is split */
    uint32_t *table;          /* nodes by hash of their contents; 0: free */
    uint32_t slots;           /* of the table: a power of two */
    race_step *steps;         /* the cache of lists */
    race_places places;       /* addresses by which threads synchronize */
    struct race_memory *next; /* the next memory that is not in use */
} race_memory;

typedef struct race_block {
    race_cell *shared;                      /* by word of shared memory */
    uint32_t cells;                         /* words of shared memory */
    race_memory *memory;                    /* data that `shared` refers to */
    race_warp *warp;                        /* by warp of the block */
    race_view barrier[MAX_BARRIERS][VIEWS]; /* by barrier: what the threads that have arrived know */
    race_view exited;                       /* VIEW_GPU of the threads that have exited */
} race_block;

/* A race between two ops. */
typedef struct race_found {
    gcast_simt_race race; /* for the report */
    uint32_t op_a, op_b;  /* the two ops, the lower number first */
    char why[240];        /* why nothing orders them */
} race_found;

typedef struct race_checker {
    machine *machine;       /* the launch that is checked */
    race_op *op;            /* by op; the entry after the last stands for any plain load, unless `exact` */
    bool exact;             /* plain loads of a warp are recorded one by one: slower, but their lines are known */
    race_clocks clocks;     /* memory of all clocks */
    race_memory *memory;    /* of global memory */
    race_memory *free;      /* list of memories that are not in use */
    race_cell **global;     /* by region: its cells by word; NULL: not accessed yet */
    VEC(race_found) found;  /* the races; only if `exact` */
    hash_index found_index; /* by ops and kind: the number in `found` */
    bool found_any;         /* there are races */
    uint32_t last_region;   /* the region that was accessed last */
    bool cut;               /* a list was too long, so its oldest accesses were dropped */
    bool blocks_meet;       /* a block has synchronized with another */
    bool failed;            /* memory ran out */
} race_checker;

/* Joins into *out what the lanes of m know in a view, including their own accesses up to now. */
void order_gather(race_checker *checker, const race_warp *w, uint32_t m, int view, race_view *out);
/* The lanes of m came to op o, which may order them: their tick rises. */
void order_tick(race_checker *checker, const warp *w, uint32_t m, const op *o);
/* The cp.async of a lane in groups before `before_group` are complete. */
void copies_end(race_checker *checker, race_memory *shared, race_warp *x, uint32_t lane, uint32_t before_group);

#endif
