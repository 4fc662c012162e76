/* Files of gridcast.plan/1: what is read and written, and what is refused where. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "{\"schema\": \"gridcast.plan/1\", \"grid\": [3, 2, 1], \"sms\": 3, "
#define SEGMENTS HEAD "\"mapping\": \"segments\", \"workers\": 2, "

static gcast_plan *parse(const char *text)
{
    gcast_plan *p = NULL;
    gcast_error err;
    assert_ok(gcast_plan_read(text, strlen(text), "a.json", &p, &err), &err);
    return p;
}

/* Writing and reading give the same text. */
static void assert_written(const gcast_plan *p, const char *text)
{
    char *written, *rewritten;
    gcast_error err;
    assert_ok(gcast_plan_write(p, &written, &err), &err);
    assert_string_equal(written, text);
    gcast_plan *reread = parse(written);
    assert_ok(gcast_plan_write(reread, &rewritten, &err), &err);
    assert_string_equal(rewritten, text);
    assert_memory_equal(p->job, reread->job, p->jobs * sizeof *p->job);
    assert_memory_equal(p->first, reread->first, (p->queues + 1) * sizeof *p->first);
    assert_memory_equal(p->workers, reread->workers, p->sms * sizeof *p->workers);
    gcast_plan_free(reread);
    free(written);
    free(rewritten);
}

static void reads_and_writes(void **state)
{
    (void)state;
    gcast_plan *p = parse(SEGMENTS "\"queues\": [[3, 1, 2], [], [4, [5, 5], [0, 0]]], \"x-by\": [1]}");
    const uint32_t jobs[] = {3, 1, 2, 4, 5, 0}, first[] = {0, 3, 3, 6}, workers[] = {2, 0, 2};
    assert_int_equal(p->mapping, GCAST_MAPPING_SEGMENTS);
    assert_false(p->steal);
    assert_int_equal(p->jobs, 6);
    assert_memory_equal(p->job, jobs, sizeof jobs);
    assert_memory_equal(p->first, first, sizeof first);
    assert_memory_equal(p->workers, workers, sizeof workers);
    assert_written(p, "{\n"
                      "  \"schema\": \"gridcast.plan/1\",\n"
                      "  \"grid\": [3, 2, 1],\n"
                      "  \"sms\": 3,\n"
                      "  \"mapping\": \"segments\",\n"
                      "  \"steal\": false,\n"
                      "  \"workers\": 2,\n"
                      "  \"queues\": [\n"
                      "    [3, [1, 2]],\n"
                      "    [],\n"
                      "    [[4, 5], 0]\n"
                      "  ]\n"
                      "}\n");
    gcast_plan_free(p);
}

static void workers_by_sm(void **state)
{
    (void)state;
    gcast_plan *p = parse("{\"schema\": \"gridcast.plan/1\", \"grid\": 4, \"sms\": 2, \"mapping\": \"queues\", "
                          "\"steal\": true, \"workers\": [0, 3], \"queues\": [[[0, 3]], []]}");
    assert_true(p->steal);
    assert_int_equal(p->workers[1], 3);
    assert_written(p, "{\n"
                      "  \"schema\": \"gridcast.plan/1\",\n"
                      "  \"grid\": [4, 1, 1],\n"
                      "  \"sms\": 2,\n"
                      "  \"mapping\": \"queues\",\n"
                      "  \"steal\": true,\n"
                      "  \"workers\": [0, 3],\n"
                      "  \"queues\": [\n"
                      "    [[0, 3]],\n"
                      "    []\n"
                      "  ]\n"
                      "}\n");
    gcast_plan_free(p);
}

static void persistent_has_one_queue(void **state)
{
    (void)state;
    gcast_plan *p = parse(HEAD "\"mapping\": \"persistent\", \"queues\": [[0, 2, [3, 5], 1]]}");
    assert_int_equal(p->queues, 1);
    assert_int_equal(p->sms, 3);
    assert_written(p, "{\n"
                      "  \"schema\": \"gridcast.plan/1\",\n"
                      "  \"grid\": [3, 2, 1],\n"
                      "  \"sms\": 3,\n"
                      "  \"mapping\": \"persistent\",\n"
                      "  \"steal\": false,\n"
                      "  \"queues\": [\n"
                      "    [0, [2, 5], 1]\n"
                      "  ]\n"
                      "}\n");
    gcast_plan_free(p);
}

/* A plan of many jobs is a small file. */
static void even_plans_stay_small(void **state)
{
    (void)state;
    gcast_plan_options o = gcast_plan_options_default();
    gcast_plan *p;
    gcast_error err;
    char *text;
    o.grid[0] = 1000;
    o.grid[1] = 1000;
    o.grid[2] = 1;
    o.sms = 132;
    o.workers = 8;
    assert_ok(gcast_plan_make(&o, &p, &err), &err);
    assert_ok(gcast_plan_write(p, &text, &err), &err);
    assert_true(strlen(text) < 5000);
    assert_written(p, text);
    p->job[0] = 1;
    free(text);
    assert_int_equal(gcast_plan_write(p, &text, &err), GCAST_INPUT);
    assert_null(text);
    gcast_plan_free(p);
}

static void errors_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *json, *path, *message;
    } cases[] = {
        {"", "", "the file is empty"},
        {"[]", "", "must be a JSON object"},
        {"{}", "", "schema is missing"},
        {"{\"schema\": \"gridcast.gpu/1\"}", "/schema", "must be \"gridcast.plan/1\""},
        {"{\"schema\": \"gridcast.plan/1\", \"speed\": 1}", "/speed", "unknown key speed"},
        {"{\"schema\": \"gridcast.plan/1\"}", "", "grid is missing"},
        {"{\"schema\": \"gridcast.plan/1\", \"grid\": []}", "/grid", "must have from 1 to 3 numbers"},
        {"{\"schema\": \"gridcast.plan/1\", \"grid\": [1, 0]}", "/grid/1", "must be from 1 to 2147483647"},
        {"{\"schema\": \"gridcast.plan/1\", \"grid\": [65536, 32768]}", "/grid", "must have at most 2147483647 jobs"},
        {"{\"schema\": \"gridcast.plan/1\", \"grid\": 1, \"sms\": 4097}", "/sms", "must be from 1 to 4096"},
        {HEAD "\"mapping\": \"best\"}", "/mapping", "must be persistent, one-job, segments or queues"},
        {HEAD "\"mapping\": \"queues\", \"steal\": 1}", "/steal", "must be true or false"},
        {HEAD "\"mapping\": \"queues\"}", "", "queues is missing"},
        {SEGMENTS "\"queues\": [[[0, 5]], []]}", "/queues", "must have 3 queues, not 2"},
        {SEGMENTS "\"queues\": [[[0, 5]], [], [], []]}", "/queues/3", "there is no SM 3: the GPU has 0 to 2"},
        {SEGMENTS "\"queues\": [[[0, 5]], 1, []]}", "/queues/1", "must be an array"},
        {SEGMENTS "\"queues\": [[[0, 4]], [6], []]}", "/queues/1/0", "there is no job 6: the grid has 0 to 5"},
        {SEGMENTS "\"queues\": [[[0, 4]], [9223372036854775807], []]}", "/queues/1/0",
         "there is no job 9223372036854775807: the grid has 0 to 5"},
        {SEGMENTS "\"queues\": [[[0, 4]], [-1], []]}", "/queues/1/0", "must not be negative"},
        {SEGMENTS "\"queues\": [[[0, 7]], [], []]}", "/queues/0/0/1", "there is no job 7: the grid has 0 to 5"},
        {SEGMENTS "\"queues\": [[[4, 0]], [], []]}", "/queues/0/0", "from job 4 to job 0 is not ascending"},
        {SEGMENTS "\"queues\": [[[0, 4, 5]], [], []]}", "/queues/0/0", "must be a job, or [first, last]"},
        {SEGMENTS "\"queues\": [[0.0], [], []]}", "/queues/0/0", "must be a job, or [first, last]"},
        {SEGMENTS "\"queues\": [[[0, 1], [3, 5]], [], []]}", "/queues", "job 2 is missing"},
        {SEGMENTS "\"queues\": [[[0, 4]], [], []]}", "/queues", "job 5 is missing"},
        {SEGMENTS "\"queues\": [[], [], []]}", "/queues", "job 0 is missing"},
        {SEGMENTS "\"queues\": [[3], [[0, 5]], []]}", "/queues/1/0", "job 3 is listed twice, first in /queues/0/0"},
        {SEGMENTS "\"queues\": [[[0, 5]], [], [1]]}", "/queues/2/0", "job 1 is listed twice, first in /queues/0/0"},
        {SEGMENTS "\"queues\": [[[0, 1], 1], [[1, 5]], []]}", "/queues/0/1",
         "job 1 is listed twice, first in /queues/0/0"},
        {HEAD "\"mapping\": \"segments\", \"queues\": [[[0, 5]], [], []]}", "", "workers is missing"},
        {HEAD "\"mapping\": \"segments\", \"workers\": 0, \"queues\": [[[0, 5]], [], []]}", "/workers",
         "must be from 1 to 524287"},
        {HEAD "\"mapping\": \"segments\", \"workers\": [1, 1], \"queues\": [[[0, 5]], [], []]}", "/workers",
         "must have a number for each of the 3 SMs, not 2"},
        {HEAD "\"mapping\": \"segments\", \"workers\": [1, -1, 1], \"queues\": [[[0, 5]], [], []]}", "/workers/1",
         "must not be negative"},
        {HEAD "\"mapping\": \"segments\", \"workers\": [0, 1, 1], \"queues\": [[[0, 5]], [], []]}", "/queues/0",
         "SM 0 has 6 jobs, but no workers"},
        {HEAD "\"mapping\": \"segments\", \"steal\": true, \"workers\": 1, \"queues\": [[[0, 5]], [], []]}", "/steal",
         "workers steal with the mapping queues, not with segments"},
        {HEAD "\"mapping\": \"one-job\", \"workers\": 5, \"queues\": [[[0, 5]], [], []]}", "/queues/0",
         "SM 0 has 6 jobs: with the mapping one-job, 5 workers take 5"},
        {HEAD "\"mapping\": \"persistent\", \"workers\": 1, \"queues\": [[[0, 5]]]}", "/workers",
         "the mapping persistent has no workers per SM"},
        {HEAD "\"mapping\": \"persistent\", \"queues\": [[[0, 5]], []]}", "/queues/1",
         "the mapping persistent has one queue"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_plan *p;
        gcast_error err;
        assert_int_equal(gcast_plan_read(cases[i].json, strlen(cases[i].json), "a.json", &p, &err), GCAST_INPUT);
        assert_null(p);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.path, cases[i].path);
        assert_string_equal(err.file, "a.json");
        assert_int_equal(gcast_plan_read(cases[i].json, strlen(cases[i].json), "a.json", &p, NULL), GCAST_INPUT);
    }
}

static void syntax_errors_say_the_line(void **state)
{
    (void)state;
    const char *text = "{\n  \"schema\": \"gridcast.plan/1\",\n  \"sms\": 1,\n  \"sms\": 2\n}";
    gcast_plan *p;
    gcast_error err;
    assert_int_equal(gcast_plan_read(text, strlen(text), "a.json", &p, &err), GCAST_INPUT);
    assert_int_equal(err.line, 4);
}

static void files(void **state)
{
    (void)state;
    gcast_plan *p;
    gcast_error err;
    assert_ok(gcast_plan_load(SOURCE_DIR "/fuzz/corpus/plan/segments.json", &p, &err), &err);
    assert_int_equal(p->jobs, 1400);
    gcast_plan_free(p);
    assert_int_equal(gcast_plan_load("no/such/file", &p, &err), GCAST_INPUT);
    assert_null(p);
    assert_string_equal(err.file, "no/such/file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_writes),
        cmocka_unit_test(workers_by_sm),
        cmocka_unit_test(persistent_has_one_queue),
        cmocka_unit_test(even_plans_stay_small),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(syntax_errors_say_the_line),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
