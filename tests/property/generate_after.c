/* Random dependencies: ops that are after others, and tasks whose ops are in several streams. */
#include <stdlib.h>

#include "model/workload/workload.h"
#include "property/generate.h"

#define MAX_NAMED 3

/* May op i be after op n? What cannot be is left to gcast_workload_check. */
static bool may_name(const gcast_workload *w, size_t i, size_t n)
{
    return n != i && w->ops[n].task == w->ops[i].task && gcast_kind_on_gpu(w->ops[n].kind);
}

static void add_after(support_random *r, gcast_workload *w, size_t i)
{
    uint32_t named[MAX_NAMED];
    size_t count = 0;
    gcast_error err;
    for (int tries = 0; tries < 6 && count < MAX_NAMED; tries++) {
        uint32_t n = (uint32_t)support_between(r, 0, (int64_t)w->op_count - 1);
        bool is_new = may_name(w, i, n);
        for (size_t k = 0; k < count; k++)
            is_new = is_new && named[k] != n;
        if (!is_new)
            continue;
        named[count++] = n;
        assert_true(workload_set_after(w, i, named, count));
        if (workload_check_form(w, &err) != GCAST_OK)
            assert_true(workload_set_after(w, i, named, --count));
    }
}

void generate_dependencies(support_random *r, gcast_workload *w, gcast_gpu *gpu)
{
    int64_t last_stream = (int64_t)w->stream_count - 1;
    gpu->event_gap_ns = percent(r, 50) ? 0 : one_of(r, 1, 3, 7, 20);
    for (size_t i = w->once_count; i < w->op_count; i++)
        if (percent(r, 50)) {
            int stream = (int)support_between(r, 0, last_stream);
            if (w->ops[i].graph == GCAST_NO_GRAPH) /* the nodes of a graph are of one stream */
                ((gcast_op *)w->ops)[i].stream = stream;
        }
    for (size_t i = 0; i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind) && percent(r, 60))
            add_after(r, w, i);
}
