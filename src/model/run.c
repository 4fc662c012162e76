#include "model/run.h"

#include <stdlib.h>

gcast_run *run_create(const char *source, const gcast_workload *w, gcast_gpu *gpu)
{
    owned_run *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->gpu = gpu;
    o->run.source = source;
    o->run.workload = w;
    o->run.gpu = gpu;
    o->run.memory = o;
    return &o->run;
}

void run_set_ops(gcast_run *run, gcast_run_op *ops, size_t count)
{
    owned_run *o = run->memory;
    o->ops = ops;
    run->ops = ops;
    run->op_count = count;
}

void run_set_blocks(gcast_run *run, gcast_block *blocks)
{
    owned_run *o = run->memory;
    o->blocks = blocks;
    run->blocks_recorded = true;
}

void run_set_window(gcast_run *run, gcast_block *blocks, uint64_t *index)
{
    owned_run *o = run->memory;
    o->blocks = blocks;
    o->window_index = index;
    run->window_recorded = true;
}

arena *run_memory(gcast_run *run)
{
    owned_run *o = run->memory;
    return &o->memory;
}

bool run_add_note(gcast_run *run, const char *note)
{
    owned_run *o = run->memory;
    char *copy = arena_strdup(&o->memory, note);
    bool ok = copy && vec_push(&o->notes, copy);
    run->notes = o->notes.at;
    run->note_count = o->notes.count;
    return ok;
}

bool gcast_run_in_time(const gcast_run *run)
{
    if (!run)
        return false;
    const gcast_workload *w = run->workload;
    for (size_t i = 0; i < run->op_count; i++) {
        const gcast_run_op *r = &run->ops[i];
        int task = w->ops[r->op].task;
        if (task == GCAST_ONCE || w->tasks[task].deadline_ns == 0)
            continue;
        if (run->hang && r->end_ns < 0)
            return false;
        int64_t release = r->release_ns - w->ops[r->op].release_ns;
        if (r->end_ns - release > w->tasks[task].deadline_ns)
            return false;
    }
    return true;
}

void gcast_run_free(gcast_run *run)
{
    if (!run)
        return;
    owned_run *o = run->memory;
    gcast_gpu_free(o->gpu);
    free(o->ops);
    free(o->blocks);
    free(o->window_index);
    vec_free(&o->notes);
    arena_free(&o->memory);
    free(o);
}

bool run_blocks_at_most(const gcast_run *run, uint64_t max)
{
    uint64_t left = max;
    for (size_t i = 0; i < run->op_count; i++) {
        if (run->ops[i].block_count > left)
            return false;
        left -= run->ops[i].block_count;
    }
    return true;
}
