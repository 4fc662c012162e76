/* Readers of profiles: what is in real files, in pieces of any size, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/kineto/kineto_read.h"
#include "profile/make/kernel_labels.h"
#include "profile/nsys/nsys_read.h"
#include "profile/profile_findings.h"
#include "profile/read_profile.h"
#include "profile/reading.h"
#include "support/support.h"

#define DATA SOURCE_DIR "/tests/data/profiles/"

static prof_trace *read_trace(const char *path)
{
    prof_trace *t;
    gcast_error err;
    assert_ok(prof_read(path, NULL, &t, &err), &err);
    return t;
}

/* A wait of stream 24 for what was recorded in stream 20. */
static void test_kineto_events(void **state)
{
    (void)state;
    prof_trace *t = read_trace(DATA "event-sync.json.gz");
    assert_int_equal(t->op_count, 6);
    assert_int_equal(t->gpu_count, 8);
    assert_string_equal(t->gpus[0].name, "NVIDIA A100-PG509-200");
    assert_int_equal(t->gpus[0].sms, 108);
    const prof_op *op = &t->ops[1];
    assert_string_equal(op->name, "ampere_sgemm_128x64_nn");
    assert_int_equal(op->end_ns - op->start_ns, 123000);
    assert_int_equal(op->grid[1], 16);
    assert_int_equal(op->registers, 122);
    assert_int_equal(op->static_smem, 12544);
    assert_int_equal(t->streams[op->stream].number, 20);
    assert_string_equal(t->calls[op->call].name, "cudaLaunchKernel");
    size_t waits = 0;
    for (size_t i = 0; i < t->call_count; i++) {
        const prof_call *c = &t->calls[i];
        if (c->kind != PROF_CALL_STREAM_WAIT)
            continue;
        waits++;
        assert_int_equal(t->streams[c->stream].number, 24);
        assert_string_equal(t->calls[c->record].name, "cudaEventRecord");
        assert_int_equal(t->streams[t->calls[c->record].stream].number, 20);
    }
    assert_int_equal(waits, 1);
    prof_trace_free(t);
}

/* Bytes that come one by one, or in any pieces, give the same. */
static void test_kineto_pieces(void **state)
{
    (void)state;
    size_t size;
    char *text = support_read("fuzz/corpus/kineto/all.json", &size);
    for (size_t piece = 1; piece < 40; piece += 6) {
        prof_trace *t, *whole;
        gcast_error err;
        assert_ok(prof_trace_create("pieces", &t, &err), &err);
        kineto_text *k = kineto_text_open("pieces", t, &err);
        assert_non_null(k);
        for (size_t i = 0; i < size; i += piece)
            assert_ok(kineto_text_feed(k, text + i, size - i < piece ? size - i : piece), &err);
        assert_ok(kineto_text_end(k), &err);
        kineto_text_close(k);
        assert_ok(prof_trace_finish(t, &err), &err);
        assert_ok(kineto_read_memory("whole", text, size, &whole, &err), &err);
        assert_int_equal(t->op_count, 5);
        assert_int_equal(t->op_count, whole->op_count);
        assert_int_equal(t->call_count, whole->call_count);
        for (size_t i = 0; i < t->op_count; i++) {
            assert_string_equal(t->ops[i].name, whole->ops[i].name);
            assert_int_equal(t->ops[i].start_ns, whole->ops[i].start_ns);
        }
        prof_trace_free(t);
        prof_trace_free(whole);
    }
    free(text);
}

static void refuse_text(const char *text, const char *part)
{
    prof_trace *t;
    gcast_error err;
    assert_int_equal(kineto_read_memory("t", text, strlen(text), &t, &err), GCAST_INPUT);
    assert_null(t);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" is not in \"%s\"", part, err.message);
}

static void test_kineto_refused(void **state)
{
    (void)state;
    refuse_text("", "ends early");
    refuse_text("{\"traceEvents\": [", "ends early");
    refuse_text("{\"traceEvents\": [{]}", "error");
    refuse_text("{\"a\": 1}", "no traceEvents");
    refuse_text("7", "no traceEvents");
    refuse_text(
        "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": 99999999999999999999}]}",
        "too large");
    refuse_text("{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 1, "
                "\"ts\": 1, \"dur\": 1, "
                "\"args\": {\"stream\": 1}}]}",
                "no grid and block");
}

/* A name that ends before its start is left out, and found. */
static void test_backwards(void **state)
{
    (void)state;
    static const char text[] =
        "[{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 1, \"ts\": 1, \"dur\": -1, "
        "\"args\": {\"device\": 0, \"stream\": 1, \"grid\": [1,1,1], \"block\": [32,1,1]}}]";
    prof_trace *t;
    gcast_error err;
    char sentence[200];
    assert_ok(kineto_read_memory("t", text, strlen(text), &t, &err), &err);
    assert_int_equal(t->op_count, 0);
    finding_print(&t->findings[0], sentence, sizeof sentence);
    assert_string_equal(sentence, "1 record with an end before the start: left out (k)");
    prof_trace_free(t);
}

/* Schema 2.9: calls are recorded twice, and the NULL stream has a table of its own. */
static void test_nsys_old(void **state)
{
    (void)state;
    prof_trace *t = read_trace(DATA "saxpy.sqlite");
    assert_string_equal(t->writer, "Nsight Systems 2022.2.1.31, schema 2.9.1");
    assert_int_equal(t->op_count, 20);
    assert_string_equal(t->gpus[0].name, "NVIDIA A100-SXM4-40GB");
    assert_int_equal(t->gpus[0].threads_per_sm, 2048);
    for (size_t i = 0; i < t->op_count; i++) {
        const prof_op *op = &t->ops[i];
        assert_int_not_equal(op->call, PROF_NONE);
        assert_int_equal(t->calls[op->call].op_count, 1);
        assert_true(t->calls[op->call].start_ns < op->start_ns);
        assert_int_equal(t->streams[op->stream].kind, PROF_STREAM_NULL);
    }
    prof_trace_free(t);
}

static void test_nsys_new(void **state)
{
    (void)state;
    prof_trace *t = read_trace(DATA "h100-two-gpus.sqlite");
    assert_int_equal(t->gpu_count, 0);
    size_t told = 0;
    for (size_t i = 0; i < t->call_count; i++)
        told += t->calls[i].kind == PROF_CALL_STREAM_WAIT && t->calls[i].stream != PROF_NONE;
    assert_int_equal(told, 8);
    const prof_op *op = &t->ops[2];
    assert_int_equal(op->smem_executed, 32768);
    assert_int_equal(op->registers, 32);
    assert_int_equal(t->streams[op->stream].pid, 111);
    prof_trace_free(t);
    t = read_trace(DATA "cloverleaf.sqlite");
    assert_int_equal(t->streams[t->ops[0].stream].kind, PROF_STREAM_NULL);
    assert_true(t->streams[t->ops[0].stream].priority_known);
    prof_trace_free(t);
}

/* A kernel's table without a column that is needed; and any byte of a database changed. */
static void test_nsys_damaged(void **state)
{
    (void)state;
    size_t size;
    char *bytes = support_read("fuzz/corpus/nsys/small.sqlite", &size);
    prof_trace *t;
    gcast_error err;
    assert_ok(nsys_read_memory("n", bytes, size, &t, &err), &err);
    assert_int_equal(t->op_count, 3);
    prof_trace_free(t);
    for (size_t i = 16; i < size; i += 7) {
        char saved = bytes[i];
        bytes[i] = (char)(saved ^ 0x55);
        gcast_status status = nsys_read_memory("n", bytes, size, &t, &err);
        assert_true(status == GCAST_OK || status == GCAST_INPUT);
        prof_trace_free(t);
        bytes[i] = saved;
    }
    for (size_t cut = 0; cut < size; cut += 100)
        if (nsys_read_memory("n", bytes, cut, &t, &err) == GCAST_OK)
            prof_trace_free(t);
    size_t column = 0;
    while (column + 5 < size && memcmp(bytes + column, "gridX", 5) != 0)
        column++;
    assert_true(column + 5 < size);
    bytes[column + 4] = 'W';
    assert_int_equal(nsys_read_memory("n", bytes, size, &t, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "has no column gridX"));
    free(bytes);
}

static void test_short_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"void at::native::(anonymous namespace)::layer_norm<c10::Half, float, false>(int, float*)", "layer_norm"},
        {"ampere_sgemm_128x64_nn", "ampere_sgemm_128x64_nn"},
        {"void f<a::b<1>, (c)2>(d (*)(e))", "f"},
        {"saxpy(int, float, float *, float *)", "saxpy"},
        {"void k<{lambda(int)#1}>({lambda(int)#1})", "k"},
        {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int>(int)", "kernel"},
        {"_Z3foov", "_Z3foov"},
        {"", "kernel"},
        {"<unclosed", "<unclosed"},
        {"(x)", "(x)"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char out[SHORT_NAME_SIZE];
        short_name(names[i][0], out);
        assert_string_equal(out, names[i][1]);
    }
}

static void test_decimals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
        bool ok, whole;
    } numbers[] = {
        {"3908101808913.587", 3908101808913587, true, false},
        {"12", 12000, true, true},
        {"1.0", 1000, true, true},
        {"-0.5", -500, true, false},
        {"1.23456", 1234, true, false},
        {"1e3", 1000000, true, true},
        {"99999999999999999999", 0, false, true},
        {"2305843009213693", 2305843009213693000, true, true},
        {"9305843009213693", 0, false, true},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        int64_t value = 0;
        bool whole;
        assert_int_equal(decimal_parse(numbers[i].text, strlen(numbers[i].text), 3, &value, &whole), numbers[i].ok);
        if (numbers[i].ok) {
            assert_true(value == numbers[i].value);
            assert_int_equal(whole, numbers[i].whole);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kineto_events),  cmocka_unit_test(test_kineto_pieces),
        cmocka_unit_test(test_kineto_refused), cmocka_unit_test(test_backwards),
        cmocka_unit_test(test_nsys_old),       cmocka_unit_test(test_nsys_new),
        cmocka_unit_test(test_nsys_damaged),   cmocka_unit_test(test_short_names),
        cmocka_unit_test(test_decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
