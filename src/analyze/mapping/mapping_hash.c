/* What a partial search is of; see mapping_search.h. */
#include "analyze/mapping/mapping_search.h"
#include "base/index.h"

#define VERSION 1 /* of the way to search: results of another one are of no use */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    return index_hash(&(uint64_t[2]){hash, word}, 2 * sizeof word);
}

static uint64_t mix_range(uint64_t hash, sys_range r)
{
    return mix(mix(hash, (uint64_t)r.min_ns), (uint64_t)r.max_ns);
}

static uint64_t hash_op(const gcast_op *op, uint64_t h)
{
    const uint64_t numbers[] = {op->kind,
                                op->direction,
                                (uint64_t)op->bytes,
                                op->grid[0],
                                op->grid[1],
                                op->grid[2],
                                op->block[0],
                                op->block[1],
                                op->block[2],
                                (uint64_t)op->shape.registers,
                                (uint64_t)op->shape.static_smem,
                                (uint64_t)op->shape.dynamic_smem};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        h = mix(h, numbers[i]);
    return mix_range(h, (sys_range){op->min_ns, op->max_ns});
}

static uint64_t hash_task(const sys_system *s, const sys_task *t, uint64_t h)
{
    h = mix(h, index_hash_text(t->name));
    const int64_t numbers[] = {t->isr,
                               t->arrival,
                               t->period_ns,
                               t->offset_ns,
                               t->jitter_ns,
                               t->trigger,
                               (int64_t)t->trigger_step,
                               t->waiter,
                               t->deadline_ns,
                               t->preemption,
                               t->slice_ns,
                               (int64_t)t->step_count};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        h = mix(h, (uint64_t)numbers[i]);
    for (size_t i = 0; i < t->step_count; i++) {
        const sys_step *step = &t->steps[i];
        h = mix(mix(h, step->kind | (step->yields ? 16U : 0U)), (uint64_t)step->task);
        for (size_t k = 0; step->kind == SYS_RUN && k < s->kind_count; k++)
            h = mix_range(h, step->on[k]);
        if (step->kind == SYS_RUN && step->on_gpu)
            h = hash_op(&step->op, mix_range(h, step->alone));
    }
    return h;
}

uint64_t map_search_hash(const map_search *s)
{
    const sys_system *of = s->space.of;
    const map_options *o = &s->options;
    const uint64_t numbers[] = {VERSION,
                                o->may.core,
                                o->may.gpu,
                                o->may.priority,
                                o->may.wait,
                                o->objective.kind,
                                (uint64_t)o->objective.chain,
                                o->objective.communication,
                                o->tries,
                                o->seed,
                                o->islands,
                                of->sharing,
                                (uint64_t)of->slice_ns,
                                (uint64_t)of->switch_ns,
                                of->core_count,
                                of->task_count};
    uint64_t h = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        h = mix(h, numbers[i]);
    for (size_t i = 0; i < of->core_count; i++)
        h = mix(h, (uint64_t)of->cores[i].kind);
    for (size_t i = 0; i < of->task_count; i++) {
        const sys_place *p = &of->places[i];
        h = mix(mix(mix(hash_task(of, &of->tasks[i], h), (uint64_t)p->core), (uint64_t)p->priority), p->busy);
        for (size_t k = 0; k < s->space.tasks[i].core_count; k++)
            h = mix(h, (uint64_t)s->space.tasks[i].cores[k]);
        h = mix(h, s->space.tasks[i].may_wait_either_way);
    }
    for (size_t i = 0; i < of->chain_count; i++) {
        const sys_chain *c = &of->chains[i];
        h = mix(mix(h, (uint64_t)c->reaction_ns), (uint64_t)c->age_ns);
        for (size_t k = 0; k < c->task_count; k++)
            h = mix(h, (uint64_t)c->tasks[k]);
    }
    for (size_t i = 0; i < of->affinity_count; i++) {
        const sys_affinity *f = &of->affinities[i];
        h = mix(h, f->together);
        for (size_t k = 0; k < f->task_count; k++)
            h = mix(mix(h, (uint64_t)f->tasks[k]), (uint64_t)f->groups[k]);
        for (size_t k = 0; f->cores && k <= of->core_count; k++)
            h = mix(h, f->cores[k]);
    }
    return h;
}
