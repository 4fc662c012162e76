/* The blocks of a launch on the cores of this computer. One core starts them in
 * the order of the placement, or of their numbers; while a block can only wait
 * for others, it starts further ones, up to MAX_RESIDENT_BLOCKS at a time.
 * Several cores take blocks as they come. If blocks exchange data, or anything
 * fails, the caller runs all of them again in turn, so that the order decides
 * and not the cores. */
#include "simt/run/cores.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "simt/run/block.h"
#include "simt/run/deadlock.h"

typedef struct resident {
    block block[MAX_RESIDENT_BLOCKS];    /* by slot; memory of ended blocks is reused */
    bool used[MAX_RESIDENT_BLOCKS];      /* by slot: a block is there */
    uint32_t order[MAX_RESIDENT_BLOCKS]; /* slots of the blocks that run, oldest first */
    uint32_t count;                      /* blocks that run */
} resident;

static bool end_block(core *c, block *b)
{
    machine *m = c->machine;
    if (b->printed.failed) {
        c->status = gcast_error_set_memory(c->err);
        return false;
    }
    if (m->options->print && b->printed.used) {
        block_text p = {b->number, b->printed};
        pthread_mutex_lock(&m->print_lock);
        bool ok = vec_push(&m->printed, p);
        pthread_mutex_unlock(&m->print_lock);
        if (!ok) {
            c->status = gcast_error_set_memory(c->err);
            return false;
        }
    } else {
        free(b->printed.data);
    }
    b->printed = (text){0};
    atomic_fetch_add_explicit(&m->done_blocks, 1, memory_order_relaxed);
    return true;
}

/* Reports the progress, if this core is the one that does; false: the caller wants to stop. */
static bool report_progress(core *c)
{
    const gcast_simt_options *o = c->machine->options;
    if (!c->reports_progress || !o->progress)
        return true;
    uint64_t done = atomic_load_explicit(&c->machine->done_blocks, memory_order_relaxed);
    if (o->progress(o->progress_data, (double)done / (double)c->machine->blocks))
        return true;
    c->status = gcast_error_set(c->err, GCAST_RESOURCE, NULL, "stopped");
    return false;
}

/* Starts the next block of the grid; false: there is none, the core is full, or it failed. */
static bool start_next(core *c, resident *r)
{
    machine *m = c->machine;
    if (r->count == MAX_RESIDENT_BLOCKS)
        return false;
    const uint32_t *order = m->options->block_order;
    uint64_t next = atomic_fetch_add(&m->next_block, 1);
    if (next >= m->blocks) {
        atomic_store(&m->next_block, m->blocks);
        return false;
    }
    uint32_t at = 0;
    while (r->used[at])
        at++;
    if (!block_start(c, &r->block[at], order ? order[next] : next))
        return false;
    r->used[at] = true;
    r->order[r->count++] = at;
    return true;
}

static void remove_at(resident *r, uint32_t i)
{
    r->used[r->order[i]] = false;
    memmove(&r->order[i], &r->order[i + 1], (r->count - i - 1) * sizeof *r->order);
    r->count--;
}

/* Gives all resident blocks turns, and starts another one when these cannot go on. */
static void run_resident(core *c, resident *r)
{
    machine *m = c->machine;
    while (c->status == GCAST_OK && !atomic_load(&m->stopping)) {
        if (!report_progress(c) || (!r->count && !start_next(c, r)))
            return;
        bool all_stuck = true;
        uint64_t version = c->global_version;
        for (uint32_t i = 0; i < r->count;) {
            block *b = &r->block[r->order[i]];
            block_state s = block_run(c, b);
            if (s == BLOCK_FAILED)
                return;
            if (s == BLOCK_DONE && !end_block(c, b))
                return;
            all_stuck &= s == BLOCK_STUCK;
            if (s == BLOCK_DONE)
                remove_at(r, i);
            else
                i++;
        }
        all_stuck &= version == c->global_version;
        if (r->count && !start_next(c, r) && all_stuck && c->status == GCAST_OK) {
            uint64_t next = atomic_load(&m->next_block);
            block_deadlock(c, &r->block[r->order[0]], next < m->blocks ? m->blocks - next : 0);
            return;
        }
    }
}

static void *run_core(void *data)
{
    core *c = data;
    resident *r = calloc(1, sizeof *r);
    if (!r) {
        c->status = gcast_error_set_memory(c->err);
    } else {
        run_resident(c, r);
        for (uint32_t i = 0; i < MAX_RESIDENT_BLOCKS; i++)
            block_free(c->machine, &r->block[i]);
    }
    free(r);
    if (c->status != GCAST_OK)
        atomic_store(&c->machine->stopping, true);
    return NULL;
}

gcast_status blocks_run(machine *m, core *cores, uint32_t count)
{
    pthread_t *threads = calloc(count, sizeof *threads);
    uint32_t started = 1;
    if (!threads)
        return gcast_error_set_memory(cores[0].err);
    cores[0].reports_progress = true;
    while (started < count && pthread_create(&threads[started], NULL, run_core, &cores[started]) == 0)
        started++;
    run_core(&cores[0]);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    if (atomic_load(&m->has_conflict))
        return GCAST_NO;
    for (uint32_t i = 0; i < count; i++)
        if (cores[i].status != GCAST_OK)
            return cores[i].status;
    return GCAST_OK;
}
