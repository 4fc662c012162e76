/* libgridcast-record.so in a program, with CUPTI's records of every version (tests/record/stub_cupti.c): what is in the
 * trace that is read of its recording. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/recorded/recorded.h"
#include "support/support.h"

#define FIRST_NS INT64_C(1000000000)
#define MAX_FILES 4

typedef struct recorded {
    char folder[64];
    char *files[MAX_FILES];
    size_t count;
    prof_trace *trace;
    recorded_extras extras;
    gcast_error err;
    gcast_status status;
} recorded;

static void run_program(const char *folder, const char *version, const char *argument)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        setenv("CUDA_INJECTION64_PATH", RECORD_LIBRARY, 1);
        setenv("GRIDCAST_RECORD", folder, 1);
        setenv("GRIDCAST_CUPTI", STUB_CUPTI_LIBRARY, 1);
        setenv("STUB_CUPTI_VERSION", version, 1);
        execl(RECORD_PROGRAM, RECORD_PROGRAM, argument, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static recorded *record(const char *version, const char *argument)
{
    recorded *r = calloc(1, sizeof *r);
    assert_non_null(r);
    strcpy(r->folder, "/tmp/test-record-XXXXXX");
    assert_non_null(mkdtemp(r->folder));
    run_program(r->folder, version, argument);
    DIR *folder = opendir(r->folder);
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder));)
        if (e->d_name[0] != '.' && r->count < MAX_FILES)
            assert_true(asprintf(&r->files[r->count++], "%s/%s", r->folder, e->d_name) > 0);
    closedir(folder);
    r->status =
        recorded_read_files("program", (const char *const *)r->files, r->count, NULL, &r->trace, &r->extras, &r->err);
    return r;
}

static void forget(recorded *r)
{
    prof_trace_free(r->trace);
    recorded_extras_free(&r->extras);
    for (size_t i = 0; i < r->count; i++) {
        unlink(r->files[i]);
        free(r->files[i]);
    }
    rmdir(r->folder);
    free(r);
}

static const prof_call *call_named(const prof_trace *t, const char *name)
{
    for (size_t i = 0; i < t->call_count; i++)
        if (strcmp(t->calls[i].name, name) == 0)
            return &t->calls[i];
    fail_msg("no call %s", name);
    return NULL;
}

static const prof_op *op_at(const prof_trace *t, int64_t start)
{
    for (size_t i = 0; i < t->op_count; i++)
        if (t->ops[i].start_ns == FIRST_NS + start)
            return &t->ops[i];
    fail_msg("no operation starts at %lld", (long long)start);
    return NULL;
}

static uint64_t found(const prof_trace *t, const char *part)
{
    for (size_t i = 0; i < t->finding_count; i++)
        if (strstr(t->findings[i].text, part))
            return t->findings[i].count;
    return 0;
}

static void expect_kernels(const prof_trace *t, uint32_t version)
{
    void *cpp = dlopen("libstdc++.so.6", RTLD_LAZY);
    const prof_op *k = op_at(t, 4000);
    const prof_stream *s = &t->streams[k->stream];
    assert_int_equal(k->kind, GCAST_KIND_KERNEL);
    assert_string_equal(k->name, cpp ? "swap(float*, int)" : "_Z4swapPfi");
    assert_int_equal(k->end_ns, FIRST_NS + 9000);
    assert_true(k->grid[0] == 66 && k->grid[1] == 2 && k->grid[2] == 1);
    assert_true(k->block[0] == 128 && k->block[1] == 2 && k->block[2] == 1);
    assert_int_equal(k->registers, 40);
    assert_int_equal(k->static_smem, 1024);
    assert_int_equal(k->dynamic_smem, 2048);
    assert_int_equal(k->smem_executed, 102400);
    assert_int_equal(k->channel, version >= 17 ? 12 : PROF_UNKNOWN);
    assert_int_equal(k->cluster[0], 0);
    assert_int_equal(k->graph, PROF_UNKNOWN);
    assert_int_equal(k->node, PROF_UNKNOWN);
    assert_false(k->is_cooperative);
    assert_true(s->device == 0 && s->context == 1 && s->number == 13);
    assert_int_equal(s->kind, PROF_STREAM_BLOCKING);
    assert_true(s->priority_known && s->priority == 0);
    assert_string_equal(t->calls[k->call].name, "cudaLaunchKernel_v7000");
    if (cpp)
        dlclose(cpp);
}

/* The driver's call inside has a number of its own, which the kernel and its attributes have. */
static void expect_attributes(const recorded *r)
{
    const prof_trace *t = r->trace;
    const prof_op *k = op_at(t, 10000);
    assert_string_equal(k->name, "together");
    assert_true(k->is_cooperative);
    assert_int_equal(k->call, call_named(t, "cudaLaunchKernelExC_v11060") - t->calls);
    assert_int_equal(t->streams[k->stream].number, 14);
    assert_int_equal(t->streams[k->stream].kind, PROF_STREAM_NON_BLOCKING);
    assert_int_equal(t->streams[k->stream].priority, -5);
    assert_int_equal(r->extras.launch_count, 1);
    const recorded_launch *l = r->extras.launches;
    assert_int_equal(l->correlation, k->correlation);
    assert_true(l->is_programmatic && !l->is_cooperative && l->has_priority);
    assert_int_equal(l->priority, -3);
    assert_true(k->is_programmatic);
    assert_int_equal(found(t, "launch priority"), 1);
}

static void expect_graph(const recorded *r, uint32_t version)
{
    const prof_trace *t = r->trace;
    const prof_op *first = op_at(t, 16000), *second = op_at(t, 22000);
    const prof_call *launch = call_named(t, "cudaGraphLaunch_v10000");
    assert_int_equal(launch->kind, PROF_CALL_GRAPH_LAUNCH);
    assert_int_equal(launch->op_count, 2);
    assert_ptr_equal(&t->ops[launch->first_op], first);
    assert_int_equal(first->node, 201);
    assert_int_equal(second->node, 202);
    assert_int_equal(first->graph, version >= 14 ? 9 : PROF_UNKNOWN);
    assert_int_equal(first->cluster[0], version >= 18 ? 2 : 0);
    const recorded_extras *e = &r->extras;
    int64_t pid = t->streams[first->stream].pid;
    assert_int_equal(e->node_count, 5);
    assert_int_equal(recorded_origin(e, pid, 201), 101);
    assert_int_equal(recorded_origin(e, pid, 202), 102);
    assert_int_equal(recorded_origin(e, pid, 101), 101);
    assert_int_equal(recorded_origin(e, pid, 555), 555);
    assert_int_equal(e->edge_count, 1); /* the other was removed before the graph was used */
    assert_true(e->edges[0].before == 101 && e->edges[0].node == 102 && e->edges[0].graph == 8);
}

static void expect_copies(const prof_trace *t)
{
    const prof_op *copy = op_at(t, 9000), *set = op_at(t, 9800), *peer = op_at(t, 28000);
    assert_true(copy->kind == GCAST_KIND_COPY && copy->bytes == 4096 && copy->direction == GCAST_H2D);
    assert_true(copy->is_pageable && !copy->is_peer);
    assert_int_equal(t->calls[copy->call].kind, PROF_CALL_COPY);
    assert_true(set->kind == GCAST_KIND_MEMSET && set->bytes == 512);
    assert_true(peer->kind == GCAST_KIND_COPY && peer->bytes == 77 && peer->is_peer);
    assert_int_equal(peer->call, PROF_NONE);
}

static void expect_calls(const prof_trace *t)
{
    const prof_call *record = call_named(t, "cudaEventRecord_v3020"),
                    *wait = call_named(t, "cudaStreamWaitEvent_v3020");
    assert_int_equal(t->call_count, 9);
    assert_int_equal(t->thread_count, 1);
    assert_string_equal(t->threads[0].name, "record_program");
    assert_int_equal(t->threads[0].pid, t->threads[0].tid);
    assert_int_equal(record->kind, PROF_CALL_EVENT_RECORD);
    assert_int_equal(record->event, 4);
    assert_int_equal(t->streams[record->stream].number, 13);
    assert_int_equal(wait->kind, PROF_CALL_STREAM_WAIT);
    assert_int_equal(t->streams[wait->stream].number, 14);
    assert_int_equal(wait->record, record - t->calls);
    assert_int_equal(call_named(t, "cudaDeviceSynchronize_v3020")->kind, PROF_CALL_DEVICE_SYNC);
    for (size_t i = 0; i < t->call_count; i++)
        if (t->calls[i].start_ns == FIRST_NS + 7100)
            assert_int_equal(t->calls[i].kind, PROF_CALL_OTHER); /* the launch that failed */
}

static void expect_target(const prof_trace *t)
{
    assert_int_equal(t->gpu_count, 1);
    assert_string_equal(t->gpus[0].name, "Stub GPU");
    assert_int_equal(t->gpus[0].sms, 132);
    assert_true(t->gpus[0].cc_major == 9 && t->gpus[0].cc_minor == 0);
    assert_int_equal(t->gpus[0].threads_per_sm, 2048);
    assert_int_equal(t->gpus[0].blocks_per_sm, 32);
    assert_int_equal(t->gpus[0].registers_per_sm, 65536);
    assert_int_equal(t->gpus[0].smem_per_sm, 233472);
    assert_int_equal(t->gpus[0].memory_bytes, 8 << 20);
    assert_int_equal(t->range_count, 1);
    assert_string_equal(t->ranges[0].name, "all of it");
    assert_int_equal(t->ranges[0].thread, 0);
    assert_int_equal(t->ranges[0].end_ns, FIRST_NS + 100000);
    assert_int_equal(t->zero_ns, FIRST_NS + 1000);
}

static void test_versions(void **state)
{
    (void)state;
    static const char *const versions[] = {"13", "14", "15", "16",     "17",     "18",    "19",
                                           "23", "26", "28", "130001", "130400", "140000"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        uint32_t version = (uint32_t)atoi(versions[i]);
        recorded *r = record(versions[i], "play=1");
        assert_ok(r->status, &r->err);
        expect_kernels(r->trace, version);
        expect_attributes(r);
        expect_graph(r, version);
        expect_copies(r->trace);
        expect_calls(r->trace);
        expect_target(r->trace);
        assert_int_equal(found(r->trace, "newer"), version > 130499);
        assert_int_equal(found(r->trace, "killed"), 0);
        assert_non_null(strstr(r->trace->writer, versions[i]));
        forget(r);
    }
}

/* The event is recorded again and again: each wait is for the record before it. */
static void test_repeated_events(void **state)
{
    (void)state;
    static const char *const versions[] = {"23", "130001"};
    for (size_t i = 0; i < 2; i++) {
        recorded *r = record(versions[i], "play=3");
        assert_ok(r->status, &r->err);
        size_t waits = 0;
        for (size_t k = 0; k < r->trace->call_count; k++) {
            const prof_call *c = &r->trace->calls[k];
            if (c->kind != PROF_CALL_STREAM_WAIT)
                continue;
            waits++;
            assert_int_not_equal(c->record, PROF_NONE);
            assert_int_equal(r->trace->calls[c->record].correlation, c->correlation - 1);
        }
        assert_int_equal(waits, 3);
        forget(r);
    }
}

static void test_unused(void **state)
{
    (void)state;
    recorded *r = record("130001", "play=0");
    assert_int_equal(r->count, 0); /* CUDA was not used */
    forget(r);
}

/* Buffers are handed out while the program runs; one that ends without handlers lacks only its END. */
static void test_killed(void **state)
{
    (void)state;
    recorded *r = record("130001", "quick=0");
    assert_ok(r->status, &r->err);
    assert_int_equal(r->trace->op_count, 7);
    assert_int_equal(found(r->trace, "killed"), 1);
    forget(r);
}

static void test_processes(void **state)
{
    (void)state;
    recorded *r = record("130001", "child");
    assert_ok(r->status, &r->err);
    assert_int_equal(r->count, 2);
    assert_int_equal(r->trace->op_count, 3 * 7);
    assert_int_equal(r->trace->thread_count, 2);
    assert_int_equal(r->trace->gpu_count, 1);
    assert_int_equal(found(r->trace, "killed"), 0);
    for (size_t i = 0; i < r->trace->op_count; i++) {
        const prof_op *op = &r->trace->ops[i];
        if (op->call != PROF_NONE)
            assert_int_equal(r->trace->threads[r->trace->calls[op->call].thread].pid,
                             r->trace->streams[op->stream].pid);
    }
    forget(r);
}

/* A child of fork that ends by exit() has a copy of the recording, and must not write it. */
static void test_fork(void **state)
{
    (void)state;
    recorded *r = record("130001", "fork");
    assert_ok(r->status, &r->err);
    assert_int_equal(r->count, 1);
    assert_int_equal(r->trace->op_count, 7);
    assert_int_equal(found(r->trace, "killed"), 0);
    forget(r);
}

/* A process that executes another program keeps its number: two recordings, not one with calls of the same number. */
static void test_again(void **state)
{
    (void)state;
    recorded *r = record("130001", "again");
    assert_ok(r->status, &r->err);
    assert_int_equal(r->count, 2);
    assert_int_equal(r->trace->op_count, 2 * 7);
    assert_int_equal(r->trace->thread_count, 2);
    assert_int_equal(r->trace->call_count, 2 * 9);
    assert_int_equal(found(r->trace, "number of another call"), 0);
    forget(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions), cmocka_unit_test(test_repeated_events), cmocka_unit_test(test_unused),
        cmocka_unit_test(test_killed),   cmocka_unit_test(test_processes),       cmocka_unit_test(test_fork),
        cmocka_unit_test(test_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
