/* Any bytes as a trace of Kineto: an error is one line, and what is accepted becomes a valid workload. */
#include <stdint.h>

#include "profile/kineto/kineto_read.h"
#include "profile_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prof_trace *t;
    gcast_error err;
    gcast_status status = kineto_read_memory("fuzz", (const char *)data, size, &t, &err);
    if (status != GCAST_OK) {
        check_error(status, &err);
        check(!t);
        return 0;
    }
    check_trace(t);
    check_made(t);
    prof_trace_free(t);
    return 0;
}
