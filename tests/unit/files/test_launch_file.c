/* Files of gridcast.launch/1: what is read and written, and what is refused where. */
#include "model/launch_file.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "{\"schema\": \"gridcast.launch/1\", "
#define SHAPE "\"grid\": 4, \"block\": 256, \"args\": []"
#define LEAST HEAD "\"ptx\": \"k/saxpy.ptx\", " SHAPE

static gcast_launch_file *parse(const char *text, const char *file)
{
    gcast_launch_file *l = NULL;
    gcast_error err;
    assert_ok(gcast_launch_file_read(text, strlen(text), file, &l, &err), &err);
    return l;
}

static const char whole[] = "{\n"
                            "  \"schema\": \"gridcast.launch/1\",\n"
                            "  \"name\": \"nbody 16k\",\n"
                            "  \"ptx\": \"nbody.ptx\",\n"
                            "  \"kernel\": \"nbody\",\n"
                            "  \"grid\": [64, 2, 3],\n"
                            "  \"block\": [16, 8, 1],\n"
                            "  \"shared\": 4096,\n"
                            "  \"registers\": 32,\n"
                            "  \"args\": [\n"
                            "    \"u32:1000\",\n"
                            "    \"x=f32[1000]:index\"\n"
                            "  ],\n"
                            "  \"job_ns\": [1200, 1300],\n"
                            "  \"times\": [\n"
                            "    {\"workers\": 2, \"sms\": 132, \"ns\": 123456},\n"
                            "    {\"workers\": 2, \"sms\": 131, \"ns\": 123457}\n"
                            "  ]\n"
                            "}\n";

static void reads_all_keys(void **state)
{
    (void)state;
    gcast_launch_file *l = parse(whole, "a.json");
    const uint32_t grid[] = {64, 2, 3}, block[] = {16, 8, 1};
    assert_string_equal(l->file, "a.json");
    assert_string_equal(l->name, "nbody 16k");
    assert_string_equal(l->ptx, "nbody.ptx");
    assert_string_equal(l->kernel, "nbody");
    assert_memory_equal(l->grid, grid, sizeof grid);
    assert_memory_equal(l->block, block, sizeof block);
    assert_int_equal(l->shared_bytes, 4096);
    assert_int_equal(l->registers, 32);
    assert_int_equal(l->arg_count, 2);
    assert_string_equal(l->args[0], "u32:1000");
    assert_string_equal(l->args[1], "x=f32[1000]:index");
    assert_int_equal(l->job_ns_count, 2);
    assert_int_equal(l->job_ns[1], 1300);
    assert_int_equal(l->time_count, 2);
    assert_int_equal(l->times[1].workers, 2);
    assert_int_equal(l->times[1].sms, 131);
    assert_int_equal(l->times[1].ns, 123457);
    gcast_launch_file_free(l);
}

static void assert_written(const gcast_launch_file *l, const char *expected)
{
    char *text;
    gcast_error err;
    assert_ok(gcast_launch_file_write(l, &text, &err), &err);
    assert_string_equal(text, expected);
    free(text);
}

static void writes_what_was_read(void **state)
{
    (void)state;
    gcast_launch_file *l = parse(whole, "a.json");
    assert_written(l, whole);
    gcast_launch_file_free(l);
    l = parse(LEAST ", \"shared\": 0, \"job_ns\": [], \"times\": [], \"x-by\": 1}", "a.json");
    assert_written(l, "{\n"
                      "  \"schema\": \"gridcast.launch/1\",\n"
                      "  \"name\": \"saxpy.ptx\",\n"
                      "  \"ptx\": \"k/saxpy.ptx\",\n"
                      "  \"grid\": [4, 1, 1],\n"
                      "  \"block\": [256, 1, 1],\n"
                      "  \"args\": []\n"
                      "}\n");
    gcast_launch_file_free(l);
}

static void keys_that_are_missing(void **state)
{
    (void)state;
    gcast_launch_file *l = parse(LEAST "}", "a.json");
    assert_null(l->kernel);
    assert_int_equal(l->shared_bytes, 0);
    assert_int_equal(l->registers, 0);
    assert_int_equal(l->arg_count, 0);
    assert_null(l->job_ns);
    assert_null(l->times);
    gcast_launch_file_free(l);
    gcast_launch_file_free(NULL);
}

static void has_a_name_for_tables(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{LEAST "}", "saxpy.ptx"},
                                           {LEAST ", \"kernel\": \"k\"}", "k"},
                                           {LEAST ", \"kernel\": \"k\", \"name\": \"large\"}", "large"},
                                           {HEAD "\"ptx\": \"/\", " SHAPE "}", "/"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gcast_launch_file *l = parse(cases[i][0], "a.json");
        assert_string_equal(l->name, cases[i][1]);
        gcast_launch_file_free(l);
    }
}

/* The PTX is beside the launch file, wherever that is. */
static void paths_are_beside_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *file, *json, *ptx;
    } cases[] = {
        {"a.json", LEAST "}", "k/saxpy.ptx"},
        {"x/y/a.json", LEAST "}", "x/y/k/saxpy.ptx"},
        {"/a.json", LEAST "}", "/k/saxpy.ptx"},
        {"x/a.json", HEAD "\"ptx\": \"/saxpy.ptx\", " SHAPE "}", "/saxpy.ptx"},
        {"x/a.json", HEAD "\"ptx\": \"../saxpy.ptx\", " SHAPE "}", "x/../saxpy.ptx"},
        {"standard input", LEAST "}", "k/saxpy.ptx"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gcast_launch_file *l = parse(cases[i].json, cases[i].file);
        assert_string_equal(l->ptx, cases[i].ptx);
        assert_string_equal(l->file, cases[i].file);
        gcast_launch_file_free(l);
    }
}

static void errors_say_where(void **state)
{
    (void)state;
#define PTX HEAD "\"ptx\": \"a.ptx\", "
    static const struct {
        const char *json, *path, *message;
    } cases[] = {
        {"{}", "", "schema is missing"},
        {"{\"schema\": \"gridcast.plan/1\"}", "/schema", "must be \"gridcast.launch/1\""},
        {HEAD SHAPE "}", "", "ptx is missing"},
        {HEAD "\"ptx\": \"\", " SHAPE "}", "/ptx", "must not be empty"},
        {HEAD "\"ptx\": 3, " SHAPE "}", "/ptx", "must be a string"},
        {HEAD "\"ptx\": \"-\", " SHAPE "}", "/ptx", "must be the path of a file"},
        {LEAST ", \"kernel\": \"\"}", "/kernel", "must not be empty"},
        {LEAST ", \"name\": \"\"}", "/name", "must not be empty"},
        {LEAST ", \"argument\": []}", "/argument", "unknown key argument"},
        {PTX "\"block\": 1, \"args\": []}", "", "grid is missing"},
        {PTX "\"grid\": 1, \"args\": []}", "", "block is missing"},
        {PTX "\"grid\": 1, \"block\": 1}", "", "args is missing"},
        {PTX "\"grid\": 0, \"block\": 1, \"args\": []}", "/grid", "must be from 1 to 2147483647"},
        {PTX "\"grid\": [1, 65536], \"block\": 1, \"args\": []}", "/grid/1", "must be from 1 to 65535"},
        {PTX "\"grid\": [], \"block\": 1, \"args\": []}", "/grid", "must be a number or an array of one to three"},
        {PTX "\"grid\": 1, \"block\": [1, 1, 65], \"args\": []}", "/block/2", "must be from 1 to 64"},
        {PTX "\"grid\": 1, \"block\": [32, 33], \"args\": []}", "/block", "has 1056 threads; 1024 is the most"},
        {PTX "\"grid\": 1, \"block\": [1, 1, 1, 1], \"args\": []}", "/block",
         "must be a number or an array of one to three"},
        {PTX "\"grid\": 1.5, \"block\": 1, \"args\": []}", "/grid", "must be a whole number"},
        {LEAST ", \"shared\": 1048577}", "/shared", "must be from 0 to 1048576"},
        {LEAST ", \"registers\": 256}", "/registers", "must be from 1 to 255"},
        {PTX "\"grid\": 1, \"block\": 1, \"args\": {}}", "/args", "must be an array"},
        {PTX "\"grid\": 1, \"block\": 1, \"args\": [\"x\", 1]}", "/args/1", "must be a string"},
        {PTX "\"grid\": 1, \"block\": 1, \"args\": [\"\"]}", "/args/0", "must not be empty"},
        {LEAST ", \"job_ns\": 3}", "/job_ns", "must be an array"},
        {LEAST ", \"job_ns\": [3, 0]}", "/job_ns/1", "must be from 1 to 2305843009213693951"},
        {LEAST ", \"times\": [3]}", "/times/0", "must be an object"},
        {LEAST ", \"times\": [{\"workers\": 1, \"sms\": 1}]}", "/times/0", "ns is missing"},
        {LEAST ", \"times\": [{\"workers\": 0, \"sms\": 1, \"ns\": 1}]}", "/times/0/workers",
         "must be from 1 to 524287"},
        {LEAST ", \"times\": [{\"workers\": 1, \"sms\": 4097, \"ns\": 1}]}", "/times/0/sms", "must be from 1 to 4096"},
        {LEAST ", \"times\": [{\"workers\": 1, \"sms\": 1, \"ns\": 1, \"gpu\": 1}]}", "/times/0/gpu",
         "unknown key gpu"},
        {LEAST ", \"times\": [{\"workers\": 1, \"sms\": 2, \"ns\": 1}, {\"workers\": 2, \"sms\": 1, \"ns\": 1}, "
               "{\"workers\": 1, \"sms\": 2, \"ns\": 3}]}",
         "/times/2", "workers and sms are those of /times/0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gcast_launch_file *l;
        gcast_error err;
        assert_int_equal(gcast_launch_file_read(cases[i].json, strlen(cases[i].json), "l.json", &l, &err), GCAST_INPUT);
        assert_null(l);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.path, cases[i].path);
        assert_string_equal(err.file, "l.json");
    }
}

static void a_key_that_is_there_twice(void **state)
{
    (void)state;
    const char *text = LEAST ", \"grid\": 5}";
    gcast_launch_file *l;
    gcast_error err;
    assert_int_equal(gcast_launch_file_read(text, strlen(text), "l.json", &l, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "duplicate"));
    assert_int_equal(gcast_launch_file_read(text, strlen(text), "l.json", &l, NULL), GCAST_INPUT);
}

static void a_file_that_is_missing(void **state)
{
    (void)state;
    gcast_launch_file *l;
    gcast_error err;
    assert_int_equal(gcast_launch_file_load("none/l.json", &l, &err), GCAST_INPUT);
    assert_null(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_keys),         cmocka_unit_test(writes_what_was_read),
        cmocka_unit_test(keys_that_are_missing),  cmocka_unit_test(has_a_name_for_tables),
        cmocka_unit_test(errors_say_where),       cmocka_unit_test(paths_are_beside_the_file),
        cmocka_unit_test(a_file_that_is_missing), cmocka_unit_test(a_key_that_is_there_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
