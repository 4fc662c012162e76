/* gcast_workload_measure: one session on the GPU with as many runs as are asked for. */
#include "gridcast/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/api/argument_missing.h"
#include "base/api/options_copy.h"
#include "measure/launch/measurable.h"
#include "measure/session/callers.h"
#include "measure/session/collect.h"
#include "measure/session/driver_calls.h"
#include "measure/session/session.h"

/* The time of the base event on the GPU's clock: the middle between two kernels that record the time. The closest of
 * several pairs counts, since delays of the host between its calls make a pair wide. */
static gcast_status find_base(session *s, int64_t *base, gcast_error *err)
{
    int64_t width = INT64_MAX;
    gcast_status status = GCAST_OK;
    *base = 0;
    for (size_t i = 0; i < STAMPS && s->stamp[i] && status == GCAST_OK; i++) {
        block_record r[2];
        status = session_stamp(s, i, r, err);
        if (status != GCAST_OK || r[1].start_ns - r[0].end_ns >= width)
            continue;
        width = r[1].start_ns - r[0].end_ns;
        *base = r[0].end_ns + width / 2;
        s->base = s->stamp[i];
    }
    return status;
}

static gcast_status run_once(session *s, gcast_run **run, gcast_error *err)
{
    clocks c;
    gcast_run_op *ops = malloc((s->op_count + 1) * sizeof *ops);
    if (!ops)
        return gcast_error_set_memory(err);
    memcpy(ops, s->ops, s->op_count * sizeof *ops);
    gcast_status status = session_prepare(s, err);
    if (status == GCAST_OK)
        status = find_base(s, &c.base_ns, err);
    if (status == GCAST_OK)
        status = callers_run(s, ops, &c.aligned, &c.zero_ns, err);
    if (status == GCAST_OK) /* events of copies may be in our own stream, too */
        status = DRIVER_CALL(&s->v.d, err, cuStreamSynchronize, s->helper_stream);
    if (status != GCAST_OK) {
        free(ops);
        return status;
    }
    session_clean_up(s);
    return collect_run(s, ops, &c, run, err);
}

gcast_status gcast_workload_measure(const gcast_workload *w, const gcast_measure_options *given, gcast_run **runs,
                                    size_t count, gcast_error *err)
{
    if (!w || !runs)
        return argument_missing(err);
    gcast_measure_options own = gcast_measure_options_default();
    const gcast_measure_options *options = &own;
    session s;
    size_t done = 0;
    gcast_status status = options_copy(&own, sizeof own, given, "gcast_measure_options", err);
    if (status == GCAST_OK)
        status = measurable_check(w, err);
    if (status == GCAST_OK)
        status = session_open(&s, w, options, err);
    if (status != GCAST_OK)
        return status;
    s.runs = count;
    while (done < count && status == GCAST_OK) {
        if (options->progress && !options->progress(options->progress_data, (double)done / (double)count))
            status = gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
        else if ((status = run_once(&s, &runs[done], err)) == GCAST_OK)
            s.run = ++done;
    }
    session_close(&s);
    while (status != GCAST_OK && done) {
        gcast_run_free(runs[--done]);
        runs[done] = NULL;
    }
    return status;
}
