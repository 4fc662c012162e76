/* gridcast.workload/1: what reads must write, and read back the same. */
#include <stdio.h>
#include <stdlib.h>

#include "../tests/support/same_workload.h"
#include "files/workload_formats.h"
#include "gridcast/read.h"
#include "paths.h"

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gcast_workload *w, *reread, *examiner;
    gcast_error err;
    if (names_a_root_path(data, size))
        return 0;
    if (gcast_workload_read_native((const char *)data, size, FUZZ_FILE, &w, &err) != GCAST_OK) {
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
    if (gcast_workload_write_examiner(w, &text, &size, &err) == GCAST_OK) {
        check(gcast_workload_read_examiner(text, size, "examiner",
                                           &(gcast_read_options){.size = sizeof(gcast_read_options), .gpu = w->gpu},
                                           &examiner, &err) == GCAST_OK,
              err.message);
        check(examiner->op_count == w->op_count, "ops lost on the way to the examiner");
        free(text);
        gcast_workload_free(examiner);
    }
    gcast_workload_free(w);
    return 0;
}
