#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "files/workload_formats.h"
#include "support/each_file.h"
#include "support/same_workload.h"

static size_t written;

/* A workload that can be written is the same when it is read. */
static void round_trip(const char *path)
{
    gcast_error err;
    gcast_workload *w, *reread;
    size_t size;
    char *text = support_read(path, &size), *out;
    assert_ok(gcast_workload_read(text, size, path, NULL, &w, &err), &err);
    if (gcast_workload_write_examiner(w, &out, &size, &err) == GCAST_OK) {
        assert_ok(gcast_workload_read(out, size, "again", NULL, &reread, &err), &err);
        assert_null(workload_difference(w, reread));
        gcast_workload_free(reread);
        free(out);
        written++;
    } else {
        assert_null(out);
        assert_int_equal(err.code, GCAST_INPUT);
    }
    gcast_workload_free(w);
    free(text);
}

static void configurations_round_trip(void **state)
{
    (void)state;
    written = 0;
    assert_int_equal(each_file("tests/data/examiner", ".json", round_trip), 102);
    /* The others have unknown durations, nest processes, or mask kernels of one stream differently. */
    assert_int_equal(written, 77);
}

static void refuse(const char *ops, const char *message)
{
    char text[2000], expected[600];
    gcast_workload *w;
    gcast_error err;
    size_t size;
    char *out;
    snprintf(text, sizeof text, "{\"schema\": \"gridcast.workload/1\", %s}", ops);
    assert_ok(gcast_workload_read(text, strlen(text), "t.json", NULL, &w, &err), &err);
    assert_int_equal(gcast_workload_write_examiner(w, &out, &size, &err), GCAST_INPUT);
    snprintf(expected, sizeof expected, "X cannot be an examiner benchmark: %s", message);
    assert_string_equal(err.message, expected);
    assert_string_equal(err.file, "t.json");
    gcast_workload_free(w);
}

#define KERNEL(label, more)                                                                                            \
    "{\"kind\": \"kernel\", \"label\": \"" label "\", \"grid\": 1, \"block\": 1, \"stream\": 1, " more "}"

static void refuses_other_workloads(void **state)
{
    (void)state;
    refuse("\"ops\": [" KERNEL("X", "\"duration_ns\": 5, \"registers\": 2") "]",
           "it has registers, dynamic_smem or barriers");
    refuse("\"ops\": [" KERNEL("X", "\"duration_ns\": 5, \"carveout\": \"driver\"") "]", "it has a carveout");
    refuse("\"ops\": [" KERNEL("X", "\"duration_ns\": 5, \"static_smem\": 4") "]",
           "static_smem is not 16384, 32768 or 40960");
    refuse("\"ops\": [" KERNEL("X", "\"duration_ns\": {\"min\": 1, \"max\": 2}") "]", "it has no single duration");
    refuse("\"ops\": [" KERNEL("X", "\"duration_ns\": 5, \"allowed_sms\": [64]") "]",
           "allowed_sms is not of whole TPCs among the first 64");
    refuse("\"ops\": [" KERNEL("X", "\"duration_ns\": 5, \"host\": \"h\", \"host_waits\": true") "]",
           "host_waits is for copies and memsets of the NULL stream");
    refuse("\"ops\": [" KERNEL("A", "\"duration_ns\": 5, \"release_ns\": 9") ", " KERNEL("X", "\"duration_ns\": 5") "]",
           "it is released before the op in front of it");
    refuse("\"ops\": [{\"kind\": \"barrier\", \"label\": \"X\", \"host\": \"h\", \"barrier\": 1}]", "it is a barrier");
    refuse("\"ops\": [{\"kind\": \"free\", \"label\": \"X\"}]", "it needs a host");
    refuse("\"ops\": [" KERNEL("A", "\"duration_ns\": 5, \"host\": \"h\"") ", " KERNEL(
               "X", "\"duration_ns\": 5, \"host\": \"g\"") "]",
           "its host has several streams, or its stream several hosts");
    refuse("\"streams\": [{\"id\": 1, \"priority\": 1}], \"ops\": [" KERNEL("X", "\"duration_ns\": 5") "]",
           "its stream has that priority");
    refuse("\"tasks\": [{\"name\": \"t\", \"stream\": 1, \"period_ns\": 5, \"ops\": [{\"kind\": \"memset\", \"label\": "
           "\"X\", \"bytes\": 1}]}]",
           "it is in a task");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configurations_round_trip),
        cmocka_unit_test(refuses_other_workloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
