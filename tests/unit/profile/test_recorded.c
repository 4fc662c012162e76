/* Recordings from memory: frames that are wrong, cut off, repeated, in another order or of a later version. */
#include <stdlib.h>
#include <string.h>

#include "profile/recorded/recorded.h"
#include "profile/recorded/recorded_format.h"
#include "support/support.h"

#define T INT64_C(1000000000)

typedef struct bytes {
    uint8_t at[1 << 16];
    size_t size;
} bytes;

static void put(bytes *b, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        b->at[b->size++] = (uint8_t)(value >> 8 * i);
}

static void put_frame(bytes *b, unsigned kind, const int64_t *fields, size_t count, const char *text)
{
    put(b, kind, 2);
    put(b, count, 2);
    put(b, strlen(text), 4);
    for (size_t i = 0; i < count; i++)
        put(b, (uint64_t)fields[i], 8);
    memcpy(b->at + b->size, text, strlen(text));
    b->size += (strlen(text) + 7) / 8 * 8;
}

#define FRAME(b, kind, text, ...)                                                                                      \
    put_frame((b), (kind), (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t),   \
              (text))

static bytes *begin(void)
{
    bytes *b = calloc(1, sizeof *b);
    assert_non_null(b);
    memcpy(b->at, RECORDED_MAGIC, strlen(RECORDED_MAGIC));
    b->size = RECORDED_MAGIC_SIZE;
    FRAME(b, RECORDED_PROCESS, "program", 100);
    FRAME(b, RECORDED_TEXT, "cudaLaunchKernel_v7000", 1);
    FRAME(b, RECORDED_TEXT, "scale", 2);
    FRAME(b, RECORDED_TEXT, "cudaEventRecord_v3020", 3);
    FRAME(b, RECORDED_TEXT, "cudaStreamWaitEvent_v3020", 4);
    FRAME(b, RECORDED_CONTEXT, "", 1, 0, 7, 0);
    return b;
}

static void put_call(bytes *b, int64_t start, int64_t end, int64_t correlation, int64_t name)
{
    FRAME(b, RECORDED_CALL, "", T + start, T + end, 100, correlation, name, RECORDED_RUNTIME, 0);
}

static void put_kernel(bytes *b, int64_t start, int64_t end, int64_t correlation)
{
    FRAME(b, RECORDED_KERNEL, "", T + start, T + end, 0, 1, 13, correlation, RECORDED_UNKNOWN, RECORDED_UNKNOWN, 3, 2,
          2, 8, 1, 1, 64, 1, 1);
}

static void put_copy(bytes *b, int64_t start, int64_t end, int64_t device)
{
    FRAME(b, RECORDED_COPY, "", start, end, device, 1, 13, 5, RECORDED_UNKNOWN, RECORDED_UNKNOWN, 3, 64, 1, 2, 3);
}

static prof_trace *read_ok(const bytes *b, recorded_extras *extras)
{
    gcast_error err;
    prof_trace *t = NULL;
    assert_ok(recorded_read_memory("test", b->at, b->size, &t, extras, &err), &err);
    return t;
}

static void refused(const bytes *b, gcast_status status, const char *part)
{
    gcast_error err;
    prof_trace *t = NULL;
    assert_int_equal(recorded_read_memory("test", b->at, b->size, &t, NULL, &err), status);
    assert_null(t);
    assert_string_equal(err.file, "test");
    if (!strstr(err.message, part))
        fail_msg("\"%s\" is not in: %s", part, err.message);
}

static uint64_t found(const prof_trace *t, const char *part)
{
    for (size_t i = 0; i < t->finding_count; i++)
        if (strstr(t->findings[i].text, part))
            return t->findings[i].count;
    return 0;
}

static void test_small(void **state)
{
    (void)state;
    bytes *b = begin();
    put_kernel(b, 50, 90, 5); /* before its call, which is allowed */
    put_call(b, 10, 20, 5, 1);
    FRAME(b, RECORDED_END, "", 8);
    prof_trace *t = read_ok(b, NULL);
    assert_int_equal(t->op_count, 1);
    assert_int_equal(t->ops[0].call, 0);
    assert_string_equal(t->ops[0].name, "scale");
    assert_int_equal(t->ops[0].registers, PROF_UNKNOWN); /* fields that are not there */
    assert_int_equal(t->ops[0].static_smem, PROF_UNKNOWN);
    assert_int_equal(t->ops[0].cluster[0], 0);
    assert_int_equal(t->ops[0].channel, 3);
    assert_int_equal(t->zero_ns, T + 10);
    assert_int_equal(t->finding_count, 0);
    prof_trace_free(t);
    free(b);
}

/* Whatever the file is cut at, it is refused for lack of operations, or read up to there. */
static void test_cut(void **state)
{
    (void)state;
    bytes *b = begin();
    put_call(b, 10, 20, 5, 1);
    put_kernel(b, 50, 90, 5);
    size_t with_kernel = b->size;
    FRAME(b, RECORDED_END, "", 8);
    size_t all = b->size;
    for (b->size = 0; b->size < all; b->size++) {
        gcast_error err;
        prof_trace *t = NULL;
        gcast_status status = recorded_read_memory("test", b->at, b->size, &t, NULL, &err);
        assert_int_equal(status, b->size < with_kernel ? GCAST_INPUT : GCAST_OK);
        if (t)
            assert_int_equal(found(t, "killed"), 1);
        prof_trace_free(t);
    }
    free(b);
}

static void test_refused(void **state)
{
    (void)state;
    bytes *b = begin();
    refused(b, GCAST_INPUT, "has no kernel, copy or memset");
    b->at[0] = 'G';
    refused(b, GCAST_INPUT, "is not a recording");
    b->at[0] = 'g';
    b->at[16] = '2';
    refused(b, GCAST_INPUT, "another version");
    b->at[16] = '1';
    size_t before = b->size;
    put(b, RECORDED_KERNEL, 2);
    put(b, RECORDED_MAX_FIELDS + 1, 2);
    put(b, 0, 4);
    refused(b, GCAST_INPUT, "too many fields");
    b->size = before;
    put(b, RECORDED_TEXT, 2);
    put(b, 0, 2);
    put(b, RECORDED_MAX_TEXT + 1, 4);
    refused(b, GCAST_INPUT, "too long a text");
    b->size = RECORDED_MAGIC_SIZE;
    FRAME(b, RECORDED_TEXT, "x", 1);
    refused(b, GCAST_INPUT, "before those of a process");
    free(b);
}

static void test_notes(void **state)
{
    static const struct {
        int64_t code;
        const char *part;
    } notes[] = {{RECORDED_NOTE_NO_CUPTI, "install a package"},
                 {RECORDED_NOTE_FAILED, "nothing was recorded: why"},
                 {RECORDED_NOTE_OLDER, "older"}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        bytes *b = begin();
        FRAME(b, RECORDED_NOTE, "why", notes[i].code, 1);
        refused(b, GCAST_GPU, notes[i].part);
        put_kernel(b, 50, 90, 5); /* of another process, say */
        prof_trace *t = read_ok(b, NULL);
        assert_int_equal(found(t, "could not be recorded"), 1);
        prof_trace_free(t);
        free(b);
    }
    bytes *b = begin();
    put_kernel(b, 50, 90, 5);
    FRAME(b, RECORDED_NOTE, "", RECORDED_NOTE_DROPPED, 17);
    FRAME(b, RECORDED_NOTE, "callbacks", RECORDED_NOTE_WITHOUT, 1);
    FRAME(b, 4711, "what a later version writes", 1, 2, 3);
    prof_trace *t = read_ok(b, NULL);
    assert_int_equal(found(t, "dropped"), 17);
    assert_int_equal(found(t, "could not be used"), 1);
    prof_trace_free(t);
    free(b);
}

/* What is out of range is left out and told, or not known. */
static void test_hostile(void **state)
{
    (void)state;
    bytes *b = begin();
    put_kernel(b, 50, 90, 5);
    put_kernel(b, 90, 50, 6);
    put_copy(b, 0, 0, 0);
    put_copy(b, T, INT64_MAX, 0);
    put_copy(b, INT64_MIN, T, 0);
    put_copy(b, T, T + 1, INT64_MIN);
    put_call(b, -T, -T, 7, 1);
    put_call(b, 10, 20, INT64_MIN, 1000000);
    put_call(b, 10, 20, -5, -1);
    FRAME(b, RECORDED_KERNEL, "", T, T + 1, 0, 1, 13, 5, 0, 0, 0, 2, 2, 0, 1, 1, 64, 1, 1);
    FRAME(b, RECORDED_KERNEL, "", T, T + 1, 0, 1, 13, 5, 0, 0, 0, 2, 2, INT64_MAX, 1, 1, 64, 1, 1);
    FRAME(b, RECORDED_KERNEL, "", T, T + 1);
    FRAME(b, RECORDED_TEXT, "a number that is not the next", 77);
    FRAME(b, RECORDED_STREAM, "", 1, 13, INT64_MAX, INT64_MAX);
    FRAME(b, RECORDED_STREAM, "", 99, 13, 0, 1);
    FRAME(b, RECORDED_DEVICE, "GPU", INT64_MIN, INT64_MAX, -1, 9, INT64_MAX, INT64_MAX);
    FRAME(b, RECORDED_MARKER, "", 2, T, 1, 100, 1);
    FRAME(b, RECORDED_MARKER, "", 2, INT64_MAX, 2, 100, 1);
    FRAME(b, RECORDED_EDGE, "", 0);
    FRAME(b, RECORDED_NODE, "", 5, 1, 0, 5); /* a clone of itself */
    recorded_extras extras;
    prof_trace *t = read_ok(b, &extras);
    assert_int_equal(t->op_count, 2);
    assert_int_equal(found(t, "without a valid grid"), 3);
    assert_int_equal(found(t, "{operation} without times"), 3);
    assert_int_equal(found(t, "{call} without times"), 1);
    assert_int_equal(found(t, "end before the start"), 1);
    assert_int_equal(found(t, "{range} without an end"), 1);
    assert_int_equal(t->gpus[0].sms, 0);
    assert_int_equal(recorded_origin(&extras, 100, 5), 5);
    recorded_extras_free(&extras);
    prof_trace_free(t);
    free(b);
}

/* Records of an event before 12.8 have no numbers: the last one before the wait counts, whatever the order of frames.
 */
static void test_event_order(void **state)
{
    (void)state;
    bytes *b = begin();
    put_kernel(b, 50, 90, 5);
    for (int64_t c = 10; c < 50; c += 10) {
        put_call(b, c, c + 1, c, 3);
        put_call(b, c + 2, c + 3, c + 5, 4);
    }
    static const int64_t order[] = {30, 10, 40, 20};
    for (size_t i = 0; i < 4; i++) {
        FRAME(b, RECORDED_SYNC, "", 2, T, T, 1, 14, order[i] + 5, 9);
        FRAME(b, RECORDED_EVENT, "", 1, 13, order[i], 9);
    }
    prof_trace *t = read_ok(b, NULL);
    size_t waits = 0;
    for (size_t i = 0; i < t->call_count; i++) {
        const prof_call *c = &t->calls[i];
        if (c->kind != PROF_CALL_STREAM_WAIT)
            continue;
        waits++;
        assert_int_not_equal(c->record, PROF_NONE);
        assert_int_equal(t->calls[c->record].correlation, c->correlation - 5);
        assert_int_equal(t->streams[c->stream].number, 14);
    }
    assert_int_equal(waits, 4);
    prof_trace_free(t);
    free(b);
}

/* Many records of one number must not take long. */
static void test_repeats(void **state)
{
    (void)state;
    size_t count = 200000, frame = RECORDED_HEAD_SIZE + 8 * EVENT_COUNT;
    bytes *b = begin();
    put_kernel(b, 50, 90, 5);
    uint8_t *all = malloc(b->size + count * 2 * frame);
    assert_non_null(all);
    memcpy(all, b->at, b->size);
    size_t size = b->size;
    for (size_t i = 0; i < count; i++) {
        b->size = 0;
        FRAME(b, RECORDED_EVENT, "", 1, 13, 5, 9, 4, 0);
        FRAME(b, RECORDED_SYNC, "", 2, T, T, 1, 14);
        memcpy(all + size, b->at, b->size);
        size += b->size;
    }
    gcast_error err;
    prof_trace *t;
    assert_ok(recorded_read_memory("test", all, size, &t, NULL, &err), &err);
    prof_trace_free(t);
    free(all);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),   cmocka_unit_test(test_cut),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_notes),   cmocka_unit_test(test_hostile), cmocka_unit_test(test_event_order),
        cmocka_unit_test(test_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
