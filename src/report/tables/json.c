#include "report/tables/json.h"

#include <string.h>

#include "model/run_op.h"
#include "report/report_progress.h"
#include "report/run/stats.h"

static void put_time(text *out, const char *key, int64_t ns)
{
    if (ns < 0)
        return;
    text_str(out, key);
    text_int(out, ns);
}

static void put_blocks(const gcast_run_op *o, report_progress *w, text *out)
{
    text_str(out, ", \"blocks\": [");
    for (uint64_t b = 0; b < o->block_count; b++) {
        report_progress_add(w, 1);
        text_str(out, b ? ", [" : "[");
        text_uint(out, o->blocks[b].sm);
        text_str(out, ", ");
        text_int(out, o->blocks[b].start_ns);
        text_str(out, ", ");
        text_int(out, o->blocks[b].end_ns);
        text_char(out, ']');
    }
    text_char(out, ']');
}

static void put_count(text *out, const char *key, uint64_t count)
{
    text_str(out, key);
    text_uint(out, count);
}

static void put_op(const gcast_run *run, size_t i, const gcast_report_options *options, text *out)
{
    const gcast_run_op *o = &run->ops[i];
    const gcast_op *op = run_op(run, i);
    text_str(out, "{\"label\": ");
    text_json(out, op->label);
    text_str(out, ", \"kind\": \"");
    text_str(out, gcast_kind_name(op->kind));
    text_char(out, '"');
    if (op->stream >= 0) {
        text_str(out, ", \"stream\": ");
        text_int(out, run->workload->streams[op->stream].id);
    }
    text_str(out, ", \"job\": ");
    text_uint(out, o->job);
    if (o->skipped)
        text_str(out, ", \"skipped\": true");
    put_time(out, ", \"call_ns\": ", o->call_ns);
    put_time(out, ", \"arrive_ns\": ", o->arrive_ns);
    put_time(out, ", \"head_ns\": ", o->head_ns);
    put_time(out, ", \"enter_ns\": ", o->enter_ns);
    put_time(out, ", \"start_ns\": ", o->start_ns);
    put_time(out, ", \"dispatched_ns\": ", o->dispatched_ns);
    put_time(out, ", \"end_ns\": ", o->end_ns);
    if (o->workers) {
        put_count(out, ", \"workers\": ", o->workers);
        put_count(out, ", \"retreated\": ", o->retreated);
        put_count(out, ", \"repaired\": ", o->repaired);
    }
    if (options->blocks && o->blocks)
        put_blocks(o, report_progress_of(options), out);
    report_progress_add(report_progress_of(options), 1);
    text_char(out, '}');
}

static void put_strings(text *out, const char *key, const char *const *list, size_t count)
{
    text_str(out, key);
    for (size_t i = 0; i < count; i++) {
        if (i)
            text_str(out, ", ");
        text_json(out, list[i]);
    }
    text_str(out, "],\n");
}

gcast_status json_write(const gcast_run *run, const gcast_report_options *options, text *out, gcast_error *err)
{
    if (options->blocks && !run->blocks_recorded)
        return gcast_error_set(err, GCAST_USAGE, NULL, "the run has no blocks recorded");
    text_str(out, "{\"schema\": \"gridcast.run/1\", \"source\": ");
    text_json(out, run->source);
    text_str(out, ", \"gpu\": ");
    text_json(out, run->gpu->name);
    text_str(out, ", \"sms\": ");
    text_int(out, run->gpu->sms);
    text_str(out, ", \"workload\": ");
    text_json(out, run->workload->name);
    if (strcmp(run->source, "measured") == 0)
        text_printf(out, ", \"gpu_zero_on_host_ns\": [%lld, %lld]", (long long)run->gpu_zero_lo_ns,
                    (long long)run->gpu_zero_hi_ns);
    text_str(out, ", \"end_ns\": ");
    text_int(out, run->end_ns);
    int64_t first, makespan = stats_makespan(run, &first);
    put_time(out, ", \"first_start_ns\": ", first);
    put_time(out, ", \"makespan_ns\": ", makespan);
    text_str(out, ",\n");
    if (run->note_count)
        put_strings(out, " \"notes\": [", run->notes, run->note_count);
    text_str(out, " \"ops\": [");
    for (size_t i = 0; i < run->op_count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        put_op(run, i, options, out);
    }
    text_str(out, "]}\n");
    return GCAST_OK;
}
