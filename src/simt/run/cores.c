/* The blocks of a launch on the cores of this computer. One core takes them in
 * order; a block that can only wait for others lets the next ones run, up to
 * MOST_RESIDENT at a time. Several cores take blocks as they come. If blocks
 * meet in memory, or anything fails, the caller runs all again in turn. */
#include <pthread.h>
#include <string.h>

#include "simt/memory/memory.h"
#include "simt/run/block.h"

typedef struct resident {
    block block[MOST_RESIDENT];
    bool used[MOST_RESIDENT];
    uint32_t order[MOST_RESIDENT]; /* slots of those that run, oldest first */
    uint32_t count;
} resident;

static bool finish(core *c, block *b)
{
    machine *m = c->machine;
    if (b->out.failed) {
        c->status = gcast_error_set_memory(c->err);
        return false;
    }
    if (m->options->print && b->out.used) {
        block_text p = {b->number, b->out};
        pthread_mutex_lock(&m->print_lock);
        bool kept = vec_push(&m->printed, p);
        pthread_mutex_unlock(&m->print_lock);
        if (!kept) {
            c->status = gcast_error_set_memory(c->err);
            return false;
        }
    } else {
        free(b->out.data);
    }
    b->out = (text){0};
    atomic_fetch_add_explicit(&m->done_blocks, 1, memory_order_relaxed);
    return true;
}

/* Tells how much is done, if it is this core's to tell; false: it is to stop. */
static bool tell(core *c)
{
    const gcast_simt_options *o = c->machine->options;
    if (!c->tells || !o->progress)
        return true;
    uint64_t done = atomic_load_explicit(&c->machine->done_blocks, memory_order_relaxed);
    if (o->progress(o->progress_data, (double)done / (double)c->machine->blocks))
        return true;
    c->status = gcast_error_set(c->err, GCAST_RESOURCE, NULL, "stopped");
    return false;
}

/* Starts the next block there is; false: none, or no room, or failed. */
static bool start_next(core *c, resident *r)
{
    machine *m = c->machine;
    if (r->count == MOST_RESIDENT)
        return false;
    uint64_t number = atomic_fetch_add(&m->next_block, 1);
    if (number >= m->blocks) {
        atomic_store(&m->next_block, m->blocks);
        return false;
    }
    uint32_t at = 0;
    while (r->used[at])
        at++;
    if (!block_start(c, &r->block[at], number))
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

/* All blocks that are here get a turn; more are started when these cannot go on. */
static void run_resident(core *c, resident *r)
{
    machine *m = c->machine;
    while (c->status == GCAST_OK && !atomic_load(&m->stop)) {
        if (!tell(c) || (!r->count && !start_next(c, r)))
            return;
        bool stuck = true;
        uint64_t version = c->version;
        for (uint32_t i = 0; i < r->count;) {
            block *b = &r->block[r->order[i]];
            block_state s = block_run(c, b);
            if (s == BLOCK_FAILED)
                return;
            if (s == BLOCK_DONE && !finish(c, b))
                return;
            stuck &= s == BLOCK_STUCK;
            if (s == BLOCK_DONE)
                remove_at(r, i);
            else
                i++;
        }
        stuck &= version == c->version;
        if (r->count && !start_next(c, r) && stuck && c->status == GCAST_OK) {
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
        for (uint32_t i = 0; i < MOST_RESIDENT; i++)
            block_free(c->machine, &r->block[i]);
    }
    free(r);
    if (c->status != GCAST_OK)
        atomic_store(&c->machine->stop, true);
    return NULL;
}

gcast_status blocks_run(machine *m, core *cores, uint32_t count)
{
    pthread_t *threads = calloc(count, sizeof *threads);
    uint32_t started = 1;
    if (!threads)
        return gcast_error_set_memory(cores[0].err);
    cores[0].tells = true;
    while (started < count && pthread_create(&threads[started], NULL, run_core, &cores[started]) == 0)
        started++;
    run_core(&cores[0]);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    if (atomic_load(&m->conflict))
        return GCAST_NO;
    for (uint32_t i = 0; i < count; i++)
        if (cores[i].status != GCAST_OK)
            return cores[i].status;
    return GCAST_OK;
}
