#include "measure/devrt/learn_children.h"

#include "base/minmax.h"
#include "measure/devrt/line_fit.h"

#define FIT_UNIT_NS 10 /* of what is fitted: the clock steps by 32 ns */

static gcast_status add_sample(observations *o, gcast_reading_id id, int64_t value, gcast_error *err)
{
    return vec_push(&o->readings[id], value) ? GCAST_OK : gcast_error_set_memory(err);
}

/* The launch was accepted, and its child ran after the call began. */
static bool child_ran(const launch_record *r)
{
    return r->error == 0 && r->call_ns && r->return_ns >= r->call_ns && r->start_ns > r->call_ns;
}

static bool all_ran(const launch_record *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!child_ran(&r[i]))
            return false;
    return true;
}

gcast_status learn_child_latency(observations *o, const launch_record *round, gcast_error *err)
{
    int64_t lanes[CHILD_LANE_COUNTS], start[CHILD_LANE_COUNTS], held[CHILD_LANE_COUNTS];
    line_fit launch, call;
    if (!all_ran(round, CHILD_ROUND_RECORDS))
        return GCAST_OK;
    for (int k = 0; k < CHILD_LANE_COUNTS; k++) {
        const launch_record *warp = &round[(1 << k) - 1];
        int64_t call_ns = INT64_MAX, return_ns = 0, start_ns = INT64_MAX;
        lanes[k] = 1 << k;
        for (int64_t i = 0; i < lanes[k]; i++) {
            call_ns = min_i64(call_ns, warp[i].call_ns);
            return_ns = max_i64(return_ns, warp[i].return_ns);
            start_ns = min_i64(start_ns, warp[i].start_ns);
        }
        start[k] = start_ns - call_ns;
        held[k] = return_ns - call_ns;
    }
    if (!line_fit_points(lanes, start, CHILD_LANE_COUNTS, FIT_UNIT_NS, &launch) ||
        !line_fit_points(lanes, held, CHILD_LANE_COUNTS, FIT_UNIT_NS, &call))
        return GCAST_OK;
    const struct {
        gcast_reading_id id;
        int64_t ns;
    } fitted[] = {{GCAST_READ_CHILD_LAUNCH, launch.base},
                  {GCAST_READ_CHILD_STEP, launch.step},
                  {GCAST_READ_CHILD_CALL, call.base},
                  {GCAST_READ_CHILD_CALL_STEP, call.step}};
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < sizeof fitted / sizeof fitted[0] && status == GCAST_OK; i++)
        status = add_sample(o, fitted[i].id, max_i64(fitted[i].ns, 0), err);
    return status;
}

gcast_status learn_child_service(observations *o, const launch_record *burst, size_t count, gcast_error *err)
{
    int64_t first_ns = INT64_MAX, last_ns = 0;
    if (count < 2 || !all_ran(burst, count))
        return GCAST_OK;
    for (size_t i = 0; i < count; i++) {
        first_ns = min_i64(first_ns, burst[i].start_ns);
        last_ns = max_i64(last_ns, burst[i].start_ns);
    }
    return add_sample(o, GCAST_READ_CHILD_SERVICE, (last_ns - first_ns) / (int64_t)(count - 1), err);
}

gcast_status learn_child_pool(observations *o, const launch_record *calls, size_t count, gcast_error *err)
{
    size_t accepted = 0;
    while (accepted < count && calls[accepted].error == 0)
        accepted++;
    for (size_t i = accepted; i < count; i++)
        if (calls[i].error != CHILD_POOL_FULL || calls[i].return_ns < calls[i].call_ns)
            return GCAST_OK;
    if (accepted == count || !all_ran(calls, accepted))
        return GCAST_OK;
    gcast_status status = add_sample(o, GCAST_READ_CHILD_POOL, (int64_t)accepted, err);
    for (size_t i = accepted; i < count && status == GCAST_OK; i++)
        status = add_sample(o, GCAST_READ_CHILD_REFUSED, calls[i].return_ns - calls[i].call_ns, err);
    return status;
}

gcast_status learn_child_queues(observations *o, const launch_record *calls, size_t count, int64_t release_ns,
                                gcast_error *err)
{
    size_t queues = 1;
    if (!all_ran(calls, count))
        return GCAST_OK;
    while (queues < count && calls[queues].start_ns < release_ns)
        queues++;
    if (queues >= count || calls[0].start_ns >= release_ns)
        return GCAST_OK;
    for (size_t i = 1; i < count; i++)
        if ((calls[i].start_ns >= release_ns) != (i % queues == 0))
            return GCAST_OK;
    return add_sample(o, GCAST_READ_CHILD_QUEUES, (int64_t)queues, err);
}
