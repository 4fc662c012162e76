/* Method explore against executions, on tasks whose ops are in several streams and after each other: pools, mixed
 * shapes, the NULL stream, few connections and channels. GRIDCAST_PROPERTY_RUNS sets how many systems (default 160);
 * `prop_explore_after all SEED` or `drawn SEED` shows one. */
#include <stdlib.h>

#include "property/trial.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const system_kind kinds[] = {
    {.after = 70,
     .once = true,
     .copies = 25,
     .listed = 10,
     .max_tasks = 5,
     .max_ops = 3,
     .max_blocks = 5,
     .max_range = 4,
     .max_jitter = 6},
    {.after = 70, .copies = 25, .max_tasks = 3, .max_ops = 3, .max_blocks = 3, .max_range = 3, .max_jitter = 5},
    {.after = 70,
     .periodic = true,
     .copies = 25,
     .max_tasks = 3,
     .max_ops = 3,
     .max_blocks = 3,
     .max_range = 2,
     .max_jitter = 8},
    /* with so few states that it is not searched by events, and that bursts are bounded by work */
    {.after = 30,
     .max_states = 60,
     .once = true,
     .max_tasks = 4,
     .max_ops = 3,
     .max_blocks = 5,
     .max_range = 3,
     .max_jitter = 6},
    /* many blocks: a job may be cut off by one that waits for an event */
    {.after = 80,
     .max_states = 2000,
     .once = true,
     .copies = 30,
     .max_tasks = 4,
     .max_ops = 3,
     .max_blocks = 30,
     .max_range = 2,
     .max_jitter = 10},
    {.after = 60,
     .mixed = true,
     .few_connections = true,
     .max_states = 40,
     .once = true,
     .copies = 20,
     .max_tasks = 5,
     .max_ops = 3,
     .max_blocks = 5,
     .max_range = 4,
     .max_jitter = 8},
    {.after = 70,
     .mixed = true,
     .max_states = 4000,
     .once = true,
     .copies = 25,
     .max_tasks = 4,
     .max_ops = 3,
     .max_blocks = 3,
     .max_range = 2,
     .max_jitter = 4},
    {.after = 70,
     .mixed = true,
     .max_states = 10000,
     .periodic = true,
     .copies = 25,
     .max_tasks = 3,
     .max_ops = 3,
     .max_blocks = 3,
     .max_range = 1,
     .max_jitter = 6},
    /* tasks that are sporadic, followed event by event */
    {.after = 30,
     .sporadic = 60,
     .max_states = 20000,
     .copies = 25,
     .max_tasks = 3,
     .max_ops = 2,
     .max_blocks = 2,
     .max_range = 1,
     .max_jitter = 2},
    {.after = 70,
     .mixed = true,
     .shapes = true,
     .max_states = 1000,
     .once = true,
     .copies = 20,
     .listed = 20,
     .max_tasks = 6,
     .max_ops = 3,
     .max_blocks = 12,
     .max_range = 3,
     .max_jitter = 5,
     .max_noise = 1},
};

static const system_kind small_kinds[] = {
    {.after = 70,
     .once = true,
     .copies = 25,
     .listed = 10,
     .max_tasks = 3,
     .max_ops = 3,
     .max_blocks = 2,
     .max_range = 1,
     .max_jitter = 3},
    {.after = 70,
     .mixed = true,
     .max_states = 100000,
     .once = true,
     .copies = 25,
     .listed = 30,
     .max_tasks = 3,
     .max_ops = 3,
     .max_blocks = 3,
     .max_range = 1,
     .max_jitter = 2},
    {.after = 70,
     .mixed = true,
     .shapes = true,
     .max_states = 30,
     .once = true,
     .copies = 20,
     .listed = 50,
     .max_tasks = 4,
     .max_ops = 3,
     .max_blocks = 3,
     .max_jitter = 2,
     .max_noise = 1},
};

static void holds_random_executions(void **state)
{
    (void)state;
    trial_each(trial_random, support_runs(160), "drawn", kinds, COUNT(kinds));
}

static void holds_all_executions(void **state)
{
    (void)state;
    trial_each(trial_all, (support_runs(160) + 1) / 2, "all", small_kinds, COUNT(small_kinds));
}

int main(int argc, char **argv)
{
    if (argc > 2)
        return trial_of_arguments(argv, small_kinds, COUNT(small_kinds), kinds, COUNT(kinds)) ? 0 : 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_random_executions),
                                       cmocka_unit_test(holds_all_executions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
