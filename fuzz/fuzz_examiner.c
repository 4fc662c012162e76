/* The examiner's configurations: what reads is a sound workload. */
#include <stdio.h>
#include <stdlib.h>

#include "../tests/support/same_workload.h"
#include "files/workload_formats.h"
#include "gridcast/read.h"

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_workload *w, *reread;
    gcast_error err;
    gcast_read_options options = {.size = sizeof options, .iterations = 20};
    if (gcast_workload_read_examiner((const char *)data, size, "fuzz", &options, &w, &err) != GCAST_OK) {
        check(w == NULL && err.message[0] && err.code != GCAST_OK, "a failure without a message");
        return 0;
    }
    char *text;
    check(gcast_workload_write_native(w, &text, &size, &err) == GCAST_OK, err.message);
    check(gcast_workload_read_native(text, size, "again", &reread, &err) == GCAST_OK, err.message);
    const char *difference = workload_difference(w, reread);
    check(!difference, difference);
    free(text);
    gcast_workload_free(reread);
    gcast_workload_free(w);
    return 0;
}
