/* Are two workloads equal in everything that a file contains? For tests and fuzz targets. */
#ifndef TESTS_SAME_WORKLOAD_H
#define TESTS_SAME_WORKLOAD_H

#include <string.h>

#include "gridcast/workload.h"

#define DIFFERENT(condition)                                                                                           \
    if (condition)                                                                                                     \
    return #condition

static inline const char *same_plan(const gcast_plan *p, const gcast_plan *q)
{
    DIFFERENT(p->mapping != q->mapping || p->steal != q->steal);
    DIFFERENT(memcmp(p->grid, q->grid, sizeof p->grid) != 0 || p->jobs != q->jobs);
    DIFFERENT(p->sms != q->sms || p->queues != q->queues);
    DIFFERENT(memcmp(p->workers, q->workers, p->sms * sizeof *p->workers) != 0);
    DIFFERENT(memcmp(p->first, q->first, (p->queues + 1) * sizeof *p->first) != 0);
    DIFFERENT(memcmp(p->job, q->job, p->jobs * sizeof *p->job) != 0);
    return NULL;
}

static inline const char *same_kernel(const gcast_workload *a, const gcast_op *p, const gcast_workload *b,
                                      const gcast_op *q);

static inline const char *same_launches(const gcast_workload *a, const gcast_launches *p, const gcast_workload *b,
                                        const gcast_launches *q)
{
    DIFFERENT(p->by != q->by || p->at_ns != q->at_ns || p->item_ns != q->item_ns || p->min_items != q->min_items);
    DIFFERENT(!p->items != !q->items || p->item_count != q->item_count || p->items_each != q->items_each);
    DIFFERENT(p->items && memcmp(p->items, q->items, p->item_count * sizeof *p->items) != 0);
    DIFFERENT(p->policy != q->policy || p->threshold != q->threshold);
    DIFFERENT(p->stream != q->stream || p->streams != q->streams || p->named != q->named);
    DIFFERENT(p->wait != q->wait || p->after_ns != q->after_ns);
    DIFFERENT(p->items_per_block != q->items_per_block || p->child_item_ns != q->child_item_ns);
    DIFFERENT(p->child_index != q->child_index || p->launchers != q->launchers || p->total_items != q->total_items);
    DIFFERENT(p->loop_each_ns != q->loop_each_ns || !p->loop_sum_ns != !q->loop_sum_ns);
    DIFFERENT(strcmp(p->child->label, q->child->label) != 0 || p->child->stream != q->child->stream);
    DIFFERENT(p->child->min_ns != q->child->min_ns || p->child->max_ns != q->child->max_ns);
    DIFFERENT(p->child->carveout_given != q->child->carveout_given || p->child->task != q->child->task);
    return same_kernel(a, p->child, b, q->child);
}

static inline const char *same_kernel(const gcast_workload *a, const gcast_op *p, const gcast_workload *b,
                                      const gcast_op *q)
{
    DIFFERENT(memcmp(p->grid, q->grid, sizeof p->grid) != 0 || p->blocks != q->blocks);
    DIFFERENT(memcmp(p->block, q->block, sizeof p->block) != 0);
    DIFFERENT(p->shape.threads != q->shape.threads || p->shape.registers != q->shape.registers);
    DIFFERENT(p->shape.static_smem != q->shape.static_smem || p->shape.dynamic_smem != q->shape.dynamic_smem);
    DIFFERENT(p->shape.barriers != q->shape.barriers || p->body != q->body);
    DIFFERENT(p->carveout != q->carveout);
    DIFFERENT((p->mask == GCAST_ALL_SMS) != (q->mask == GCAST_ALL_SMS));
    DIFFERENT(p->mask != GCAST_ALL_SMS && memcmp(&a->masks[p->mask], &b->masks[q->mask], sizeof *a->masks) != 0);
    DIFFERENT(!p->block_ns != !q->block_ns);
    DIFFERENT(p->block_ns && memcmp(p->block_ns, q->block_ns, p->blocks * sizeof *p->block_ns) != 0);
    DIFFERENT(p->policy != q->policy || p->fill != q->fill || !p->plan != !q->plan);
    DIFFERENT(memcmp(p->cluster, q->cluster, sizeof p->cluster) != 0 || p->cooperative != q->cooperative);
    DIFFERENT(p->programmatic != q->programmatic || p->trigger_ns != q->trigger_ns || p->wait_ns != q->wait_ns);
    DIFFERENT(p->waits_for_count != q->waits_for_count);
    DIFFERENT(p->waits_for_count && memcmp(p->waits_for, q->waits_for, p->waits_for_count * sizeof *p->waits_for) != 0);
    DIFFERENT(!p->launches != !q->launches);
    if (p->launches)
        return same_launches(a, p->launches, b, q->launches);
    return p->plan ? same_plan(p->plan, q->plan) : NULL;
}

static inline const char *same_op(const gcast_workload *a, const gcast_op *p, const gcast_workload *b,
                                  const gcast_op *q)
{
    DIFFERENT(p->kind != q->kind || strcmp(p->label, q->label) != 0);
    DIFFERENT(p->stream != q->stream || p->task != q->task);
    DIFFERENT((p->host < 0) != (q->host < 0));
    DIFFERENT(p->host >= 0 && strcmp(a->hosts[p->host], b->hosts[q->host]) != 0);
    DIFFERENT(p->release_ns != q->release_ns || p->delay_ns != q->delay_ns || p->skip_ns != q->skip_ns);
    DIFFERENT(p->extra_latency_ns != q->extra_latency_ns || p->event_pause_ns != q->event_pause_ns);
    DIFFERENT(p->host_waits != q->host_waits || p->min_ns != q->min_ns || p->max_ns != q->max_ns);
    DIFFERENT(p->direction != q->direction || p->bytes != q->bytes || p->barrier != q->barrier);
    DIFFERENT(p->host_memory != q->host_memory || p->after_count != q->after_count);
    DIFFERENT(p->after_count && memcmp(p->after, q->after, p->after_count * sizeof *p->after) != 0);
    DIFFERENT(!p->ports != !q->ports || p->graph != q->graph);
    DIFFERENT(p->ports && memcmp(p->ports, q->ports, p->after_count * sizeof *p->ports) != 0);
    return p->kind == GCAST_KIND_KERNEL ? same_kernel(a, p, b, q) : NULL;
}

/* NULL, or what differs. */
static inline const char *workload_difference(const gcast_workload *a, const gcast_workload *b)
{
    DIFFERENT(strcmp(a->name, b->name) != 0 || !a->gpu != !b->gpu);
    DIFFERENT(a->gpu && (strcmp(a->gpu->name, b->gpu->name) != 0 || a->gpu->sms != b->gpu->sms));
    DIFFERENT(a->partition_sms != b->partition_sms || a->connections != b->connections);
    DIFFERENT(a->stream_count != b->stream_count || a->op_count != b->op_count || a->task_count != b->task_count);
    DIFFERENT(a->once_count != b->once_count || a->child_count != b->child_count);
    DIFFERENT(a->graph_count != b->graph_count);
    for (size_t i = 0; i < a->graph_count; i++)
        DIFFERENT(strcmp(a->graphs[i], b->graphs[i]) != 0);
    for (size_t i = 0; i < a->stream_count; i++) {
        const gcast_stream *s = &a->streams[i], *t = &b->streams[i];
        DIFFERENT(s->id != t->id || s->priority != t->priority || s->blocking != t->blocking ||
                  s->process != t->process);
        DIFFERENT(s->id != 0 && !s->blocking && s->blocking_given != t->blocking_given);
    }
    for (size_t i = 0; i < a->op_count; i++) {
        const char *difference = same_op(a, &a->ops[i], b, &b->ops[i]);
        if (difference)
            return difference;
    }
    for (size_t i = 0; i < a->task_count; i++) {
        const gcast_task *s = &a->tasks[i], *t = &b->tasks[i];
        DIFFERENT(strcmp(s->name, t->name) != 0 || s->stream != t->stream || s->period_ns != t->period_ns);
        DIFFERENT(s->deadline_ns != t->deadline_ns || s->offset_ns != t->offset_ns || s->jitter_ns != t->jitter_ns);
        DIFFERENT(s->sporadic != t->sporadic);
        DIFFERENT(s->first_op != t->first_op || s->op_count != t->op_count);
    }
    return NULL;
}

#undef DIFFERENT
#endif
