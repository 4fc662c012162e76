#include "profile/make/prof_make.h"

#include <stdlib.h>

#include "profile/make/making.h"

prof_make_options prof_make_options_default(void)
{
    return (prof_make_options){.name = "",
                               .device = PROF_UNKNOWN,
                               .from_ns = INT64_MIN,
                               .to_ns = INT64_MAX,
                               .step = PROF_UNKNOWN,
                               .excess_ns = 500}; /* as seen on an H200 with CUPTI 13 */
}

void prof_made_free(prof_made *made)
{
    gcast_run_free(made->run);
    free(made->ops);
    gcast_workload_free(made->recorded);
    gcast_workload_free(made->workload);
    findings_free(&made->findings);
    *made = (prof_made){0};
}

static gcast_status make_all(making *m, prof_made *made)
{
    gcast_status status = make_select(m);
    if (status == GCAST_OK)
        status = make_graphs(m);
    if (status == GCAST_OK)
        status = make_call_times(m);
    if (status == GCAST_OK)
        status = make_order_notes(m);
    if (status == GCAST_OK)
        status = make_event_edges(m);
    if (status == GCAST_OK)
        status = make_programmatic(m);
    if (status == GCAST_OK)
        status = make_queued_spans(m);
    if (status == GCAST_OK)
        status = make_block_times(m);
    if (status == GCAST_OK)
        status = make_triggers(m);
    if (status == GCAST_OK)
        status = make_labels(m);
    if (status == GCAST_OK)
        status = make_workload(m, &made->workload);
    if (status == GCAST_OK && !m->options->without_recorded)
        status = make_recorded(m, made);
    return status;
}

gcast_status prof_make(const prof_trace *t, const prof_make_options *options, prof_made *made, gcast_error *err)
{
    *made = (prof_made){0};
    making m = {.t = t, .options = options, .err = err, .device = options->device, .findings = &made->findings};
    gcast_status status = make_all(&m, made);
    for (size_t i = 0; i < m.ops.count; i++)
        free(m.ops.at[i].block_ns);
    vec_free(&m.ops);
    vec_free(&m.items);
    vec_free(&m.afters);
    vec_free(&m.graphs);
    free(m.op_of);
    free(m.beside);
    arena_free(&m.memory);
    if (status != GCAST_OK)
        prof_made_free(made);
    return status;
}
