/* gridcast.app-costs/1: what is read is in range, and an error has a message. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gridcast/gridcast.h"
#include "papers/apps/apps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const char *message)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

static bool in_range(int64_t ns, int64_t min)
{
    return ns == -1 || (ns >= min && ns <= GCAST_APP_MAX_NS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"BFS", "BFS-graph500", "mandel"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        gcast_app_costs c = gcast_app_costs_default();
        gcast_error err;
        if (gcast_app_costs_read((const char *)data, size, "fuzz", names[i], &c, &err) != GCAST_OK)
            check(err.message[0] && err.code != GCAST_OK, "a failure without a message");
        check(in_range(c.parent_before_ns, 2) && in_range(c.parent_item_ns, 0) && in_range(c.child_thread_ns, 1) &&
                  in_range(c.child_item_ns, 0) && c.round_ns >= 0 && c.round_ns <= GCAST_APP_MAX_NS,
              "a cost out of range");
    }
    return 0;
}
