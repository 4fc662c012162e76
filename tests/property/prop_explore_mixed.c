/* Method explore by events against executions, on systems whose blocks are no pool of slots: kernels of many shapes,
 * quarters, the NULL stream, connections, channels. GRIDCAST_PROPERTY_RUNS sets how many systems (default 200);
 * `prop_explore_mixed all SEED` or `drawn SEED` shows one. */
#include <stdlib.h>

#include "property/trial.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Where few states are allowed, states of one key are merged early. */
static const system_kind kinds[] = {
    {.mixed = true,
     .max_states = 100000,
     .copies = 25,
     .listed = 30,
     .max_tasks = 3,
     .max_blocks = 3,
     .max_range = 2,
     .max_jitter = 3},
    {.mixed = true,
     .max_states = 1000,
     .once = true,
     .copies = 25,
     .max_tasks = 4,
     .max_blocks = 4,
     .max_range = 3,
     .max_jitter = 4},
    {.mixed = true,
     .max_states = 4000,
     .once = true,
     .listed = 100,
     .max_tasks = 6,
     .max_blocks = 12,
     .max_range = 9,
     .max_jitter = 9},
    {.mixed = true,
     .max_states = 100000,
     .once = true,
     .copies = 20,
     .max_tasks = 6,
     .max_blocks = 30,
     .max_jitter = 9},
    {.mixed = true, .max_states = 100000, .copies = 20, .max_tasks = 5, .max_blocks = 8},
    {.mixed = true,
     .max_states = 100000,
     .periodic = true,
     .copies = 25,
     .max_tasks = 3,
     .max_blocks = 3,
     .max_range = 3,
     .max_jitter = 8},
    {.mixed = true,
     .shapes = true,
     .max_states = 200,
     .once = true,
     .copies = 15,
     .listed = 30,
     .max_tasks = 8,
     .max_blocks = 20,
     .max_range = 2,
     .max_jitter = 5,
     .max_noise = 3},
    {.mixed = true,
     .shapes = true,
     .max_states = 2000,
     .periodic = true,
     .copies = 25,
     .max_tasks = 3,
     .max_blocks = 4,
     .max_jitter = 4,
     .max_noise = 2},
    {.mixed = true,
     .shapes = true,
     .max_states = 1000,
     .once = true,
     .copies = 20,
     .listed = 20,
     .max_tasks = 8,
     .max_blocks = 25,
     .max_range = 4,
     .max_jitter = 6},
    {.mixed = true,
     .shapes = true,
     .max_states = 3000,
     .periodic = true,
     .copies = 25,
     .max_tasks = 3,
     .max_blocks = 6,
     .max_range = 3,
     .max_jitter = 6},
};

static const system_kind small_kinds[] = {
    {.mixed = true,
     .max_states = 300,
     .once = true,
     .copies = 25,
     .listed = 10,
     .max_tasks = 3,
     .max_blocks = 2,
     .max_range = 2,
     .max_jitter = 3},
    {.mixed = true,
     .max_states = 100000,
     .once = true,
     .copies = 25,
     .listed = 10,
     .max_tasks = 4,
     .max_blocks = 4,
     .max_range = 1,
     .max_jitter = 2},
    {.mixed = true,
     .max_states = 100000,
     .once = true,
     .copies = 10,
     .listed = 100,
     .max_tasks = 5,
     .max_blocks = 12,
     .max_range = 6,
     .max_jitter = 6},
    {.mixed = true, .max_states = 100000, .once = true, .copies = 20, .max_tasks = 6, .max_blocks = 12},
    {.mixed = true,
     .max_states = 100000,
     .once = true,
     .copies = 20,
     .listed = 50,
     .max_tasks = 4,
     .max_blocks = 3,
     .max_jitter = 2,
     .max_noise = 1},
    {.mixed = true,
     .shapes = true,
     .max_states = 30,
     .once = true,
     .copies = 20,
     .listed = 50,
     .max_tasks = 5,
     .max_blocks = 4,
     .max_jitter = 2,
     .max_noise = 2},
};

static void holds_random_executions(void **state)
{
    (void)state;
    trial_each(trial_random, trial_runs(), "drawn", kinds, COUNT(kinds));
}

static void holds_all_executions(void **state)
{
    (void)state;
    trial_each(trial_all, (trial_runs() + 1) / 2, "all", small_kinds, COUNT(small_kinds));
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return trial_of_arguments(argv, small_kinds, COUNT(small_kinds), kinds, COUNT(kinds)) ? 0 : 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_random_executions),
                                       cmocka_unit_test(holds_all_executions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
