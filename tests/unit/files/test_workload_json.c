#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "{\"schema\": \"gridcast.workload/1\", "

static gcast_workload *read_text(const char *text)
{
    gcast_workload *w;
    gcast_error err;
    assert_ok(gcast_workload_read(text, strlen(text), "t.json", NULL, &w, &err), &err);
    return w;
}

static void refuse(const char *text, const char *path, const char *message)
{
    gcast_workload *w;
    gcast_error err;
    assert_int_equal(gcast_workload_read(text, strlen(text), "t.json", NULL, &w, &err), GCAST_INPUT);
    assert_null(w);
    assert_string_equal(err.message, message);
    assert_string_equal(err.path, path);
    assert_string_equal(err.file, "t.json");
}

static void reads_every_key(void **state)
{
    (void)state;
    size_t size;
    char *text = support_read("tests/cases/read-everything/in.json", &size);
    gcast_workload *w;
    gcast_error err;
    assert_ok(gcast_workload_read(text, size, "all", NULL, &w, &err), &err);
    assert_string_equal(w->name, "all keys");
    assert_string_equal(w->gpu->name, "tx2");
    assert_int_equal(w->partition_sms, 1);
    assert_int_equal(w->connections, 4);
    assert_int_equal(w->stream_count, 3);
    assert_int_equal(w->streams[0].priority, -1);
    assert_true(w->streams[0].blocking);
    assert_false(w->streams[1].blocking);
    assert_int_equal(w->host_count, 2);
    assert_string_equal(w->hosts[1], "B");
    const gcast_op *k = &w->ops[0];
    assert_int_equal(k->release_ns, 5);
    assert_int_equal(k->delay_ns, 6);
    assert_int_equal(k->skip_ns, 7);
    assert_true(k->host_waits);
    assert_int_equal(k->blocks, 2);
    assert_int_equal(k->shape.threads, 128);
    assert_int_equal(k->shape.registers, 32);
    assert_int_equal(k->shape.static_smem, 1024);
    assert_int_equal(k->shape.dynamic_smem, 2048);
    assert_int_equal(k->shape.barriers, 2);
    assert_int_equal(k->min_ns, 10);
    assert_int_equal(k->max_ns, 20);
    assert_int_equal(k->body, GCAST_BODY_TIMER_SPIN);
    assert_int_equal(w->masks[k->mask].word[0], 3);
    assert_int_equal(w->ops[1].block_ns[1], 4);
    assert_int_equal(w->ops[2].direction, GCAST_D2H);
    assert_int_equal(w->ops[2].max_ns, 99);
    assert_int_equal(w->ops[3].max_ns, GCAST_UNKNOWN_NS);
    assert_int_equal(w->ops[6].stream, 1);
    assert_int_equal(w->ops[7].stream, -1);
    assert_int_equal(w->ops[9].barrier, 4);
    assert_int_equal(w->once_count, 10);
    assert_int_equal(w->tasks[0].deadline_ns, 30);
    assert_int_equal(w->tasks[0].op_count, 2);
    assert_int_equal(w->ops[11].task, 0);
    assert_int_equal(w->ops[11].stream, 1);
    gcast_workload_free(w);
    free(text);
}

static void defaults(void **state)
{
    (void)state;
    gcast_workload *w = read_text(HEAD "\"ops\": [{\"kind\": \"kernel\", \"stream\": 4, \"grid\": 1, \"block\": 1}],"
                                       "\"tasks\": [{\"name\": \"t\", \"stream\": 4, \"period_ns\": 9, \"ops\": ["
                                       "{\"kind\": \"memset\", \"bytes\": 8}]}]}");
    assert_null(w->gpu);
    assert_int_equal(w->connections, -1);
    assert_string_equal(w->ops[0].label, "kernel-0");
    assert_int_equal(w->ops[0].host, GCAST_NO_HOST);
    assert_int_equal(w->ops[0].skip_ns, GCAST_NEVER);
    assert_int_equal(w->ops[0].mask, GCAST_ALL_SMS);
    assert_int_equal(w->ops[0].body, GCAST_BODY_SPIN);
    assert_int_equal(w->ops[0].carveout, GCAST_OP_CARVEOUT_MOST);
    assert_int_equal(w->ops[0].max_ns, GCAST_UNKNOWN_NS);
    assert_int_equal(w->tasks[0].deadline_ns, 9);
    assert_string_equal(w->ops[1].label, "memset-1");
    gcast_workload_free(w);
}

static void gpu_in_full(void **state)
{
    (void)state;
    gcast_workload *w = read_text(
        HEAD
        "\"gpu\": {\"schema\": \"gridcast.gpu/1\", \"name\": \"mine\", \"cc\": \"7.0\", \"sms\": 3}, \"ops\": []}");
    assert_string_equal(w->gpu->name, "mine");
    assert_int_equal(w->gpu->sms, 3);
    gcast_workload_free(w);
}

static void streams_that_are_not_listed(void **state)
{
    (void)state;
    gcast_workload *w =
        read_text(HEAD "\"streams\": [{\"id\": 1}], \"ops\": [{\"kind\": \"memset\", \"stream\": 0, \"bytes\": 1}]}");
    assert_int_equal(w->stream_count, 2);
    gcast_workload_free(w);
    refuse(HEAD "\"streams\": [{\"id\": 1}], \"ops\": [{\"kind\": \"memset\", \"stream\": 2, \"bytes\": 1}]}",
           "/ops/0/stream", "stream 2 is not in /streams");
    refuse(HEAD "\"streams\": [{\"id\": 0, \"blocking\": false}], \"ops\": []}", "/streams/0",
           "stream 0, the NULL stream, is always blocking");
}

static void refuses_keys_in_tasks(void **state)
{
    (void)state;
    refuse(HEAD "\"tasks\": [{\"name\": \"t\", \"stream\": 4, \"period_ns\": 9, \"ops\": ["
                "{\"kind\": \"memset\", \"bytes\": 8, \"host\": \"h\"}]}]}",
           "/tasks/0/ops/0/host", "an operation of a task cannot have host");
    refuse(HEAD "\"tasks\": [{\"name\": \"t\", \"stream\": 4, \"period_ns\": 0, \"ops\": []}]}", "/tasks/0/period_ns",
           "must be from 1 to 2305843009213693951");
}

static void latencies_in_tasks(void **state)
{
    (void)state;
    gcast_workload *w = read_text(HEAD "\"tasks\": [{\"name\": \"t\", \"stream\": 4, \"period_ns\": 9, \"ops\": ["
                                       "{\"kind\": \"memset\", \"bytes\": 8, \"extra_latency_ns\": 7}]}]}");
    assert_int_equal(w->ops[0].extra_latency_ns, 7);
    gcast_workload_free(w);
}

static void carveouts(void **state)
{
    (void)state;
    gcast_workload *w = read_text(
        HEAD "\"ops\": [{\"kind\": \"kernel\", \"stream\": 4, \"grid\": 1, \"block\": 1, \"carveout\": \"driver\"}],"
             "\"tasks\": [{\"name\": \"t\", \"stream\": 4, \"period_ns\": 9, \"ops\": ["
             "{\"kind\": \"kernel\", \"grid\": 1, \"block\": 1, \"carveout\": \"most\"}]}]}");
    assert_int_equal(w->ops[0].carveout, GCAST_OP_CARVEOUT_DRIVER);
    assert_int_equal(w->ops[1].carveout, GCAST_OP_CARVEOUT_MOST);
    gcast_workload_free(w);
    refuse(HEAD "\"ops\": [{\"kind\": \"kernel\", \"stream\": 4, \"grid\": 1, \"block\": 1, \"carveout\": \"max\"}]}",
           "/ops/0/carveout", "must be most or driver");
    refuse(HEAD "\"ops\": [{\"kind\": \"memset\", \"stream\": 4, \"bytes\": 1, \"carveout\": \"most\"}]}",
           "/ops/0/carveout", "a memset has no carveout");
}

static void refuses_other_things(void **state)
{
    (void)state;
    refuse(HEAD "\"ops\": 5}", "/ops", "must be an array");
    refuse(HEAD "\"ops\": [5]}", "/ops/0", "must be an object");
    refuse(HEAD "\"gpu\": 5, \"ops\": []}", "/gpu", "must be the name of a GPU or an object");
    refuse(HEAD "\"ops\": [{\"kind\": \"launch\"}]}", "/ops/0/kind",
           "must be kernel, copy, memset, malloc, free, sync or barrier");
    refuse(HEAD "\"ops\": [{\"kind\": \"sync\", \"stream\": 1, \"scope\": \"device\"}]}", "/ops/0",
           "a device sync has no stream");
    refuse(HEAD "\"ops\": [{\"kind\": \"sync\"}]}", "/ops/0", "stream is missing");
    refuse(HEAD "\"ops\": [{\"kind\": \"copy\", \"stream\": 1, \"direction\": \"up\", \"bytes\": 1}]}",
           "/ops/0/direction", "must be h2d, d2h or d2d");
    refuse("[]", "", "must be a JSON object");
    refuse(" \n", "", "the file is empty");
}

static void syntax_errors_have_a_place(void **state)
{
    (void)state;
    gcast_workload *w;
    gcast_error err;
    const char *text = HEAD "\n\"ops\": [}";
    assert_int_equal(gcast_workload_read(text, strlen(text), "t.json", NULL, &w, &err), GCAST_INPUT);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 9);
    /* The bytes need not end in NUL, and an error needs no gcast_error. */
    char *bare = malloc(3);
    memcpy(bare, "{\"s", 3);
    assert_int_equal(gcast_workload_read(bare, 3, "t.json", NULL, &w, NULL), GCAST_INPUT);
    free(bare);
}

static void many_ops_and_streams(void **state)
{
    (void)state;
    const size_t n = 20000;
    char *text = malloc(n * 100 + 100), *p = text;
    p += sprintf(p, HEAD "\"ops\": [");
    for (size_t i = 0; i < n; i++)
        p += sprintf(p, "%s{\"kind\":\"memset\",\"label\":\"m%zu\",\"stream\":%zu,\"host\":\"h%zu\",\"bytes\":1}",
                     i ? "," : "", i, i + 1, i % 1000);
    p += sprintf(p, "]}");
    gcast_workload *w = read_text(text);
    assert_int_equal(w->op_count, n);
    assert_int_equal(w->stream_count, n);
    assert_int_equal(w->host_count, 1000);
    assert_int_equal(w->ops[n - 1].host, (n - 1) % 1000);
    gcast_workload_free(w);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_key),       cmocka_unit_test(defaults),
        cmocka_unit_test(gpu_in_full),           cmocka_unit_test(streams_that_are_not_listed),
        cmocka_unit_test(refuses_keys_in_tasks), cmocka_unit_test(carveouts),
        cmocka_unit_test(refuses_other_things),  cmocka_unit_test(syntax_errors_have_a_place),
        cmocka_unit_test(many_ops_and_streams),  cmocka_unit_test(latencies_in_tasks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
