/* What tests of hand-made schedules share: a small GPU, a workload made of a few
 * lines, and a run of it by the oracle and by the simulator. */
#ifndef PROPERTY_HAND_H
#define PROPERTY_HAND_H

#include "property/compare.h"

typedef struct fixture {
    gcast_workload *w;              /* what is to run */
    gcast_gpu *gpu;                 /* where */
    gcast_simulate_options options; /* of the simulation */
    oracle_result r;                /* the run of the oracle */
    gcast_error err;                /* of the last call that failed */
} fixture;

/* 2 SMs of 2048 threads, as a TX2 without connections; an empty workload. */
int hand_setup(void **state);
int hand_teardown(void **state);
int stream(fixture *f, int id, int priority, bool blocking);
gcast_op kernel(int stream, int64_t release, uint32_t blocks, uint32_t threads, int64_t ns);
gcast_op copy(int stream, int64_t release, gcast_direction direction, int64_t ns);
gcast_op host_op(gcast_kind kind, int host);
void add(fixture *f, gcast_op op);
/* Runs the oracle, with the result in f->r; the simulator must give an equal run. */
void run(fixture *f);

#define HAND_CASE(name) cmocka_unit_test_setup_teardown(name, hand_setup, hand_teardown)

#define assert_ends(f, ...)                                                                                            \
    do {                                                                                                               \
        const int64_t want[] = {__VA_ARGS__};                                                                          \
        assert_int_equal((f)->r.op_count, sizeof want / sizeof *want);                                                 \
        for (size_t i_ = 0; i_ < sizeof want / sizeof *want; i_++)                                                     \
            assert_int_equal((f)->r.ops[i_].end_ns, want[i_]);                                                         \
    } while (0)

#define assert_sms(f, op, ...)                                                                                         \
    do {                                                                                                               \
        const uint32_t want[] = {__VA_ARGS__};                                                                         \
        assert_int_equal((f)->r.ops[op].block_count, sizeof want / sizeof *want);                                      \
        for (size_t i_ = 0; i_ < sizeof want / sizeof *want; i_++)                                                     \
            assert_int_equal((f)->r.ops[op].blocks[i_].sm, want[i_]);                                                  \
    } while (0)

#endif
