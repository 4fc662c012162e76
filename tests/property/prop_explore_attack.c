/* An attack on method explore: systems of every kind that it covers, and executions that are
 * drawn and then changed bit by bit, to make the response of one op larger, or smaller. No response may
 * be outside of the bounds. GRIDCAST_PROPERTY_RUNS sets how many executions (default
 * 30000), or GRIDCAST_ATTACK_SECONDS for how long; GRIDCAST_ATTACK_SEED where it starts
 * (default 1); GRIDCAST_ATTACK_EXECUTIONS about how many each system gets (default 840).
 * `prop_explore_attack SEED` shows one system. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "property/guided.h"
#include "property/trial.h"

#define DRAWS 20   /* executions of a system that are drawn, each of which is then pushed */
#define CHANGES 40 /* that are tried to push one execution */
#define PER_DRAW (CHANGES + 2)

static const system_kind kinds[] = {
    {.once = true,
     .copies = 25,
     .listed = 10,
     .max_tasks = 8,
     .max_ops = 3,
     .max_blocks = 6,
     .max_range = 4,
     .max_jitter = 6},
    {.once = true, .copies = 10, .listed = 50, .max_tasks = 5, .max_blocks = 40, .max_range = 12, .max_jitter = 20},
    {.once = true, .plain = true, .max_tasks = 8, .max_blocks = 8, .max_range = 4, .max_jitter = 8},
    /* with so few states that bursts are bounded by work: of kernels, then of copies */
    {.once = true,
     .plain = true,
     .listed = 10,
     .max_states = 40,
     .max_tasks = 8,
     .max_blocks = 8,
     .max_range = 4,
     .max_jitter = 9},
    {.once = true,
     .plain = true,
     .copies = 100,
     .one_way = true,
     .max_states = 40,
     .max_tasks = 8,
     .max_blocks = 1,
     .max_range = 4,
     .max_jitter = 9},
    {.copies = 25, .max_tasks = 4, .max_ops = 3, .max_blocks = 4, .max_range = 3, .max_jitter = 6},
    {.periodic = true, .copies = 25, .max_tasks = 3, .max_blocks = 3, .max_range = 3, .max_jitter = 8},
    /* ops after others, in several streams */
    {.after = 70,
     .once = true,
     .copies = 25,
     .listed = 10,
     .max_tasks = 6,
     .max_ops = 3,
     .max_blocks = 6,
     .max_range = 4,
     .max_jitter = 6},
    {.after = 70, .copies = 25, .max_tasks = 4, .max_ops = 3, .max_blocks = 4, .max_range = 3, .max_jitter = 6},
    {.after = 70,
     .mixed = true,
     .max_states = 1000,
     .once = true,
     .copies = 25,
     .max_tasks = 5,
     .max_ops = 3,
     .max_blocks = 5,
     .max_range = 2,
     .max_jitter = 4},
    {.after = 30,
     .sporadic = 60,
     .max_states = 20000,
     .copies = 25,
     .max_tasks = 3,
     .max_ops = 2,
     .max_blocks = 3,
     .max_range = 1,
     .max_jitter = 2},
    /* events a while before kernels that follow, and blocks enough that some start in between */
    {.after = 50,
     .once = true,
     .copies = 10,
     .listed = 50,
     .max_tasks = 6,
     .max_ops = 3,
     .max_blocks = 40,
     .max_range = 8,
     .max_jitter = 10},
    /* blocks that starve, and carveouts */
    {.mixed = true,
     .shapes = true,
     .max_states = 1000,
     .once = true,
     .copies = 20,
     .listed = 20,
     .max_tasks = 8,
     .max_blocks = 20,
     .max_range = 4,
     .max_jitter = 6},
    {.few_connections = true,
     .once = true,
     .copies = 25,
     .listed = 40,
     .max_tasks = 8,
     .max_ops = 2,
     .max_blocks = 6,
     .max_range = 4,
     .max_jitter = 6},
    /* kernels behind copies that wait for other copies, while kernels below them go on */
    {.once = true,
     .copies = 50,
     .one_way = true,
     .max_tasks = 6,
     .max_ops = 2,
     .max_blocks = 8,
     .max_range = 4,
     .max_jitter = 4},
    /* blocks and copies that take longer by noise, in queues that calls reach together */
    {.once = true,
     .copies = 25,
     .max_tasks = 6,
     .max_ops = 2,
     .max_blocks = 8,
     .max_range = 2,
     .max_jitter = 3,
     .max_noise = 3},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Which response is to change. */
typedef struct goal {
    int task; /* the task of the op */
    int op;   /* the op within its task */
    bool up;  /* the response is to become larger; else smaller */
} goal;

static int64_t reached(const trial *t, goal g)
{
    const observed *s = &t->last[g.task][g.op];
    return g.up ? s->worst : -s->best;
}

static void push(trial *t, support_random *r, settled e)
{
    goal g = {.task = (int)support_between(r, 0, t->s.task_count - 1), .up = percent(r, 80)};
    g.op = (int)support_between(r, 0, t->s.tasks[g.task].op_count - 1);
    e.by_block = true;
    trial_execute(t, &e);
    int64_t best = reached(t, g);
    for (int i = 0; i < CHANGES; i++) {
        settled next = e;
        settled_change(&next, &t->s, r);
        trial_execute(t, &next);
        if (reached(t, g) < best)
            continue;
        best = reached(t, g);
        e = next;
    }
}

static bool attack(trial *t, uint64_t seed)
{
    support_random r = {seed * 0x9e3779b97f4a7c15u + 7};
    const system_kind *kind = &kinds[seed % KINDS];
    uint64_t draws = guided_executions(DRAWS * PER_DRAW) / PER_DRAW;
    settled e;
    t->s = system_random(&r, kind);
    trial_analyze(t, kind->max_states);
    for (uint64_t i = 0; i < draws && t->a->complete; i++) {
        settled_draw(&e, &t->s, &r);
        trial_execute(t, &e);
        push(t, &r, e);
    }
    return trial_holds(t);
}

static void no_execution_is_outside(void **state)
{
    (void)state;
    uint64_t runs = support_number("GRIDCAST_PROPERTY_RUNS", 30000),
             seconds = support_number("GRIDCAST_ATTACK_SECONDS", 0);
    uint64_t seed = support_number("GRIDCAST_ATTACK_SEED", 1), executions = 0;
    time_t end = time(NULL) + (time_t)seconds;
    tally tallies[KINDS] = {0};
    bool good = true;
    assert_true(runs > 0);
    for (; good && (seconds ? time(NULL) < end : executions < runs); seed++) {
        trial t = {.tally = &tallies[seed % KINDS]};
        uint64_t before = t.tally->executions;
        good = attack(&t, seed);
        executions += t.tally->executions - before;
        if (!good) {
            fprintf(stderr, "seed %" PRIu64 "\n", seed);
            trial_show(&t);
        }
        trial_free(&t);
    }
    for (size_t k = 0; k < KINDS; k++)
        tally_print(&tallies[k], "explore attacked", k);
    assert_true(good);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        tally y = {0};
        trial t = {.tally = &y};
        bool good = attack(&t, strtoull(argv[1], NULL, 10));
        trial_show(&t);
        trial_free(&t);
        return good ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_execution_is_outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
