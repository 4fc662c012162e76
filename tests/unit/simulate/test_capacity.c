/* The index of where blocks fit names the same SM as a search of all SMs, whatever was placed and released before. */
#include <stdlib.h>

#include "simulate/blocks/placement.h"
#include "support/builders.h"
#include "support/support.h"

#define SMS 70     /* more than a word of ranks */
#define STEPS 5000 /* blocks that start or end */
#define DEMANDS 6  /* more than the index keeps */

typedef struct placed {
    uint32_t demand, rank;
    int32_t quarter;
} placed;

/* Places blocks of changing demands, releases some in between, and compares every choice. */
static void compare_choices(gcast_placement policy, uint64_t seed)
{
    gcast_error err;
    gcast_workload *w = support_workload("w", &err);
    gcast_gpu *gpu = support_gpu("gpu", 9, 0, SMS, &err);
    gcast_mask mask = {.word = {UINT64_C(0xf0f0), 1}};
    int masked = support_add_mask(w, &mask, &err);
    sm_demand demands[DEMANDS];
    sm_set set;
    placement p;
    capacity_index index = {0};
    static placed blocks[STEPS];
    size_t count = 0;
    assert_true(sm_set_init(&set, gpu, w) && placement_init(&p, SMS) && capacity_init(&index, SMS));
    for (int i = 0; i < DEMANDS; i++) {
        gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
        op.shape.threads = 96 + 64 * i;
        op.shape.registers = 32 + 8 * i;
        demands[i] = sm_demand_of(gpu, &op);
        assert_true(capacity_knows(&set, &demands[i], policy));
    }
    for (int step = 0; step < STEPS; step++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t d = (uint32_t)(seed >> 40) % DEMANDS, which = (uint32_t)(seed >> 44);
        if (count && which % 16 < (step / 1000 % 2 ? 9u : 3u)) {
            placed *b = &blocks[which / 16 % count];
            sm_release_one(&set.at[b->rank], &demands[b->demand], b->quarter);
            capacity_changed(&index, b->rank);
            *b = blocks[--count];
            continue;
        }
        p.demand = &demands[d];
        p.mask = which % 5 ? GCAST_ALL_SMS : masked;
        p.every_sm = p.ordered = true;
        p.wanted = 1;
        uint32_t last = set.last;
        assert_true(placement_choose(&p, &set, policy, w));
        set.last = last; /* as it was before the search */
        uint32_t rank = capacity_choose(&index, &set, p.demand, policy, which % 5 ? NULL : &mask);
        assert_int_equal(rank, p.fit ? p.order[0] : CAPACITY_NO_SM);
        if (rank == CAPACITY_NO_SM)
            continue;
        blocks[count++] = (placed){d, rank, set.at[rank].next_quarter};
        sm_take_one(&set.at[rank], p.demand);
        capacity_changed(&index, rank);
        set.last = rank;
    }
    capacity_free(&index);
    placement_free(&p);
    sm_set_free(&set);
    gcast_gpu_free(gpu);
    gcast_workload_free(w);
}

static void test_choices(void **state)
{
    const gcast_placement policies[] = {GCAST_PLACE_MOST_ROOM, GCAST_PLACE_LEAST_ROOM, GCAST_PLACE_FIRST_FIT,
                                        GCAST_PLACE_ROUND_ROBIN};
    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        for (uint64_t seed = 0; seed < 4; seed++)
            compare_choices(policies[i], seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_choices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
