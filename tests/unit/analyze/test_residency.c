/* Which workloads may hang, and with which changes they cannot; proofs against all placements of blocks. */
#include <stdio.h>
#include <stdlib.h>

#include "analyze/residency/hang_remedies.h"
#include "analyze/residency/room.h"
#include "files/workload_formats.h"
#include "support/support.h"

static gcast_gpu *gpu_of(const char *text)
{
    gcast_gpu *gpu;
    gcast_error err;
    assert_ok(gcast_gpu_load(text, &gpu, &err), &err);
    return gpu;
}

/* Four SMs of an H200, each of which holds two blocks of 100000 bytes. */
static gcast_gpu *four_sms(void)
{
    gcast_error err;
    gcast_gpu *gpu = gpu_of("h200");
    assert_ok(gcast_gpu_partition(gpu, 4, &err), &err);
    return gpu;
}

static gcast_workload *workload_of(const char *top, const char *ops)
{
    char text[4096];
    gcast_workload *w;
    gcast_error err;
    int size = snprintf(text, sizeof text, "{\"schema\": \"gridcast.workload/1\", %s \"ops\": [%s]}", top, ops);
    assert_in_range(size, 1, sizeof text - 1);
    assert_ok(gcast_workload_read_native(text, (size_t)size, "t.json", &w, &err), &err);
    return w;
}

#define KERNEL(label, stream, grid)                                                                                    \
    "{\"kind\": \"kernel\", \"block\": 256, \"dynamic_smem\": 100000, \"duration_ns\": 100, \"label\": \"" label       \
    "\", \"stream\": " stream ", \"grid\": " grid

/* What is answered: the number of risks, and the first of them. */
static residency_risk prove_if(const char *top, const char *ops, const needs_assumed *assumed, size_t risks)
{
    residency r;
    gcast_error err;
    gcast_gpu *gpu = four_sms();
    gcast_workload *w = workload_of(top, ops);
    residency_risk first = {.kernel = RESIDENCY_NONE, .waiter = RESIDENCY_NONE, .between = RESIDENCY_NONE};
    assert_ok(residency_prove(w, gpu, assumed, &r, &err), &err);
    assert_int_equal(r.risk_count, risks);
    if (risks)
        first = r.risks[0];
    residency_free(&r);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
    return first;
}

static residency_risk prove(const char *top, const char *ops, size_t risks)
{
    return prove_if(top, ops, NULL, risks);
}

/* A barrier of the whole grid needs all blocks at once. */
static void size(void **state)
{
    (void)state;
    prove("", KERNEL("A", "1", "8, \"waits_for\": [\"A\"]}"), 0);
    residency_risk k = prove("", KERNEL("A", "1", "9, \"waits_for\": [\"A\"]}"), 1);
    assert_true(k.reason == RESIDENCY_SIZE && k.kernel == 0);
    prove("", KERNEL("A", "1", "9}"), 0);
}

/* Two such kernels: the first in the queue starts all of its blocks before the second may. A higher level may cut in.
 */
static void two_waves(void **state)
{
    (void)state;
#define TWO KERNEL("A", "1", "8, \"waits_for\": [\"A\"]},") KERNEL("B", "2", "8, \"waits_for\": [\"B\"]}")
    prove("", TWO, 0);
    residency_risk k = prove("\"streams\": [{\"id\": 1}, {\"id\": 2, \"priority\": -1}],", TWO, 1);
    assert_true(k.reason == RESIDENCY_ROOM && k.kernel == 1 && k.waiter == 0);
    /* half of the GPU each leaves room */
    prove("\"streams\": [{\"id\": 1}, {\"id\": 2, \"priority\": -1}],",
          KERNEL("A", "1", "4, \"waits_for\": [\"A\"]},") KERNEL("B", "2", "4, \"waits_for\": [\"B\"]}"), 0);
    /* five of seven: A can hold four places, B four: all eight, with one of each missing */
    prove("\"streams\": [{\"id\": 1}, {\"id\": 2, \"priority\": -1}],",
          KERNEL("A", "1", "5, \"waits_for\": [\"A\"]},") KERNEL("B", "2", "5, \"waits_for\": [\"B\"]}"), 1);
    /* a cooperative kernel holds nothing before it has room for all, but goes before others, whatever its priority */
    prove("\"streams\": [{\"id\": 1}, {\"id\": 2, \"priority\": -1}],",
          KERNEL("A", "1", "8, \"cooperative\": true, \"waits_for\": [\"A\"]},")
              KERNEL("B", "2", "8, \"cooperative\": true, \"waits_for\": [\"B\"]}"),
          0);
    k = prove("",
              KERNEL("A", "1", "8, \"cooperative\": true, \"waits_for\": [\"A\"]},")
                  KERNEL("B", "2", "8, \"waits_for\": [\"B\"]}"),
              1);
    assert_true(k.reason == RESIDENCY_ROOM && k.kernel == 0 && k.waiter == 1);
}

/* One kernel waits for another. */
static void others(void **state)
{
    (void)state;
    prove("", KERNEL("A", "1", "7, \"waits_for\": [\"B\"]},") KERNEL("B", "2", "1}"), 0);
    residency_risk k = prove("", KERNEL("A", "1", "8, \"waits_for\": [\"B\"]},") KERNEL("B", "2", "1}"), 1);
    assert_true(k.reason == RESIDENCY_ROOM && k.kernel == 1 && k.waiter == 0);
    /* behind it in its stream, and after it */
    k = prove("", KERNEL("A", "1", "1, \"waits_for\": [\"B\"]},") KERNEL("B", "1", "1}"), 1);
    assert_true(k.reason == RESIDENCY_ORDER && k.kernel == 1 && k.waiter == 0);
    k = prove("", KERNEL("A", "1", "1, \"waits_for\": [\"B\"]},") KERNEL("B", "2", "1, \"after\": [\"A\"]}"), 1);
    assert_int_equal(k.reason, RESIDENCY_ORDER);
    /* before it */
    prove("", KERNEL("B", "1", "1},") KERNEL("A", "1", "8, \"waits_for\": [\"B\"]}"), 0);
    /* each other, in two streams: both can be resident */
    prove("", KERNEL("A", "1", "2, \"waits_for\": [\"B\"]},") KERNEL("B", "2", "2, \"waits_for\": [\"A\"]}"), 0);
    /* a kernel that nobody waits for is in front of the one that is waited for */
    prove("", KERNEL("A", "1", "7, \"waits_for\": [\"B\"]},") KERNEL("C", "3", "100},") KERNEL("B", "2", "1}"), 0);
    k = prove("",
              KERNEL("A", "1", "7, \"waits_for\": [\"B\"]},") "{\"kind\": \"kernel\", \"block\": 256, "
                                                              "\"dynamic_smem\": 200000, \"duration_ns\": 100, "
                                                              "\"label\": \"C\", \"stream\": 3, \"grid\": 1}," KERNEL(
                                                                  "B", "2", "1}"),
              1);
    assert_true(k.kernel == 1 && k.waiter == 0); /* C needs a whole SM, and B is behind it */
}

/* A host that waits for the waiter before it calls what that waits for. */
static void hosts(void **state)
{
    (void)state;
#define HOST(h, rest) "\"host\": \"" h "\"" rest
    residency_risk k = prove("",
                             KERNEL("A", "1", "1, \"waits_for\": [\"B\"], ")
                                 HOST("h", "},") "{\"kind\": \"sync\", \"scope\": \"device\", \"host\": \"h\"}," KERNEL(
                                     "B", "2", "1, ") HOST("h", "}"),
                             1);
    assert_int_equal(k.reason, RESIDENCY_ORDER);
    prove("",
          KERNEL("A", "1", "1, \"waits_for\": [\"B\"], ") HOST("h", "},") KERNEL("B", "2", "1, ")
              HOST("h", "},") "{\"kind\": \"sync\", \"scope\": \"device\", \"host\": \"h\"}",
          0);
    /* another host's synchronization may come in between */
    prove("",
          KERNEL("A", "1", "1, \"waits_for\": [\"B\"], ")
              HOST("h", "},") "{\"kind\": \"sync\", \"scope\": \"device\", \"host\": \"g\"}," KERNEL("B", "2", "1, ")
                  HOST("g", "}"),
          1);
}

/* With one connection B may be behind C, which waits for A. */
static void connections(void **state)
{
    (void)state;
#define THREE KERNEL("A", "1", "1, \"waits_for\": [\"B\"]},") KERNEL("C", "1", "1},") KERNEL("B", "2", "1}")
    residency_risk k = prove("\"connections\": 1,", THREE, 1);
    assert_true(k.reason == RESIDENCY_CONNECTION && k.kernel == 2 && k.waiter == 0 && k.between == 1);
    prove("\"connections\": 2,", THREE, 0);
    /* called before C by the same host; without a host only if they are called in the order of the file */
#define WITH(caller)                                                                                                   \
    KERNEL("A", "1", "1, \"waits_for\": [\"B\"]" caller "},")                                                          \
    KERNEL("B", "2", "1" caller "},") KERNEL("C", "1", "1" caller "}")
    prove("\"connections\": 1,", WITH(", \"host\": \"h\""), 0);
    prove("\"connections\": 1,", WITH(""), 1);
    prove_if("\"connections\": 1,", WITH(""), &(needs_assumed){.in_file_order = true}, 0);
}

/* Of two copies behind A each lets a kernel start, which wait in connections of their own: B is behind one of them. */
static void chains(void **state)
{
    (void)state;
#define COPY(label)                                                                                                    \
    "{\"kind\": \"copy\", \"direction\": \"d2h\", \"bytes\": 4096, \"label\": \"" label                                \
    "\", \"stream\": 1, \"graph\": \"g\", \"after\": [\"A\"]},"
#define NODE(label, more) KERNEL(label, "1", "1, \"graph\": \"g\", " more "},")
#define FORK                                                                                                           \
    NODE("A", "\"waits_for\": [\"B\"]")                                                                                \
    COPY("c") COPY("d") NODE("C", "\"after\": [\"c\"]") NODE("D", "\"after\": [\"d\"]") KERNEL("B", "2", "1}")
    residency_risk k = prove("\"connections\": 2,", FORK, 1);
    assert_true(k.reason == RESIDENCY_CONNECTION && k.kernel == 5 && k.waiter == 0 && k.between == 3);
    prove("\"connections\": 3,", FORK, 0);
}

static void remedies(void **state)
{
    (void)state;
    residency r;
    residency_remedy found[REMEDIES_MAX];
    size_t count;
    gcast_error err;
    gcast_gpu *gpu = four_sms();
    gcast_workload *w = workload_of("", KERNEL("A", "1", "9, \"waits_for\": [\"A\"]}"));
    assert_ok(residency_prove(w, gpu, NULL, &r, &err), &err);
    assert_ok(remedies_find(w, gpu, &r, found, &count, &err), &err);
    assert_int_equal(count, 1);
    assert_true(found[0].kind == REMEDY_BLOCKS && found[0].op == 0 && found[0].value == 8);
    residency_free(&r);
    gcast_workload_free(w);
    w = workload_of("", KERNEL("A", "1", "8, \"waits_for\": [\"B\"]},") KERNEL("B", "2", "1}"));
    assert_ok(residency_prove(w, gpu, NULL, &r, &err), &err);
    assert_ok(remedies_find(w, gpu, &r, found, &count, &err), &err);
    assert_int_equal(count, 2);
    assert_true(found[0].kind == REMEDY_ORDER && found[0].op == 0 && found[0].other == 1);
    assert_true(found[1].kind == REMEDY_BLOCKS && found[1].op == 0 && found[1].value == 7);
    residency_free(&r);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

/* Does a remedy reserve SMs? B needs an SM for itself, which A's blocks may not leave; `keys` are further ones of B. */
static bool reserves_sms(const char *keys)
{
    residency r;
    residency_remedy found[REMEDIES_MAX];
    size_t count;
    gcast_error err;
    char ops[1000];
    bool reserves = false;
    gcast_gpu *gpu = four_sms();
    snprintf(ops, sizeof ops,
             KERNEL("A", "1", "4, \"waits_for\": [\"B\"]},") KERNEL("B", "2", "1, \"static_smem\": 100000%s}"), keys);
    gcast_workload *w = workload_of("", ops);
    assert_ok(residency_prove(w, gpu, NULL, &r, &err), &err);
    assert_ok(remedies_find(w, gpu, &r, found, &count, &err), &err);
    for (size_t i = 0; i < count; i++)
        reserves = reserves || (found[i].kind == REMEDY_SMS && found[i].value == 2);
    assert_true(count > 0);
    residency_free(&r);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
    return reserves;
}

/* Kernels that have SMs of their own keep them. */
static void reserved_sms(void **state)
{
    (void)state;
    assert_true(reserves_sms(""));
    assert_false(reserves_sms(", \"allowed_sms\": [3]"));
}

static void refused(void **state)
{
    (void)state;
    residency r;
    gcast_error err;
    gcast_gpu *gpu = four_sms();
    gcast_workload *w = workload_of("", KERNEL("A", "0", "1, \"waits_for\": [\"A\"]}"));
    assert_int_equal(residency_prove(w, gpu, NULL, &r, &err), GCAST_INPUT);
    assert_string_equal(err.message, "A is in the NULL stream, which residency does not cover");
    gcast_workload_free(w);
    w = workload_of("", KERNEL("A", "1", "1, \"host\": \"h\"},") KERNEL("B", "1", "1, \"host\": \"g\"}"));
    assert_int_equal(residency_prove(w, gpu, NULL, &r, &err), GCAST_INPUT);
    gcast_workload_free(w);
    gcast_gpu_free(gpu);
}

/* Random blocks of two waiters on random SMs: where the sums say that a head has room, it has. */
static void room_holds(void **state)
{
    (void)state;
    support_random random = {7};
    gcast_gpu *gpus[] = {gpu_of("h200"), gpu_of("tx2")};
    size_t shown = 0, blocked = 0;
    for (int round = 0; round < 20000; round++) {
        const gcast_gpu *gpu = gpus[round % 2];
        enum { SMS = 4 };
        sm_state sms[SMS];
        sm_demand d[3];
        room_kernel k[3];
        int64_t placed[2] = {0, 0};
        room_amounts sm = room_of_sm(gpu);
        for (int i = 0; i < 3; i++) {
            gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
            op.shape.threads = (int)support_between(&random, 1, 32) * 32;
            op.shape.registers = (int)support_between(&random, 0, 64);
            op.shape.static_smem = support_between(&random, 0, 1) * support_between(&random, 0, 40000);
            d[i] = sm_demand_of(gpu, &op);
            k[i] = room_of_kernel(gpu, &op, &sm);
        }
        for (int i = 0; i < SMS; i++)
            sm_empty(gpu, &sms[i]);
        for (int tries = (int)support_between(&random, 0, 60); tries > 0; tries--) {
            int i = (int)support_between(&random, 0, 1), at = (int)support_between(&random, 0, SMS - 1);
            if (!sm_fit_count(&sms[at], &d[i]))
                continue;
            sm_take(&sms[at], &d[i], 1);
            placed[i]++;
        }
        int64_t capacity = 0;
        for (int i = 0; i < SMS; i++)
            capacity += sm_fit_count(&sms[i], &d[2]);
        room_waiter waiters[] = {{&k[0], placed[0]}, {&k[1], placed[1]}};
        int64_t together = support_between(&random, 1, 8);
        room_head one = {&k[2], 1, false, SMS}, all = {&k[2], together, true, SMS};
        bool one_shown = room_is_left(&sm, &one, waiters, 2, false);
        bool all_shown = room_is_left(&sm, &all, waiters, 2, false);
        assert_true(!one_shown || capacity >= 1);
        assert_true(!all_shown || capacity >= together);
        shown += one_shown;
        blocked += capacity == 0;
    }
    assert_true(shown > 1000 && blocked > 1000);
    gcast_gpu_free(gpus[0]);
    gcast_gpu_free(gpus[1]);
}

/* The same on SMs whose shared memory has the size that a kernel chose which found them empty, and has ended since. */
static void room_holds_in_carveouts(void **state)
{
    (void)state;
    support_random random = {11};
    gcast_gpu *gpu = gpu_of("h200");
    size_t shown = 0, blocked = 0;
    for (int round = 0; round < 20000; round++) {
        enum { SMS = 3, KERNELS = 4, HEAD = 2, GONE = 3 };
        sm_state sms[SMS];
        sm_set set = {.largest = gpu->limits.smem_per_sm};
        sm_demand d[KERNELS];
        room_kernel k[KERNELS];
        int64_t placed[2] = {0, 0}, capacity = 0;
        room_amounts sm = room_of_sm(gpu);
        for (int i = 0; i < KERNELS; i++) {
            gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
            op.shape.threads = (int)support_between(&random, 1, 32) * 32;
            op.shape.dynamic_smem = support_between(&random, 0, 1) * support_between(&random, 0, 150000);
            op.carveout = support_between(&random, 0, 2) ? GCAST_OP_CARVEOUT_DRIVER : GCAST_OP_CARVEOUT_MOST;
            d[i] = sm_demand_of(gpu, &op);
            k[i] = room_of_kernel(gpu, &op, &sm);
        }
        room_mix_sizes(k, KERNELS);
        for (int at = 0; at < SMS; at++) {
            bool first = support_between(&random, 0, 1);
            sm_empty(gpu, &sms[at]);
            sms[at].resident = 0;
            if (first) {
                sm_resize(&sms[at], &d[GONE]);
                sm_take(&sms[at], &d[GONE], 1);
            }
            for (int tries = (int)support_between(&random, 0, 8); tries > 0; tries--) {
                int i = (int)support_between(&random, 0, 1);
                if (!sm_fits(&sms[at], &d[i]) || !sm_fit_count_by_carveout(&set, &sms[at], &d[i]))
                    continue;
                sm_resize(&sms[at], &d[i]);
                sm_take(&sms[at], &d[i], 1);
                placed[i]++;
            }
            if (first)
                sm_release(&sms[at], &d[GONE], 1, 0);
            capacity += sm_fits(&sms[at], &d[HEAD]) && sm_fit_count_by_carveout(&set, &sms[at], &d[HEAD]);
        }
        room_waiter waiters[] = {{&k[0], placed[0]}, {&k[1], placed[1]}};
        room_head one = {&k[HEAD], 1, false, SMS};
        bool one_shown = room_is_left(&sm, &one, waiters, 2, true);
        assert_true(!one_shown || capacity >= 1);
        shown += one_shown;
        blocked += capacity == 0;
    }
    assert_true(shown > 1000 && blocked > 1000);
    gcast_gpu_free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size),
        cmocka_unit_test(two_waves),
        cmocka_unit_test(others),
        cmocka_unit_test(hosts),
        cmocka_unit_test(connections),
        cmocka_unit_test(chains),
        cmocka_unit_test(remedies),
        cmocka_unit_test(reserved_sms),
        cmocka_unit_test(refused),
        cmocka_unit_test(room_holds),
        cmocka_unit_test(room_holds_in_carveouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
