#include "report/formats/run_json.h"

#include <string.h>

#include "gridcast/names.h"
#include "model/run_op.h"
#include "report/formats/run_tables.h"
#include "report/report_progress.h"
#include "report/run/hung_run.h"

static void put_time(text *out, const char *key, int64_t ns)
{
    if (ns < 0)
        return;
    text_str(out, key);
    text_int(out, ns);
}

static void put_blocks(const gcast_run_op *o, report_progress *progress, text *out)
{
    text_str(out, ", \"blocks\": [");
    for (uint64_t b = 0; b < o->block_count; b++) {
        report_progress_add(progress, 1);
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
    text_str(out, gcast_name(GCAST_NAMES_KIND, op->kind));
    text_char(out, '"');
    if (op->stream >= 0) {
        text_str(out, ", \"stream\": ");
        text_int(out, run->workload->streams[op->stream].id);
    }
    text_str(out, ", \"job\": ");
    text_uint(out, o->job);
    for (size_t k = 0; k < op->after_count; k++) {
        text_str(out, k ? ", " : ", \"after\": [");
        text_json(out, run->workload->ops[op->after[k]].label);
    }
    if (op->after_count)
        text_char(out, ']');
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

static void put_launches(const gcast_launch_stats *s, text *out)
{
    const struct {
        const char *key;
        uint64_t count;
    } counts[] = {
        {"children", s->children}, {"child_blocks", s->child_blocks}, {"items", s->items}, {"offloaded", s->offloaded},
        {"kept", s->kept},         {"refused", s->refused},           {"early", s->early}, {"max_live", s->max_live},
        {"max_pool", s->max_pool}};
    const struct {
        const char *key;
        double sum;
    } sums[] = {{"overhead_ns", s->overhead_ns},    {"stream_wait_ns", s->stream_wait_ns},
                {"pool_wait_ns", s->pool_wait_ns},  {"queue_wait_ns", s->queue_wait_ns},
                {"room_wait_ns", s->room_wait_ns},  {"warp_ns", s->warp_ns},
                {"child_warp_ns", s->child_warp_ns}};
    text_str(out, " \"launches\": {");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        text_printf(out, "%s\"%s\": %llu", i ? ", " : "", counts[i].key, (unsigned long long)counts[i].count);
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        text_printf(out, ", \"%s\": %.0f", sums[i].key, sums[i].sum);
    text_str(out, "},\n");
}

static void put_child(const gcast_run *run, size_t i, report_progress *progress, text *out)
{
    const gcast_run_op *o = &run->ops[i];
    const gcast_child *child = run_child(run, i);
    if (!child->is_rest) {
        text_str(out, "{\"label\": ");
        text_json(out, run_op(run, i)->label);
        put_count(out, ", \"number\": ", o->job);
        text_str(out, ", ");
    } else {
        text_char(out, '{');
    }
    put_count(out, "\"parent\": ", child->parent);
    put_count(out, ", \"parent_block\": ", child->parent_block);
    if (!child->is_rest) {
        put_count(out, ", \"launcher\": ", child->launcher);
        put_count(out, ", \"items\": ", child->items);
        put_time(out, ", \"call_ns\": ", o->call_ns);
        put_time(out, ", \"ready_ns\": ", o->arrive_ns);
        put_time(out, ", \"head_ns\": ", o->head_ns);
        put_time(out, ", \"pool_ns\": ", child->pool_ns);
    }
    put_time(out, ", \"enter_ns\": ", o->enter_ns);
    put_time(out, ", \"start_ns\": ", o->start_ns);
    put_time(out, ", \"end_ns\": ", o->end_ns);
    if (child->queue >= 0)
        put_count(out, ", \"queue\": ", (uint64_t)child->queue);
    put_blocks(o, progress, out);
    report_progress_add(progress, 1);
    text_char(out, '}');
}

/* Writes a list of the children, or of the rests of blocks. */
static void put_children(const gcast_run *run, bool of_rests, const gcast_report_options *options, text *out)
{
    bool any = false;
    for (size_t i = run->op_count; i < run_total(run); i++) {
        if (run_is_rest(run, i) != of_rests)
            continue;
        text_str(out, any ? ",\n  " : of_rests ? ",\n \"rests\": [\n  " : ",\n \"children\": [\n  ");
        put_child(run, i, report_progress_of(options), out);
        any = true;
    }
    text_str(out, any ? "]" : "");
}

static void put_notes(const gcast_run *run, text *out)
{
    if (!run_notes_count(run))
        return;
    text_str(out, " \"notes\": [");
    for (size_t i = 0; i < run_notes_count(run); i++) {
        text_str(out, i ? ", " : "");
        text_json(out, run_notes_at(run, i));
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
    put_notes(run, out);
    if (run->launches)
        put_launches(run->launches, out);
    if (run->hang) {
        text_str(out, " \"hang\": ");
        hang_json(run, out);
        text_str(out, ",\n");
    }
    text_str(out, " \"ops\": [");
    for (size_t i = 0; i < run->op_count; i++) {
        text_str(out, i ? ",\n  " : "\n  ");
        put_op(run, i, options, out);
    }
    text_char(out, ']');
    if (options->blocks) {
        put_children(run, false, options, out);
        put_children(run, true, options, out);
    }
    text_str(out, "}\n");
    return GCAST_OK;
}
