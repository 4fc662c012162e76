#include "cli/import/profile_table.h"

#include <stdlib.h>

#include "base/text/units.h"
#include "profile/devices.h"

#define MOST_RANGES 20 /* names of ranges that are shown */

static void put_time(text *out, int64_t ns)
{
    text_printf(out, "%.3f ms", (double)ns / 1e6);
}

static void put_gpu(text *out, const prof_trace *t, int64_t device)
{
    const prof_gpu *gpu = prof_gpu_of(t, device);
    size_t kernels = 0, copies = 0, streams = 0;
    bool *used = calloc(t->stream_count + 1, sizeof *used);
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    for (size_t i = 0; i < t->op_count; i++) {
        const prof_op *op = &t->ops[i];
        if (t->streams[op->stream].device != device)
            continue;
        if (used && !used[op->stream])
            streams += used[op->stream] = true;
        kernels += op->kind == GCAST_KIND_KERNEL;
        copies += op->kind != GCAST_KIND_KERNEL;
        first_ns = op->start_ns < first_ns ? op->start_ns : first_ns;
        last_ns = op->end_ns > last_ns ? op->end_ns : last_ns;
    }
    if (!used)
        text_no_memory(out);
    free(used);
    text_printf(out, "GPU %lld: ", (long long)device);
    text_terminal(out, gpu && gpu->name ? gpu->name : "not named");
    text_printf(out, "; kernels %zu, copies and memsets %zu, streams %zu; from ", kernels, copies, streams);
    put_time(out, first_ns - t->zero_ns);
    text_str(out, " to ");
    put_time(out, last_ns - t->zero_ns);
    text_char(out, '\n');
}

/* Is it the first range of its name? *count: how many there are. */
static bool is_first(const prof_trace *t, size_t i, size_t *count)
{
    *count = 0;
    for (size_t k = 0; k < t->range_count; k++)
        if (t->ranges[k].name == t->ranges[i].name) {
            if (k < i)
                return false;
            ++*count;
        }
    return true;
}

static void put_ranges(text *out, const prof_trace *t)
{
    size_t shown = 0, count;
    for (size_t i = 0; i < t->range_count; i++) {
        if (shown == MOST_RANGES) {
            text_str(out, "and further ranges\n");
            return;
        }
        if (!is_first(t, i, &count))
            continue;
        text_str(out, t->ranges[i].kind == PROF_RANGE_STEP ? "step " : "range ");
        text_terminal(out, t->ranges[i].name);
        text_str(out, ": from ");
        put_time(out, t->ranges[i].start_ns - t->zero_ns);
        text_str(out, " to ");
        put_time(out, t->ranges[i].end_ns - t->zero_ns);
        if (count > 1)
            text_printf(out, ", the first of %zu", count);
        text_char(out, '\n');
        shown++;
    }
}

void profile_table(text *out, const prof_trace *t)
{
    int64_t devices[64];
    size_t count = prof_devices(t, devices, 64), without = 0;
    text_terminal(out, t->writer);
    text_printf(out, "; calls %zu, operations %zu", t->call_count, t->op_count);
    for (size_t i = 0; i < t->op_count; i++)
        without += t->ops[i].call == PROF_NONE;
    if (without)
        text_printf(out, ", of which without a call %zu", without);
    text_char(out, '\n');
    for (size_t i = 0; i < count; i++)
        put_gpu(out, t, devices[i]);
    put_ranges(out, t);
}
