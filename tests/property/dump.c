/* A failing case, short enough to be followed by hand. */
#include "gridcast/names.h"
#include "model/workload/workload.h"
#include "property/compare.h"

#include <inttypes.h>

static void dump_gpu(FILE *out, const gcast_gpu *gpu, const gcast_workload *w)
{
    const gcast_limits *l = &gpu->limits;
    fprintf(out, "GPU: sms %d of %d, %s", w->partition_sms ? w->partition_sms : gpu->sms, gpu->sms,
            gcast_name(GCAST_NAMES_PLACEMENT, gpu->placement));
    fprintf(out, ", ties %s", gcast_name(GCAST_NAMES_TIE_ORDER, gpu->tie_order));
    for (int i = 0; gpu->tie_list && i < gpu->sms; i++)
        fprintf(out, " %d", gpu->tie_list[i]);
    fprintf(out, "%s, copy engines %d, connections %d (workload %d), levels %d\n",
            gpu->register_quarters ? ", quarters" : "", gpu->copy_engines, gpu->connections, w->connections,
            gpu->priority_levels);
    fprintf(out,
            "  SM: threads %d warps %d blocks %d registers %d by %d smem %d reserve %d by %d barriers %d grids %d\n",
            l->threads_per_sm, l->warps_per_sm, l->blocks_per_sm, l->registers_per_sm, l->register_unit, l->smem_per_sm,
            l->smem_reserved, l->smem_unit, l->barriers_per_sm, l->resident_grids);
    fprintf(out,
            "  programmatic gap %" PRId64 ", wait %" PRId64 ", depth %d\n"
            "  launch latency %" PRId64 ", copy latency %" PRId64 ", gap %" PRId64 ", event gap %" PRId64
            ", handover %" PRId64 ", switch %" PRId64 ", turn %" PRId64 ", look step %" PRId64
            ", starving %d for %" PRId64 "\n",
            gpu->programmatic_gap_ns, gpu->programmatic_wait_ns, gpu->programmatic_depth, gpu->launch_latency_ns,
            gpu->copy_latency_ns, gpu->stream_gap_ns, gpu->event_gap_ns, gpu->handover_ns, gpu->switch_ns, gpu->turn_ns,
            gpu->look_step_ns, gpu->starving_warps, gpu->starved_ns);
    fprintf(out, "  retreat %" PRId64 ", job overhead %" PRId64 "\n", gpu->retreat_ns, gpu->job_overhead_ns);
    for (int i = 0; gpu->reach_ns && i < gpu->sms; i++)
        fprintf(out, "%s%d", i ? " " : "  reach ", gpu->reach_ns[i]);
    fprintf(out, gpu->reach_ns ? "\n" : "");
    const int *sm = gpu->gpc_sms;
    for (int g = 0; g < gpu->gpc_count; g++) {
        fprintf(out, "  GPC %d:", g);
        for (int i = 0; i < gpu->gpc_sizes[g]; i++)
            fprintf(out, " %d", *sm++);
        fprintf(out, g + 1 < gpu->gpc_count ? "," : ", SMs of a TPC %d\n", gpu->sms_per_tpc);
    }
}

static void dump_plan(FILE *out, const gcast_op *op)
{
    const gcast_plan *p = op->plan;
    fprintf(out, " %s%s fill %" PRIu32 ", queues", gcast_name(GCAST_NAMES_MAPPING, p->mapping),
            p->steal ? " steal" : "", op->fill);
    for (uint32_t q = 0; q < p->queues; q++) {
        fprintf(out, " %" PRIu32 ":", p->workers[q]);
        for (uint32_t i = p->first[q]; i < p->first[q + 1]; i++)
            fprintf(out, "%s%" PRIu32, i > p->first[q] ? "," : "", p->job[i]);
    }
}

static void dump_op(FILE *out, const gcast_workload *w, size_t i)
{
    const gcast_op *op = &w->ops[i];
    fprintf(out, "  %zu %s", i, gcast_name(GCAST_NAMES_KIND, op->kind));
    if (op->stream >= 0)
        fprintf(out, " stream %d", w->streams[op->stream].id);
    if (op->task >= 0)
        fprintf(out, " task %d", op->task);
    if (op->host >= 0)
        fprintf(out, " host %d delay %" PRId64, op->host, op->delay_ns);
    fprintf(out, " release %" PRId64 "%s", op->release_ns, op->host_waits ? " waits" : "");
    for (size_t k = 0; k < op->after_count; k++)
        fprintf(out, "%s%" PRIu32 "%s%s", k ? "," : " after ", op->after[k], op->ports ? "." : "",
                op->ports ? gcast_name(GCAST_NAMES_PORT, op->ports[k]) : "");
    if (op->graph != GCAST_NO_GRAPH)
        fprintf(out, " graph %d trigger %" PRId64, op->graph, op->trigger_ns);
    if (op->skip_ns != GCAST_NEVER)
        fprintf(out, " skip %" PRId64, op->skip_ns);
    if (op->kind == GCAST_KIND_BARRIER)
        fprintf(out, " number %d", op->barrier);
    if (op->kind == GCAST_KIND_COPY)
        fprintf(out, " %s", gcast_name(GCAST_NAMES_DIRECTION, op->direction));
    if (gcast_kind_on_gpu(op->kind))
        fprintf(out, " ns %" PRId64 "..%" PRId64 "%s", op->min_ns, op->max_ns, op->block_ns ? " (each its own)" : "");
    if (op->kind == GCAST_KIND_KERNEL)
        fprintf(out, " %" PRIu64 "x%d registers %d smem %" PRId64 " barriers %d", op->blocks, op->shape.threads,
                op->shape.registers, op->shape.static_smem + op->shape.dynamic_smem, op->shape.barriers);
    if (op->cluster[0] * op->cluster[1] > 1)
        fprintf(out, " clusters %" PRIu32 "x%" PRIu32 " of %" PRIu32 "x%" PRIu32, op->cluster[0], op->cluster[1],
                op->grid[0], op->grid[1]);
    if (op->body != GCAST_BODY_SPIN)
        fprintf(out, " %s", gcast_name(GCAST_NAMES_BODY, op->body));
    if (op->carveout != GCAST_OP_CARVEOUT_MOST)
        fprintf(out, " carveout %s", gcast_name(GCAST_NAMES_CARVEOUT, op->carveout));
    if (op->plan)
        dump_plan(out, op);
    if (op->cooperative)
        fprintf(out, " cooperative");
    if (op->programmatic)
        fprintf(out, " programmatic");
    if (op->trigger_ns != GCAST_NEVER)
        fprintf(out, " trigger %" PRId64, op->trigger_ns);
    if (op->wait_ns != GCAST_NEVER)
        fprintf(out, " wait %" PRId64, op->wait_ns);
    for (size_t k = 0; k < op->waits_for_count; k++)
        fprintf(out, "%s%" PRIu32, k ? "," : " for ", op->waits_for[k]);
    if (op->mask >= 0)
        fprintf(out, " mask %" PRIx64, w->masks[op->mask].word[0]);
    fprintf(out, "\n");
}

void dump_workload(FILE *out, const generated *g)
{
    const gcast_workload *w = g->workload;
    dump_gpu(out, generated_gpu(g), w);
    fprintf(out, "options: durations %d, seed %" PRIu64 ", horizon %" PRId64 "\nstreams:", (int)g->options.durations,
            g->options.seed, g->options.horizon_ns);
    for (size_t i = 0; i < w->stream_count; i++)
        fprintf(out, " %d(%d%s)", w->streams[i].id, w->streams[i].priority, w->streams[i].blocking ? " blocking" : "");
    fprintf(out, "\n");
    for (size_t i = 0; i < w->task_count; i++)
        fprintf(out, "task %zu: period %" PRId64 ", offset %" PRId64 "\n", i, w->tasks[i].period_ns,
                w->tasks[i].offset_ns);
    fprintf(out, "ops:\n");
    for (size_t i = 0; i < w->op_count; i++) {
        dump_op(out, w, i);
        dump_launches(out, &w->ops[i]);
    }
    if (w->child_count)
        dump_launch_times(out, generated_gpu(g), &g->options);
}

void dump_schedule(FILE *out, const char *title, const gcast_workload *w, const gcast_run_op *ops, size_t count)
{
    fprintf(out, "%s: call return arrive head enter start dispatched end, blocks as SM.quarter:start-end\n", title);
    for (size_t i = 0; i < count; i++) {
        const gcast_run_op *x = &ops[i];
        fprintf(out, "  %zu = op %" PRIu32 " job %" PRIu32 " %s%s", i, x->op, x->job,
                gcast_name(GCAST_NAMES_KIND, w->ops[x->op].kind), x->skipped ? " skipped" : "");
        fprintf(out, " launch %" PRIu64 " entry %" PRIu64 " engine %d:", x->launch, x->entry, x->engine);
        const int64_t times[] = {x->call_ns,  x->return_ns, x->arrive_ns,     x->head_ns,
                                 x->enter_ns, x->start_ns,  x->dispatched_ns, x->end_ns};
        for (size_t k = 0; k < sizeof times / sizeof *times; k++)
            fprintf(out, " %" PRId64, times[k]);
        for (uint64_t b = 0; x->blocks && !x->skipped && b < x->block_count; b++)
            fprintf(out, "%s%" PRIu32 ".%" PRIu32 ":%" PRId64 "-%" PRId64, b ? " " : "\n      ", x->blocks[b].sm,
                    x->blocks[b].quarter, x->blocks[b].start_ns, x->blocks[b].end_ns);
        fprintf(out, "\n");
    }
}
