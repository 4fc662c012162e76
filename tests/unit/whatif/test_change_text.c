/* Changes as text: what is read is written the same, and what is none is refused. */
#include "support/support.h"

#include <string.h>

#include "change/change_text.h"
#include "whatif/wait_label.h"

static const char *const good[] = {
    "connections=8", "merge=all",       "merge=7+13",      "split=all",        "split=labels",  "split=hosts",
    "split=48",      "move=K",          "move=a:b=c",      "priority=3",       "sms=66",        "reserve=7:20",
    "confine=K:4",   "confine=a:b:4",   "blocks=K:half",   "blocks=K:quarter", "blocks=K:wave", "blocks=K:132",
    "carveout=most", "carveout=driver", "carveout=K:most", "graphs",           "launches",      "launches=60us",
    "pauses=0",      "latency=50",      "scale=200",       "scale=K:50",       "gpu=h200",      "gpu=sms:2 cc:6.2",
};

static const char *const bad[] = {
    "",           "connections",   "connections=", "connections=-1", "connections=8x", "connections=99999999999",
    "merge=",     "merge=1",       "merge=1+",     "merge=+2",       "split=some",     "move=",
    "sms",        "reserve=7",     "reserve=:4",   "reserve=7:",     "confine=4",      "confine=:4",
    "blocks=K",   "blocks=K:x",    "carveout=K",   "carveout=:most", "graphs=1",       "graphs=",
    "launches=x", "launches=-1us", "pauses",       "scale=K:",       "gpu=",           "graph",
    "Graphs",     "merge=all=all",
};

static void test_round_trip(void **state)
{
    (void)state;
    arena memory = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        gcast_error err;
        change c;
        text t;
        size_t size;
        assert_ok(change_parse(good[i], &memory, &c, &err), &err);
        text_open(&t, NULL, NULL);
        change_write(&c, &t);
        char *written = text_take(&t, &size);
        assert_string_equal(written, good[i]);
        free(written);
        text_open(&t, NULL, NULL);
        change_say(&c, &t);
        char *said = text_take(&t, &size);
        assert_true(size > 5);
        free(said);
    }
    arena_free(&memory);
}

static void test_refused(void **state)
{
    (void)state;
    arena memory = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gcast_error err;
        change c;
        if (change_parse(bad[i], &memory, &c, &err) != GCAST_USAGE)
            fail_msg("%s was read", bad[i]);
        assert_true(strlen(err.message) > 10);
    }
    arena_free(&memory);
}

static void test_names(void **state)
{
    (void)state;
    change c = {.kind = CHANGE_MOVE, .name = "K"};
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    const struct {
        const char *label;
        bool named;
    } cases[] = {{"K", true},   {"K#2", true}, {"K#12", true}, {"K2", false},
                 {"K#", false}, {"k", false},  {"KK#2", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        op.label = cases[i].label;
        assert_int_equal(change_names(&c, &op), cases[i].named);
    }
}

/* A kernel that waits for room which its own blocks hold is at work. */
static void test_labels(void **state)
{
    (void)state;
    gcast_holder own = {.run_op = 3, .blocks = 5}, other = {.run_op = 4, .blocks = 5};
    gcast_wait wait = {.reason = GCAST_WHY_RESOURCES, .run_op = 3, .holders = &own, .holder_count = 1};
    assert_int_equal(wait_label_of(&wait), WAIT_LABEL_WORK);
    wait.holders = &other;
    assert_int_equal(wait_label_of(&wait), WAIT_LABEL_ROOM);
    wait.reason = GCAST_WHY_CONNECTION;
    assert_int_equal(wait_label_of(&wait), WAIT_LABEL_CONNECTION);
    wait.reason = GCAST_WHY_CARVEOUT;
    assert_int_equal(wait_label_of(&wait), WAIT_LABEL_CARVEOUT);
    assert_int_equal(wait_label_of_reason(GCAST_WHY_LATENCY), WAIT_LABEL_LAUNCH);
    assert_int_equal(wait_label_of_reason(GCAST_WHY_LAUNCHES), WAIT_LABEL_DEVICE_LAUNCH);
    assert_int_equal(wait_label_of_reason(GCAST_WHY_CHILD_ENDS), WAIT_LABEL_DEVICE_LAUNCH);
    assert_int_equal(wait_label_of_reason(GCAST_WHY_CHILDREN), WAIT_LABEL_WORK);
    assert_int_equal(wait_label_of_reason(GCAST_WHY_CALL), WAIT_LABEL_HOST);
    assert_int_equal(wait_label_of_reason(GCAST_WHY_COPY_FIFO), WAIT_LABEL_COPY_ENGINE);
    assert_int_equal(wait_label_of_reason(GCAST_WHY_AFTER), WAIT_LABEL_DEPENDENCY);
    for (int r = 0; r < GCAST_REASONS; r++) /* only what is truly depended on is followed */
        assert_true(!wait_label_is_followed((gcast_reason)r) ||
                    wait_label_of_reason((gcast_reason)r) == WAIT_LABEL_DEPENDENCY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
