/* Files of gridcast.amalthea/1. */
#include "support/support.h"

#include <string.h>

#include "files/given_file.h"

#define HEAD "{\"schema\": \"gridcast.amalthea/1\", "

static sys_given *read_ok(const char *text)
{
    sys_given *g;
    gcast_error err;
    assert_ok(given_read(text, strlen(text), "given.json", &g, &err), &err);
    return g;
}

static void says_nothing(void **state)
{
    (void)state;
    sys_given *g = read_ok("{\"schema\": \"gridcast.amalthea/1\"}");
    assert_string_equal(g->file, "given.json");
    assert_int_equal(g->kernel_count + g->access_count + g->task_count + g->chain_count, 0);
    assert_int_equal(g->line_bytes, 0);
    assert_int_equal(g->switch_ns, -1);
    assert_int_equal(g->tick_ps, 0);
    assert_false(g->fill || g->lines_plus_one || g->has_sharing || g->rate_monotonic);
    given_free(g);
}

static void kernels(void **state)
{
    (void)state;
    sys_given *g = read_ok(HEAD "\"kernels\": {\"SFM_Function\": {\"grid\": [4, 2], \"block\": 256, \"registers\": 32, "
                                "\"shared\": \"8K\", \"ticks\": \"block\", \"priority\": -1}, \"X\": \"fill\", "
                                "\"Y\": {\"grid\": 16, \"block\": [8, 8, 2], \"shared\": 100}}}");
    const sys_given_kernel *k = g->kernels;
    const uint32_t grid[] = {4, 2, 1}, block[] = {8, 8, 2};
    assert_int_equal(g->kernel_count, 3);
    assert_string_equal(k[0].runnable, "SFM_Function");
    assert_false(k[0].fills);
    assert_memory_equal(k[0].grid, grid, sizeof grid);
    assert_int_equal(k[0].block[0], 256);
    assert_int_equal(k[0].registers, 32);
    assert_int_equal(k[0].shared_bytes, 8192);
    assert_int_equal(k[0].ticks, SYS_TICKS_OF_BLOCK);
    assert_int_equal(k[0].priority, -1);
    assert_string_equal(k[1].runnable, "X");
    assert_true(k[1].fills);
    assert_memory_equal(k[2].block, block, sizeof block);
    assert_int_equal(k[2].registers, -1);
    assert_int_equal(k[2].shared_bytes, 100);
    assert_int_equal(k[2].ticks, SYS_TICKS_OF_KERNEL);
    given_free(g);
}

static void memory(void **state)
{
    (void)state;
    sys_given *g = read_ok(HEAD "\"memory\": {\"line\": 32, \"lines\": \"floor+1\", \"access\": {"
                                "\"A57\": [\"20ns\", \"220ns\"], \"GPU\": 3, "
                                "\"Denver\": {\"read\": [8, 38], \"write\": \"1us\"}}}}");
    assert_int_equal(g->line_bytes, 32);
    assert_true(g->lines_plus_one);
    assert_int_equal(g->access_count, 3);
    assert_string_equal(g->accesses[0].kind, "A57");
    assert_int_equal(g->accesses[0].read.min_ns, 20);
    assert_int_equal(g->accesses[0].write.max_ns, 220);
    assert_int_equal(g->accesses[1].read.min_ns, 3);
    assert_int_equal(g->accesses[1].write.max_ns, 3);
    assert_int_equal(g->accesses[2].read.max_ns, 38);
    assert_int_equal(g->accesses[2].write.min_ns, 1000);
    given_free(g);
}

static void tasks(void **state)
{
    (void)state;
    sys_given *g = read_ok(HEAD "\"tasks\": {\"Planner\": {\"core\": \"Core0\", \"priority\": 9, \"wait\": \"busy\", "
                                "\"deadline\": \"12ms\", \"extra\": \"2.5us\"}, "
                                "\"B\": {\"wait\": \"suspend\", \"extra\": [1, \"2us\"]}}}");
    const sys_given_task *t = g->tasks;
    assert_int_equal(g->task_count, 2);
    assert_string_equal(t[0].name, "Planner");
    assert_string_equal(t[0].core, "Core0");
    assert_true(t[0].has_priority && t[0].has_busy && t[0].busy);
    assert_int_equal(t[0].priority, 9);
    assert_int_equal(t[0].deadline_ns, 12000000);
    assert_int_equal(t[0].extra.min_ns, 2500);
    assert_int_equal(t[0].extra.max_ns, 2500);
    assert_null(t[1].core);
    assert_false(t[1].has_priority || t[1].busy);
    assert_true(t[1].has_busy);
    assert_int_equal(t[1].deadline_ns, -1);
    assert_int_equal(t[1].extra.max_ns, 2000);
    given_free(g);
}

static void chains_and_the_rest(void **state)
{
    (void)state;
    sys_given *g = read_ok(HEAD "\"chains\": [{\"name\": \"c\", \"tasks\": [\"A\", \"B\"], \"reaction\": \"100ms\"}, "
                                "{\"name\": \"d\", \"tasks\": [\"B\"], \"age\": 7}], "
                                "\"gpu\": {\"sharing\": \"slices\", \"switch\": \"200us\"}, "
                                "\"priorities\": \"rate-monotonic\", \"tick\": \"500ps\"}");
    assert_int_equal(g->chain_count, 2);
    assert_string_equal(g->chains[0].name, "c");
    assert_int_equal(g->chains[0].task_count, 2);
    assert_string_equal(g->chains[0].tasks[1], "B");
    assert_int_equal(g->chains[0].reaction_ns, 100000000);
    assert_int_equal(g->chains[0].age_ns, 0);
    assert_int_equal(g->chains[1].age_ns, 7);
    assert_true(g->has_sharing && g->sharing == SYS_SLICES && g->rate_monotonic);
    assert_int_equal(g->switch_ns, 200000);
    assert_int_equal(g->tick_ps, 500);
    given_free(g);
}

static void errors_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *json, *path, *message;
    } cases[] = {
        {"{\"kernels\": {}}", "", "schema is missing"},
        {"{\"schema\": \"gridcast.plan/1\"}", "/schema", "must be \"gridcast.amalthea/1\""},
        {HEAD "\"kernel\": {}}", "/kernel", "unknown key kernel"},
        {HEAD "\"kernels\": []}", "/kernels", "must be an object"},
        {HEAD "\"kernels\": {\"K\": \"full\"}}", "/kernels/K", "must be fill"},
        {HEAD "\"kernels\": {\"K\": {\"grid\": 1}}}", "/kernels/K", "block is missing"},
        {HEAD "\"kernels\": {\"K\": {\"grid\": 0, \"block\": 1}}}", "/kernels/K/grid", "must be from 1 to 4294967295"},
        {HEAD "\"kernels\": {\"K\": {\"grid\": 1, \"block\": 1, \"smem\": 1}}}", "/kernels/K/smem", "unknown key smem"},
        {HEAD "\"kernels\": {\"K\": {\"grid\": 1, \"block\": 1, \"shared\": \"8Q\"}}}", "/kernels/K/shared",
         "must be a size such as 512B or 8KiB"},
        {HEAD "\"kernels\": {\"K\": {\"grid\": 1, \"block\": 1, \"shared\": \"4GiB\"}}}", "/kernels/K/shared",
         "must be below 2GiB"},
        {HEAD "\"memory\": {\"line\": 0}}", "/memory/line", "must be from 1 to 1048576"},
        {HEAD "\"memory\": {\"lines\": \"floor\"}}", "/memory/lines", "must be ceil or floor+1"},
        {HEAD "\"memory\": {\"access\": {\"A\": {\"read\": 1}}}}", "/memory/access/A", "write is missing"},
        {HEAD "\"memory\": {\"access\": {\"A\": [2, 1]}}}", "/memory/access/A", "the least is larger than the most"},
        {HEAD "\"memory\": {\"access\": {\"A\": [1]}}}", "/memory/access/A",
         "must be a time, or the least and the most"},
        {HEAD "\"memory\": {\"access\": {\"A\": \"x\"}}}", "/memory/access/A",
         "must be a time such as 20ns, 2.5us or 1ms"},
        {HEAD "\"tasks\": {\"T\": {\"core\": \"\"}}}", "/tasks/T/core", "must not be empty"},
        {HEAD "\"tasks\": {\"T\": {\"wait\": \"spin\"}}}", "/tasks/T/wait", "must be busy or suspend"},
        {HEAD "\"tasks\": {\"T\": {\"deadline\": \"86401s\"}}}", "/tasks/T/deadline", "must be at most a day"},
        {HEAD "\"tasks\": {\"T\": {\"deadline\": -1}}}", "/tasks/T/deadline", "must not be negative"},
        {HEAD "\"chains\": [{\"name\": \"c\", \"tasks\": []}]}", "/chains/0/tasks", "must name at least one task"},
        {HEAD "\"chains\": [{\"name\": \"c\", \"tasks\": [1]}]}", "/chains/0/tasks/0", "must be a string"},
        {HEAD "\"chains\": [{\"tasks\": [\"A\"]}]}", "/chains/0", "name is missing"},
        {HEAD "\"gpu\": {\"sharing\": \"mps\"}}", "/gpu/sharing", "must be streams or slices"},
        {HEAD "\"priorities\": \"edf\"}", "/priorities", "must be model or rate-monotonic"},
        {HEAD "\"tick\": 0}", "/tick", "must be from 1ps to 1s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sys_given *g;
        gcast_error err;
        assert_int_equal(given_read(cases[i].json, strlen(cases[i].json), "g.json", &g, &err), GCAST_INPUT);
        assert_null(g);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.path, cases[i].path);
        assert_string_equal(err.file, "g.json");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_nothing),
        cmocka_unit_test(kernels),
        cmocka_unit_test(memory),
        cmocka_unit_test(tasks),
        cmocka_unit_test(chains_and_the_rest),
        cmocka_unit_test(errors_say_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
