#include "measure/latency/long_copies.h"

#include "base/minmax.h"
#include "measure/latency/latency_batch.h"

#define COPIES 1000                 /* of each direction under each load, in LATENCY_PLAN_NS */
#define WARM_UP 3                   /* copies each way that do not count: pages are touched for the first time */
#define MAX_NS INT64_C(10000000000) /* of the copies under one load */

/* Copies one way under one load. By then all other latencies are measured. */
static gcast_status measure_copies(latency_session *s, const gcast_latency_condition *c, const copy_fit *fit,
                                   samples *percents, gcast_error *err)
{
    if (s->options->progress && !s->options->progress(s->options->progress_data, 1))
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
    int64_t usual_ns = max_i64(fit->overhead_ns + samples_bytes_ns(LATENCY_LONG_BYTES, fit->bytes_per_s), 1);
    int64_t count = latency_count(COPIES, s->options->latency_ns);
    size_t made;
    gcast_status status = latency_batch_time(s, c, (size_t)count, min_i64(count * usual_ns * 2, MAX_NS), &made, err);
    for (size_t i = 0; i < made && status == GCAST_OK; i++) {
        int64_t percent = (s->end_ns[i] - s->call_ns[i]) * 100 / usual_ns + 1;
        if (!vec_push(percents, percent))
            status = gcast_error_set_memory(err);
    }
    return status;
}

static gcast_status warm_up(latency_session *s, gcast_error *err)
{
    size_t made;
    gcast_status status = GCAST_OK;
    for (gcast_call_kind way = GCAST_CALL_H2D; way <= GCAST_CALL_D2H && status == GCAST_OK; way++)
        status = latency_batch_time(s, &(gcast_latency_condition){.call = way}, WARM_UP, MAX_NS, &made, err);
    return status;
}

gcast_status long_copies_measure(latency_session *s, const copy_fit copies[2], samples *percents, gcast_error *err)
{
    if (copies[0].bytes_per_s <= 0 && copies[1].bytes_per_s <= 0)
        return GCAST_OK;
    s->copy_bytes = LATENCY_LONG_BYTES;
    gcast_status status = warm_up(s, err);
    for (int load = 0; load < 4; load++)
        for (int way = 0; way < 2 && status == GCAST_OK; way++) {
            gcast_latency_condition c = {
                .call = way ? GCAST_CALL_D2H : GCAST_CALL_H2D, .gpu_busy = load % 2 == 1, .host_busy = load / 2 == 1};
            if (copies[way].bytes_per_s > 0)
                status = measure_copies(s, &c, &copies[way], percents, err);
        }
    s->copy_bytes = LATENCY_COPY_BYTES;
    return status;
}
