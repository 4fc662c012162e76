/* gcast_placement_read: a kernel's placement from a run. */
#include <string.h>

#include "model/launch_placement.h"
#include "support/support.h"

#define RUN(sms, ops) "{\"schema\": \"gridcast.run/1\", \"sms\": " sms ", \"ops\": [" ops "]}"
#define OP(label, job, blocks) "{\"label\": \"" label "\", \"job\": " job ", \"blocks\": [" blocks "]}"

static gcast_status read(const char *text, const char *kernel, uint64_t blocks, uint32_t *sm, uint32_t *order,
                         gcast_error *err)
{
    uint32_t sms = 0;
    gcast_status status = gcast_placement_read(text, strlen(text), "run.json", kernel, blocks, &sms, sm, order, err);
    if (status == GCAST_OK)
        assert_int_equal(sms, 4);
    return status;
}

/* The order is by start, of equal starts by number; times may be negative. */
static void reads_sms_and_order(void **state)
{
    (void)state;
    static const char text[] = RUN("4", OP("a", "0", "[1, 5, 9]") ", {\"label\": \"copy\"}, " OP(
                                            "b", "0", "[3, 7, 9], [0, -2, 9], [2, 7, 8], [1, 6, 8]"));
    uint32_t sm[4], order[4];
    static const uint32_t want_sm[] = {3, 0, 2, 1}, want_order[] = {1, 3, 0, 2};
    gcast_error err;
    for (int named = 0; named < 2; named++) {
        assert_ok(read(text, named ? "b" : NULL, 4, sm, order, &err), &err);
        assert_memory_equal(sm, want_sm, sizeof sm);
        assert_memory_equal(order, want_order, sizeof order);
    }
}

static void a_name_may_have_a_job(void **state)
{
    (void)state;
    static const char text[] =
        RUN("4", OP("a", "0", "[1, 5, 9]") ", " OP("a", "1", "[2, 5, 9]") ", " OP("a#1", "0", "[3, 5, 9]"));
    static const struct {
        const char *name;
        uint32_t sm;
    } cases[] = {{"a", 1}, {"a#0", 1}, {"a#1", 2}, {"a#1#0", 3}};
    gcast_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t sm, order;
        assert_ok(read(text, cases[i].name, 1, &sm, &order, &err), &err);
        assert_int_equal(sm, cases[i].sm);
    }
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *kernel, *message, *path;
    } bad[] = {
        {"[]", NULL, "must be a JSON object", ""},
        {"{\"schema\": \"gridcast.workload/1\", \"sms\": 4, \"ops\": []}", NULL, "must be \"gridcast.run/1\"",
         "/schema"},
        {RUN("0", ""), NULL, "from 1 to 4096", "/sms"},
        {RUN("4", ""), NULL, "no operation has its blocks", "/ops"},
        {RUN("4", "7"), NULL, "", "/ops/0"},
        {RUN("4", OP("a", "0", "[1, 5, 9]")), NULL, "no kernel has 2 blocks", "/ops"},
        {RUN("4", OP("a", "0", "[1, 5, 9]")), "a", "a has 1 blocks, and the launch has 2", "/ops/0/blocks"},
        {RUN("4", OP("a", "0", "[1, 5, 9]")), "b", "no operation is called b", "/ops"},
        {RUN("4", "{\"label\": \"a\"}"), "a", "has no list of blocks", "/ops/0"},
        {RUN("4", OP("a", "0", "[1, 5, 9], [4, 5, 9]")), "a", "from 0 to 3", "/ops/0/blocks/1/0"},
        {RUN("4", OP("a", "0", "[1, 5, 9], [1, 5]")), "a", "must be SM, start and end", "/ops/0/blocks/1"},
        {RUN("4", OP("a", "0", "[1, 5, 9], [1, \"x\", 9]")), "a", "", "/ops/0/blocks/1/1"},
        {RUN("4", OP("a", "0", "[1,5,9],[1,5,9]") "," OP("a", "1", "[1,5,9],[1,5,9]")), NULL,
         "2 operations have 2 blocks", "/ops"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t sm[2], order[2];
        gcast_error err;
        assert_int_equal(read(bad[i].text, bad[i].kernel, 2, sm, order, &err), GCAST_INPUT);
        assert_string_equal(err.path, bad[i].path);
        assert_string_equal(err.file, "run.json");
        if (!strstr(err.message, bad[i].message))
            fail_msg("'%s' is not in '%s'", bad[i].message, err.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_sms_and_order),
        cmocka_unit_test(a_name_may_have_a_job),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
