/* What the kernels of a failing case launch, and what became of it. */
#include <inttypes.h>

#include "gridcast/names.h"
#include "property/compare.h"

#define MAX_SHOWN 60 /* launchers with items */

static void dump_items(FILE *out, const gcast_launches *l)
{
    int shown = 0;
    if (!l->items) {
        fprintf(out, " items %" PRIu32 " each", l->items_each);
        return;
    }
    fprintf(out, " items");
    for (uint64_t i = 0; i < l->item_count && shown < MAX_SHOWN; i++)
        if (l->items[i]) {
            fprintf(out, " %" PRIu64 ":%" PRIu32, i, l->items[i]);
            shown++;
        }
}

void dump_launches(FILE *out, const gcast_op *op)
{
    for (const gcast_launches *l = op->launches; l; l = l->child->launches) {
        const gcast_op *c = l->child;
        fprintf(out, "      launches by %s at %" PRId64 " %s %" PRIu32 " min %" PRIu32 " item %" PRId64,
                gcast_name(GCAST_NAMES_LAUNCHER, l->by), l->at_ns, gcast_name(GCAST_NAMES_SPAWN_POLICY, l->policy),
                l->threshold, l->min_items, l->item_ns);
        fprintf(out, " stream %s %" PRIu32 "/%" PRIu32 " wait %s after %" PRId64,
                gcast_name(GCAST_NAMES_CHILD_STREAM, l->stream), l->named, l->streams,
                gcast_name(GCAST_NAMES_CHILD_WAIT, l->wait), l->after_ns);
        fprintf(out,
                "; child %d ns %" PRId64 "..%" PRId64 " + %" PRId64 ", %d threads registers %d smem %" PRId64
                " barriers %d, %" PRIu32 " per block;",
                l->child_index, c->min_ns, c->max_ns, l->child_item_ns, c->shape.threads, c->shape.registers,
                c->shape.static_smem + c->shape.dynamic_smem, c->shape.barriers, l->items_per_block);
        dump_items(out, l);
        fprintf(out, "\n");
    }
}

void dump_launch_times(FILE *out, const gcast_gpu *gpu, const gcast_simulate_options *o)
{
    fprintf(out,
            "  child launch %" PRId64 " + %" PRId64 ", call %" PRId64 " + %" PRId64 " / %" PRId64 ", end %" PRId64
            ", refused %" PRId64 ", service %" PRId64 ", pool %d%s, queues %d%s, level %d, window %" PRId64 "\n",
            gpu->child_launch_ns, gpu->child_step_ns, gpu->child_call_ns, gpu->child_call_step_ns,
            gpu->child_call_service_ns, gpu->child_end_ns, gpu->child_refused_ns, gpu->child_service_ns,
            gpu->child_pool, gpu->child_pool_grows ? " grows" : "", gpu->child_queues,
            gpu->child_forget ? " forget" : "", gpu->child_level, gpu->spawn_window_ns);
    if (o->override_spawn)
        fprintf(out, "  all: %s %" PRIu32 "\n", gcast_name(GCAST_NAMES_SPAWN_POLICY, o->spawn_policy),
                o->spawn_threshold);
    if (o->spawn)
        fprintf(out, "  spawn: window %" PRId64 " limit %" PRIu64 " idle %d average %d counters %d start %d%s\n",
                o->spawn->window_ns, o->spawn->queue_limit, (int)o->spawn->idle, (int)o->spawn->average,
                (int)o->spawn->counters, (int)o->spawn->start, o->spawn->fractions ? " fractions" : "");
}

void dump_children(FILE *out, const gcast_run_op *ops, size_t op_count, const gcast_child *children, size_t count)
{
    fprintf(out, "children: parent.block launcher items queue: call arrive head pool enter start dispatched blocks' "
                 "end, end\n");
    for (size_t i = 0; i < count; i++) {
        const gcast_child *c = &children[i];
        const gcast_run_op *x = &ops[op_count + i];
        fprintf(out, "  %zu %s %" PRIu32 ".%" PRIu32 " %" PRIu64 " %" PRIu32 " q%d entry %" PRIu64 ":", op_count + i,
                c->is_rest ? "rest" : "child", c->parent, c->parent_block, c->launcher, c->items, c->queue, x->entry);
        const int64_t times[] = {x->call_ns,  x->arrive_ns,     x->head_ns,       c->pool_ns, x->enter_ns,
                                 x->start_ns, x->dispatched_ns, c->blocks_end_ns, x->end_ns};
        for (size_t k = 0; k < sizeof times / sizeof *times; k++)
            fprintf(out, " %" PRId64, times[k]);
        for (uint64_t b = 0; x->blocks && b < x->block_count; b++)
            fprintf(out, "%s%" PRIu32 ".%" PRIu32 ":%" PRId64 "-%" PRId64, b ? " " : "  ", x->blocks[b].sm,
                    x->blocks[b].quarter, x->blocks[b].start_ns, x->blocks[b].end_ns);
        fprintf(out, "\n");
    }
}
