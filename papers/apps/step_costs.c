/* The counts of every application, each with its reasons. Common to all:
 * - A thread that goes through a list alone reads the next entry of a line that it has read before, so that L2 has it.
 *   (One in 32 entries is the first of a line, which is neglected.) The lanes of its warp read lists of their own,
 * which is uncoalesced by as many lanes as are active on average in the loops of the application. The lanes of a child
 * read 32 neighbouring entries that were not read before: one access to DRAM, coalesced.
 * - Arrays by vertex (256 KB each with 65,536 vertices), the values of S (1 MB), the vector (64 KB) and the genome
 *   (1 MB) fit into the 1.5 MB of L2.
 * - A thread does not wait for stores, or for atomics without a result, but scattered ones count as uncoalesced.
 * - Instructions of steps that recur are in the enumeration below. */
#include "papers/apps/step_costs.h"

/* An access takes about 440 cycles where DRAM has the data and 222 where L2 has it; a transaction occupies the
 * load-store unit for 4 cycles; five instructions take 20. */
const app_latencies app_kepler = {440, 222, 4, 4};

/* Numbers of instructions; an operation of 64 bits takes 2, a product of 64 bits 4. */
enum {
    THREAD = 10,    /* start of a thread: its index and a test */
    TURN = 8,       /* of a loop: addresses, loads, test, branch */
    HASH = 25,      /* app_hash: two products, eight other operations */
    REMAINDER = 10, /* by a constant */
    WARP_SUM = 15,  /* five shuffles and sums, a test, an atomic */
    FRONT = 120,    /* two hashes (50), two spans of ten operations (40), products and tests (30) */
    DIVISION = 70,  /* of 64 bits */
    STEP = 32,      /* of a pixel: three products (12), three shifts (6), five sums (10), tests and branch (4) */
    BASE = 5        /* of a read: two loads, comparison, sum, address */
};

enum {
    READ_BASES = 64,    /* of a read */
    BORDER_PIXELS = 60, /* of a tile of 16 x 16 */
    BORDER_STEPS = 129, /* mean steps of a pixel of a border in mandel:1024:16:512, by the reference */
    ITEM_STEPS = 57     /* mean steps of a pixel that is an item there */
};

static const app_costs costs[APP_KINDS] = {
    /* AMR has no data: a cell follows from its number. A cell of level 0 is tried against 6 fronts after four
     * divisions; so is a sub-cell against 3, for it may be refined itself, and it is hashed. A child adds its sums to
     * those of its root. (Sub-cells of the last level need no try, which is neglected.) */
    [APP_AMR] = {.parent_before = {0, 0, 0, THREAD + 4 * DIVISION + 6 * FRONT},
                 .parent_item = {0, 0, 0, TURN + HASH + 4 * DIVISION + 3 * FRONT},
                 .child_thread = {0, 0, 0, THREAD + 2 * WARP_SUM},
                 .child_item = {0, 0, 0, HASH + 4 * DIVISION + 3 * FRONT}},
    /* A thread reads the frontier's entry (coalesced), then the bounds of its list (scattered). An item: the neighbour,
     * its distance, and a store to it where it is new; in a child the neighbour is coalesced. */
    [APP_BFS] = {.parent_before = {0, 2, 1, THREAD + 5},
                 .parent_item = {0, 2, 3, TURN},
                 .child_thread = {0, 0, 0, THREAD},
                 .child_item = {1, 1, 2, TURN}},
    /* As BFS, with the thread's own distance (scattered, at the same time as the bounds), a weight by a hash, a minimum
     * by an atomic that tells whether the distance fell, and the mark for the next round. */
    [APP_SSSP] = {.parent_before = {0, 2, 2, THREAD + 8},
                  .parent_item = {0, 2, 3, TURN + HASH + REMAINDER},
                  .child_thread = {0, 0, 0, THREAD},
                  .child_item = {1, 1, 2, TURN + HASH + REMAINDER}},
    /* A thread reads key and value of its tuple (coalesced, at the same time), then the range of the key (scattered).
     * An item: a value of S, which another tuple of the same key has read, and a hash. A child's sums go to its tuple.
     */
    [APP_JOIN] = {.parent_before = {1, 1, 1, THREAD + 5},
                  .parent_item = {0, 1, 1, TURN + HASH},
                  .child_thread = {0, 0, 0, THREAD + WARP_SUM},
                  .child_item = {0, 1, 0, TURN + HASH}},
    /* A thread has 60 pixels of a border. An item: a pixel, and a store of it, which is scattered in the loop of a
     * parent. */
    [APP_MANDEL] = {.parent_before = {0, 0, BORDER_PIXELS, THREAD + BORDER_PIXELS *(TURN + BORDER_STEPS * STEP)},
                    .parent_item = {0, 0, 1, TURN + ITEM_STEPS *STEP},
                    .child_thread = {0, 0, 0, THREAD},
                    .child_item = {0, 0, 0, TURN + ITEM_STEPS *STEP}},
    /* As BFS without the store, with the priority of a neighbour by a hash. A child reports its result to its vertex.
     */
    [APP_GC] = {.parent_before = {0, 2, 1, THREAD + 5},
                .parent_item = {0, 2, 2, TURN + HASH},
                .child_thread = {0, 0, 0, THREAD + WARP_SUM},
                .child_item = {1, 1, 1, TURN + HASH}},
    /* A thread reads the bounds of its row (coalesced). An item: column and value (at the same time), then an element
     * of the vector. */
    [APP_MM] = {.parent_before = {1, 0, 0, THREAD + 5},
                .parent_item = {0, 2, 3, TURN},
                .child_thread = {0, 0, 0, THREAD + WARP_SUM},
                .child_item = {1, 1, 1, TURN}},
    /* A thread reads twelve bases of its read (scattered, at the same time), then the range of the k-mer in an index of
     * 64 MB (scattered). An item: the place, then 64 bases of the genome and 64 of the read, byte by byte, all at the
     * same time; in a child the place is coalesced and the read is the same for all lanes. The best place goes to the
     * read by an atomic. */
    [APP_SA] = {.parent_before = {2, 0, 13, THREAD + 12 * 4},
                .parent_item = {0, 2, 1 + 2 * READ_BASES, TURN + READ_BASES *BASE},
                .child_thread = {0, 0, 0, THREAD + WARP_SUM},
                .child_item = {1, 1, READ_BASES, TURN + READ_BASES *BASE}},
};

const app_costs *app_costs_of(app_kind kind)
{
    return &costs[kind];
}

uint64_t app_cycles(const app_counts *counts, const app_latencies *latencies, uint32_t lanes)
{
    return (uint64_t)counts->dram * latencies->dram + (uint64_t)counts->l2 * latencies->l2 +
           (uint64_t)counts->uncoalesced * (lanes - 1) * latencies->transaction +
           (uint64_t)counts->instructions * latencies->instruction;
}
