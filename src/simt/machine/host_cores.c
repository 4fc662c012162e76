/* Runs the blocks of a launch on the cores of this computer. One core starts them in the order of the placement, or of
 * their numbers; while a block can only wait for others, the core starts further blocks, up to MAX_RESIDENT_BLOCKS at
 * a time. Several cores take blocks as they come. If blocks exchange data, or anything fails, the caller runs all of
 * them again in turn, so that the order decides and not the cores. */
#include "simt/machine/host_cores.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "simt/cost/cost_model.h"
#include "simt/machine/calls.h"
#include "simt/machine/machine.h"
#include "simt/machine/reconvergence_stack.h"
#include "simt/machine/spin.h"
#include "simt/machine/thread_scheduling.h"
#include "simt/machine/warp.h"
#include "simt/program/program.h"
#include "simt/races/races.h"

/* The warps of a block take turns until all are done, or none can go on. */

typedef enum {
    BLOCK_PAUSED, /* its turn is over */
    BLOCK_STUCK,  /* none of its warps can go on */
    BLOCK_DONE,   /* all its warps are done */
    BLOCK_FAILED  /* the error of the core is set, or all cores stop */
} block_state;

#define WARP_TURN 4096        /* instructions of a warp before the next warp runs */
#define MAX_RANDOM_TURN 100   /* maximum of instructions if turns are drawn at random */
#define BLOCK_TURN (1u << 20) /* instructions of a block before other blocks on this core run */

static bool start_warp(core *c, block *b, uint32_t n)
{
    warp *w = &b->warp[n];
    uint32_t threads = c->machine->block_threads - n * LANES;
    w->block = b;
    w->number = n;
    w->threads = threads >= LANES ? ALL_LANES : (1u << threads) - 1;
    w->exited = 0;
    w->pc = c->machine->program->function[0].first;
    w->frame = calls_first(c, w);
    w->instructions = w->turn_start = w->back_jumps = w->watch_until = w->barrier_arrival = w->barrier_wait = 0;
    w->watched_version = UINT64_MAX;
    w->issue_clock = 0;
    w->clock_read = w->at_barrier = false;
    w->state = WARP_PAUSED;
    if (!w->frame)
        return false;
    threads_start(w);
    return c->machine->options->model != GCAST_SIMT_STACK || stack_start(c, w);
}

/* Starts a block of the grid, in memory that an earlier block may have used; false with the error set. */
static bool block_start(core *c, block *b, uint64_t number)
{
    const machine *m = c->machine;
    const uint32_t *grid = m->launch->grid;
    uint32_t shared = m->program->shared_bytes;
    if (!b->warp) {
        b->warp = calloc(m->block_warps, sizeof *b->warp);
        b->shared = aligned_alloc(64, (size_t)round_up((int64_t)shared + 64, 64));
        if (!b->warp || !b->shared) {
            c->status = gcast_error_set_memory(c->err);
            return false;
        }
    }
    b->warps = m->block_warps;
    b->number = number;
    b->index[0] = (uint32_t)(number % grid[0]);
    b->index[1] = (uint32_t)(number / grid[0] % grid[1]);
    b->index[2] = (uint32_t)(number / grid[0] / grid[1]);
    b->live_threads = m->block_threads;
    b->random_state = m->options->interleave + number;
    b->instructions = b->sleep_ns = b->shared_version = b->global_version = 0;
    memset(b->barrier, 0, sizeof b->barrier);
    memset(b->shared, 0, shared);
    if (m->races && !races_block_start(c, b)) {
        c->status = gcast_error_set_memory(c->err);
        return false;
    }
    text_open(&b->printed, NULL, NULL);
    for (uint32_t n = 0; n < b->warps; n++)
        if (!start_warp(c, b, n))
            return false;
    return !m->options->cost || cost_block_start(c, b);
}

static void block_free(const machine *m, block *b)
{
    races_block_end(m, b);
    for (uint32_t n = 0; b->warp && n < b->warps; n++)
        calls_warp_free(&b->warp[n]);
    free(b->warp);
    free(b->shared);
    cost_block_free(b);
    free(b->printed.data);
    *b = (block){0};
}

static void count_warp(core *c, const warp *w)
{
    c->warps++;
    c->max_warp_instructions = max_u64(c->max_warp_instructions, w->instructions);
}

static uint32_t random_below(block *b, uint32_t limit)
{
    b->random_state = b->random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(b->random_state >> 33) % limit;
}

/* Runs a warp for one turn; w->state says how it ended. */
static bool run_warp(core *c, warp *w)
{
    const machine *m = c->machine;
    uint64_t left = m->max_instructions - w->instructions;
    uint64_t turn = m->options->interleave ? 1 + random_below(w->block, MAX_RANDOM_TURN) : WARP_TURN;
    w->state = (uint8_t)warp_run(c, w, left < turn ? left + 1 : turn);
    if (w->state == WARP_FAILED)
        return false;
    if (w->instructions > m->max_instructions)
        return machine_fail(
            c, w, w->state == WARP_PAUSED ? &m->program->op[w->pc] : NULL, -1,
            "warp %u of block (%u,%u,%u) has run more than %llu instructions, the most that were allowed", w->number,
            w->block->index[0], w->block->index[1], w->block->index[2], (unsigned long long)m->max_instructions);
    if (w->state == WARP_DONE)
        count_warp(c, w);
    return true;
}

static block_state block_run(core *c, block *b)
{
    uint64_t start = b->instructions;
    for (;;) {
        bool progress = false;
        uint32_t done = 0;
        uint64_t version = spin_version(c, &b->warp[0]);
        if (b->cost)
            cost_turn(b);
        uint32_t first = c->machine->options->interleave ? random_below(b, b->warps) : 0;
        for (uint32_t n = 0; n < b->warps; n++) {
            warp *w = &b->warp[(first + n) % b->warps];
            if (w->state == WARP_DONE) {
                done++;
                continue;
            }
            if (b->cost && w->state == WARP_PAUSED && w->issue_clock >= b->cost->horizon) {
                progress = true;
                continue;
            }
            if (b->cost && w->state == WARP_SPINS) /* the write that it waits for does not come earlier */
                w->issue_clock = max_u64(w->issue_clock, b->cost->latest_issue);
            uint64_t before = w->instructions;
            if (!run_warp(c, w))
                return BLOCK_FAILED;
            done += w->state == WARP_DONE;
            progress |= w->state == WARP_PAUSED || w->state == WARP_DONE ||
                        (w->state == WARP_BLOCKED && w->instructions != before);
            if (atomic_load_explicit(&c->machine->stopping, memory_order_relaxed))
                return BLOCK_FAILED;
        }
        if (done == b->warps) {
            if (b->cost)
                cost_block_end(c, b);
            races_block_end(c->machine, b);
            return BLOCK_DONE;
        }
        progress |= version != spin_version(c, &b->warp[0]); /* warps that spin may go on */
        if (!progress)
            return BLOCK_STUCK;
        if (b->instructions - start > BLOCK_TURN)
            return BLOCK_PAUSED;
    }
}

/* The message of a deadlock says which lanes wait or spin, and at which line. */

typedef struct sentence {
    char text[400]; /* so far */
    size_t used;    /* its length */
    const program *program;
    const op *first; /* the first op that it names */
} sentence;

static void say(sentence *s, const op *o, uint32_t mask, const char *verb)
{
    char place[80];
    source_place(s->program, o, place, sizeof place);
    int n = snprintf(s->text + s->used, sizeof s->text - s->used, "%slanes 0x%08x %s at line %d%s", s->used ? ", " : "",
                     mask, verb, o->line, place);
    if (n > 0 && s->used + (size_t)n < sizeof s->text)
        s->used += (size_t)n;
    else
        s->text[s->used] = '\0';
    if (!s->first)
        s->first = o;
}

static void say_stack(const core *c, const warp *w, sentence *s)
{
    const op *ops = c->machine->program->op;
    uint32_t covered = w->active;
    say(s, &ops[w->at_barrier && w->pc ? w->pc - 1 : w->pc], w->active, w->at_barrier ? "wait" : "spin");
    for (uint32_t i = w->stack_top ? w->stack_top - 1 : 0; i-- > 0;) {
        const stack_entry *e = &w->stack[i];
        uint32_t rest = e->mask & ~covered;
        if (rest && e->pc != NO_PC)
            say(s, &ops[e->pc], rest, "wait for them");
        covered |= rest;
    }
}

static int wait_of(const warp *w, uint32_t lane)
{
    for (int k = 0; k < WAIT_KINDS; k++)
        if (w->waiting[k] >> lane & 1)
            return k;
    return -1;
}

static void say_threads(const core *c, const warp *w, sentence *s)
{
    const op *ops = c->machine->program->op;
    uint32_t left = warp_live(w);
    for (int state = -1; state < WAIT_KINDS; state++)
        for (uint32_t lanes = left; lanes;) {
            uint32_t first = (uint32_t)__builtin_ctz(lanes), set = 0;
            EACH_SET(i, lanes)
            set |= (uint32_t)(w->lane_pc[i] == w->lane_pc[first] && wait_of(w, i) == wait_of(w, first)) << i;
            lanes &= ~set;
            if (wait_of(w, first) != state)
                continue;
            bool past_op = state == WAIT_BARRIER || state == WAIT_WARP;
            uint32_t pc = w->waits_together && state == WAIT_BARRIER ? w->pc : w->lane_pc[first];
            say(s, &ops[pc - past_op], set, state < 0 ? "spin" : "wait");
        }
}

/* Fails with a message that says why a block makes no progress. `waiting` blocks have not started. */
static void block_deadlock(core *c, const block *b, uint64_t waiting)
{
    const warp *found = NULL;
    for (uint32_t n = 0; n < b->warps && !found; n++)
        if (b->warp[n].state == WARP_SPINS || b->warp[n].state == WARP_STUCK)
            found = &b->warp[n];
    for (uint32_t n = 0; n < b->warps && !found; n++)
        if (b->warp[n].state != WARP_DONE)
            found = &b->warp[n];
    if (!found)
        return;
    sentence s = {.program = c->machine->program};
    if (c->machine->options->model == GCAST_SIMT_STACK)
        say_stack(c, found, &s);
    else
        say_threads(c, found, &s);
    char not_started[80] = "";
    if (waiting)
        snprintf(not_started, sizeof not_started, "; %llu more %s for room, as %d run at a time",
                 (unsigned long long)waiting, waiting == 1 ? "waits" : "wait", MAX_RESIDENT_BLOCKS);
    machine_fail(c, found, s.first, -1, "deadlock in warp %u of block (%u,%u,%u): %s%s", found->number, b->index[0],
                 b->index[1], b->index[2], s.text, not_started);
}

/* The blocks that run on one core. */
typedef struct resident {
    block block[MAX_RESIDENT_BLOCKS];    /* by slot; the memory of ended blocks is reused */
    bool used[MAX_RESIDENT_BLOCKS];      /* by slot: it has a block */
    uint32_t order[MAX_RESIDENT_BLOCKS]; /* slots of the blocks, oldest first */
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

/* Reports the progress, if that is the job of this core; false: the caller wants to stop. */
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

/* Starts the next block of the grid; false: there is none, the core is full, or this failed. */
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

/* Gives all resident blocks turns, and starts another block when these cannot go on. */
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
