/* Which connection a kernel joins, worked out by hand from docs/model.md: the oracle and the simulator must agree with
 * it. */
#include "property/hand.h"

/* A GPU with so many connections, and streams 1 to 9 as s[1] to s[9]. */
static void setup(fixture *f, int connections, int s[10])
{
    f->gpu->connections = connections;
    for (int i = 1; i < 10; i++)
        s[i] = stream(f, i, 0, false);
}

#define assert_connections(f, ...)                                                                                     \
    do {                                                                                                               \
        const int want[] = {__VA_ARGS__};                                                                              \
        assert_int_equal((f)->r.op_count, sizeof want / sizeof *want);                                                 \
        for (size_t i_ = 0; i_ < sizeof want / sizeof *want; i_++)                                                     \
            assert_int_equal((f)->r.ops[i_].connection, want[i_]);                                                     \
    } while (0)

/* Three streams on two connections: the third waits behind the second kernel of stream 1. */
static void false_dependency(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, 2, s);
    add(f, kernel(s[1], 0, 1, 32, 10)); /* enters at once */
    add(f, kernel(s[1], 1, 1, 32, 10)); /* its stream's connection; waits until 10 */
    add(f, kernel(s[2], 2, 1, 32, 50)); /* the empty connection; enters at once */
    add(f, kernel(s[2], 3, 1, 32, 10)); /* its stream's connection; waits until 52 */
    add(f, kernel(s[3], 4, 1, 32, 10)); /* none is empty: connection 0 was joined at 1, the other at 3 */
    run(f);
    assert_connections(f, 0, 0, 1, 1, 0);
    assert_int_equal(f->r.ops[4].head_ns, 4);
    assert_int_equal(f->r.ops[4].enter_ns, 10);
    assert_ends(f, 10, 20, 52, 62, 20);
}

/* While all connections are empty, kernels join the two halves in turn, and the connections of each half in turn. */
static void halves_take_turns(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, 4, s);
    for (int i = 1; i < 10; i++)
        add(f, kernel(s[i], i, 1, 32, 5));
    run(f);
    assert_connections(f, 0, 1, 2, 3, 0, 1, 2, 3, 0);
}

/* A stream keeps its connection, also when it is empty, until another stream joins it. */
static void stream_stays(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, 4, s);
    add(f, kernel(s[1], 0, 1, 32, 5));
    add(f, kernel(s[2], 1, 1, 32, 5));
    add(f, kernel(s[1], 20, 1, 32, 5)); /* keeps connection 0, so that the even half was joined last */
    add(f, kernel(s[3], 30, 1, 32, 5)); /* odd, and 3 was never joined */
    add(f, kernel(s[4], 40, 1, 32, 5)); /* even, and 2 was never joined */
    add(f, kernel(s[5], 50, 1, 32, 5));
    add(f, kernel(s[6], 60, 1, 32, 5)); /* even: 0 was joined at 20, 2 at 40 */
    add(f, kernel(s[1], 70, 1, 32, 5)); /* 0 is no longer its own; odd: 3 was joined at 30, 1 at 50 */
    run(f);
    assert_connections(f, 0, 1, 0, 3, 2, 1, 0, 3);
}

/* A kernel joins the half with more empty connections, whichever was joined last. */
static void half_with_more_empty(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, 4, s);
    add(f, kernel(s[1], 0, 1, 32, 100));
    add(f, kernel(s[1], 1, 1, 32, 100)); /* waits in 0 */
    add(f, kernel(s[2], 2, 1, 32, 100));
    add(f, kernel(s[3], 3, 1, 32, 100));
    add(f, kernel(s[4], 4, 1, 32, 100));
    add(f, kernel(s[4], 5, 1, 32, 100)); /* waits in 1: each half has one empty connection left */
    add(f, kernel(s[5], 6, 1, 32, 100));
    add(f, kernel(s[6], 7, 1, 32, 100));
    run(f);
    assert_connections(f, 0, 0, 1, 3, 1, 1, 2, 3);
}

/* Of three connections two are even and one is odd, which is joined last. */
static void odd_number(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, 3, s);
    for (int i = 1; i < 5; i++)
        add(f, kernel(s[i], i, 1, 32, 100));
    add(f, kernel(s[4], 5, 1, 32, 100)); /* waits in 2 */
    add(f, kernel(s[5], 6, 1, 32, 100)); /* 0 and 1 are empty, and 2 was joined last */
    run(f);
    assert_connections(f, 0, 2, 0, 2, 2, 1);
}

/* A kernel that has not arrived is in its connection; a kernel that waits for free resources is not. */
static void what_is_empty(void **state)
{
    fixture *f = *state;
    int s[10];
    setup(f, 2, s);
    f->gpu->launch_latency_ns = 5;
    add(f, kernel(s[1], 0, 4, 1024, 100));
    add(f, kernel(s[2], 1, 1, 1024, 100));
    add(f, kernel(s[3], 2, 1, 32, 1));  /* none is empty */
    add(f, kernel(s[4], 20, 1, 32, 1)); /* both are, though two kernels wait for free resources */
    add(f, kernel(s[5], 21, 1, 32, 1)); /* 1 is not */
    run(f);
    assert_connections(f, 0, 1, 0, 1, 0);
    assert_int_equal(f->r.ops[1].enter_ns, 6);
    assert_int_equal(f->r.ops[1].start_ns, 105);
}

/* The NULL stream joins connection 0, also where others are empty. */
static void null_stream(void **state)
{
    fixture *f = *state;
    int s[10], null = stream(f, 0, 0, true);
    setup(f, 4, s);
    add(f, kernel(s[1], 0, 1, 32, 10));
    add(f, kernel(s[1], 1, 1, 32, 10)); /* waits in 0 */
    add(f, kernel(null, 2, 1, 32, 10));
    add(f, kernel(s[2], 3, 1, 32, 10));
    run(f);
    assert_connections(f, 0, 0, 0, 1);
    assert_ends(f, 10, 20, 20, 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HAND_CASE(false_dependency),     HAND_CASE(halves_take_turns), HAND_CASE(stream_stays),
        HAND_CASE(half_with_more_empty), HAND_CASE(odd_number),        HAND_CASE(what_is_empty),
        HAND_CASE(null_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
