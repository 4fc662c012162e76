#include "smc/early_exit.h"

#include <string.h>

#include "base/vec.h"
#include "ptx/instruction.h"
#include "smc/divergence.h"
#include "smc/transformed_kernel.h"

static bool synchronizes_warp(const ptx_instruction *in)
{
    bool is_barrier = ptx_is(in, "bar") || ptx_is(in, "barrier");
    return is_barrier ? ptx_has(in, "warp") : ptx_has(in, "sync");
}

static bool function_synchronizes(const ptx_function *f)
{
    for (uint32_t i = 0; i < f->items; i++)
        if (f->item[i].kind == PTX_ITEM_INSTRUCTION && synchronizes_warp(f->item[i].instruction))
            return true;
    return false;
}

/* Does a function that the kernel calls synchronize warps? */
static bool callee_synchronizes(const smc_kernel *k)
{
    for (uint32_t i = 1; i < k->reached->functions; i++)
        if (function_synchronizes(k->reached->function[i]))
            return true;
    return false;
}

/* The first instruction in the region at which a warp synchronizes; NULL: there is none. */
static const ptx_instruction *find_in_region(const ptx_graph *g, const uint8_t *in_region, bool calls_count)
{
    for (uint32_t b = 0; b < g->blocks; b++)
        for (uint32_t i = g->block[b].first; in_region[b] && i < g->block[b].first + g->block[b].count; i++)
            if (synchronizes_warp(g->in[i]) || (calls_count && ptx_is(g->in[i], "call")))
                return g->in[i];
    return NULL;
}

typedef struct warp_search {
    const smc_kernel *k;
    smc_regions regions; /* regions of its branches */
    smc_varying varying; /* registers and branches that differ between threads */
    bool calls_count;    /* a called function synchronizes warps */
    uint8_t *is_in;      /* by block: it is in the current region, or was visited */
    uint32_t *todo;      /* work list */
} warp_search;

static bool waits_for_others(const warp_search *s, const ptx_instruction *in)
{
    return synchronizes_warp(in) || ptx_is(in, "bar") || ptx_is(in, "barrier") ||
           (s->calls_count && ptx_is(in, "call"));
}

/* Can a thread pass this block without waiting for others? */
static bool passes(const warp_search *s, const ptx_graph_block *x)
{
    for (uint32_t i = x->first; i < x->first + x->count; i++)
        if (waits_for_others(s, s->k->graph.in[i]))
            return false;
    return true;
}

/* Can a thread get from block b to the end of the kernel without waiting for others? */
static bool may_end_alone(warp_search *s, uint32_t b)
{
    const ptx_graph *g = &s->k->graph;
    uint32_t count = 0;
    memset(s->is_in, 0, g->blocks);
    s->todo[count++] = b;
    s->is_in[b] = 1;
    while (count) {
        const ptx_graph_block *x = &g->block[s->todo[--count]];
        const ptx_instruction *last = g->in[x->first + x->count - 1];
        if (!passes(s, x))
            continue;
        if (x == &g->block[g->blocks - 1] || ptx_is(last, "ret") || ptx_is(last, "exit"))
            return true;
        for (uint32_t e = x->edge; e < x->edge + x->edges; e++)
            if (!s->is_in[g->edge[e]]) {
                s->is_in[g->edge[e]] = 1;
                s->todo[count++] = g->edge[e];
            }
    }
    return false;
}

/* Refuses branches after which some threads may end while others of their warp still synchronize in the branch's
 * region. This is possible if the paths meet only at the end, or if a thread can get from the meeting place to the end
 * alone. */
static gcast_status check_branches(warp_search *s, gcast_error *err)
{
    const ptx_graph *g = &s->k->graph;
    for (uint32_t b = 0; b < g->blocks; b++) {
        uint32_t join = s->regions.postdominator[b];
        if (!g->block[b].reached || !s->varying.branch[b] || (join != g->blocks && !may_end_alone(s, join)))
            continue;
        memset(s->is_in, 0, g->blocks);
        if (!smc_regions_mark(&s->regions, b, s->is_in))
            return gcast_error_set_memory(err);
        const ptx_instruction *in = find_in_region(g, s->is_in, s->calls_count);
        if (in)
            return smc_refuse(s->k, in->at, err,
                              "threads of a warp may have ended before others of it synchronize here");
    }
    return GCAST_OK;
}

gcast_status smc_check_whole_warps(const smc_kernel *k, gcast_error *err)
{
    arena memory = {0};
    warp_search s = {.k = k, .calls_count = callee_synchronizes(k)};
    if (k->whole_warps || (!function_synchronizes(k->fn) && !s.calls_count))
        return GCAST_OK;
    s.is_in = arena_alloc_array(&memory, (size_t)k->graph.blocks + 1, 1);
    s.todo = arena_alloc_array(&memory, (size_t)k->graph.blocks + 1, sizeof *s.todo);
    bool ok = smc_regions_open(&s.regions, &k->graph) && s.is_in && s.todo;
    gcast_status status = ok ? smc_varying_find(&k->graph, &memory, &s.varying, err) : gcast_error_set_memory(err);
    if (status == GCAST_OK)
        status = check_branches(&s, err);
    smc_regions_close(&s.regions);
    arena_free(&memory);
    return status;
}

/* smc_meeting_choose: in the original kernel, a barrier does not wait for threads that have exited. In the transformed
 * kernel these go on to the next job. There they must not count as having reached the barrier, nor hold up the others.
 *
 * Threads meet plainly if this cannot happen. That is so if after every branch that varies, all threads reach the same
 * barrier instruction next, or all end, or all reach the place where their paths have met again without either. Then
 * threads that pass a barrier or end are always at the same place, with the same values in all registers that do not
 * vary; so by induction, a thread that ends misses no barrier at which another thread still waits.
 *
 * Otherwise, threads that have ended vote yes at the kernel's barrier, again and again, while the others vote no at
 * theirs, until all have ended. */

/* The next event of threads after a branch: a barrier, by its instruction, or one of these. */
#define NOTHING_YET UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)
#define THE_END (UINT32_MAX - 2)
#define ONE_PATH_AGAIN (UINT32_MAX - 3)

typedef struct search {
    const ptx_graph *g;  /* the kernel */
    smc_regions regions; /* regions of its branches */
    smc_varying varying; /* registers and branches that differ between threads */
    uint32_t outcome;    /* next event after the current branch, as far as is known */
    VEC(uint32_t) todo;  /* work list */
    uint32_t *seen_for;  /* by block: 1 + the last branch for which it was visited */
} search;

static void reach(search *s, uint32_t outcome)
{
    s->outcome = s->outcome == NOTHING_YET || s->outcome == outcome ? outcome : SEVERAL;
}

/* Is it a barrier for all threads? */
static bool is_full(const ptx_instruction *in)
{
    smc_barrier barrier;
    return smc_barrier_of(in, &barrier) && !barrier.is_counted;
}

static bool ends_thread(const ptx_instruction *in)
{
    return ptx_is(in, "ret") || ptx_is(in, "exit") || ptx_is(in, "trap");
}

/* Looks for events in a block; false: no thread reaches the end of the block. */
static bool pass(search *s, uint32_t b)
{
    const ptx_graph_block *x = &s->g->block[b];
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const ptx_instruction *in = s->g->in[i];
        if (!is_full(in) && !ends_thread(in))
            continue;
        reach(s, is_full(in) ? i : THE_END);
        if (in->guard < 0)
            return false;
    }
    return true;
}

/* Adds the successors of b to the work list, up to `join`, where the paths of the branch meet again. */
static bool go_on(search *s, uint32_t b, uint32_t branch, uint32_t join)
{
    const ptx_graph_block *x = &s->g->block[b];
    const ptx_instruction *last = s->g->in[x->first + x->count - 1];
    if (b + 1 == s->g->blocks && (!ptx_is_jump(last) || last->guard >= 0))
        reach(s, THE_END);
    for (uint32_t e = x->edge; e < x->edge + x->edges; e++) {
        uint32_t next = s->g->edge[e];
        if (next == join)
            reach(s, ONE_PATH_AGAIN);
        else if (s->seen_for[next] != branch + 1) {
            s->seen_for[next] = branch + 1;
            if (!vec_push(&s->todo, next))
                return false;
        }
    }
    return true;
}

/* Do threads have different next events after this branch? *ok is false without memory. */
static bool has_several_events(search *s, uint32_t branch, bool *ok)
{
    const ptx_graph_block *x = &s->g->block[branch];
    uint32_t join = s->regions.postdominator[branch];
    s->outcome = NOTHING_YET;
    s->todo.count = 0;
    if (ends_thread(s->g->in[x->first + x->count - 1]))
        reach(s, THE_END);
    *ok = go_on(s, branch, branch, join);
    while (s->todo.count && *ok && s->outcome != SEVERAL) {
        uint32_t b = s->todo.at[--s->todo.count];
        if (pass(s, b))
            *ok = go_on(s, b, branch, join);
    }
    return s->outcome == SEVERAL;
}

/* Can threads meet plainly? A barrier whose guard varies counts as a branch. */
static gcast_status find_plain(const smc_kernel *k, bool *plain, gcast_error *err)
{
    const ptx_graph *g = &k->graph;
    arena memory = {0};
    search s = {.g = g};
    s.seen_for = arena_alloc_array(&memory, (size_t)g->blocks + 1, sizeof *s.seen_for);
    bool ok = smc_regions_open(&s.regions, g) && s.seen_for;
    gcast_status status = ok ? smc_varying_find(g, &memory, &s.varying, err) : GCAST_RESOURCE;
    *plain = true;
    for (uint32_t b = 0; b < g->blocks && ok && status == GCAST_OK; b++)
        if (g->block[b].reached && s.varying.branch[b])
            *plain = !has_several_events(&s, b, &ok) && *plain;
    for (uint32_t i = 0; i < g->count && ok && status == GCAST_OK; i++)
        if (is_full(g->in[i]) && g->in[i]->guard >= 0 && s.varying.reg[g->in[i]->guard])
            *plain = false;
    smc_regions_close(&s.regions);
    vec_free(&s.todo);
    arena_free(&memory);
    return ok ? status : gcast_error_set_memory(err);
}

/* A summary of the kernel's barriers. */
typedef struct survey {
    uint32_t full, counted;            /* bits by number: barriers for all threads; barriers with a thread count */
    const ptx_instruction *first;      /* the first barrier for all threads; NULL: none */
    const ptx_instruction *voted;      /* a barrier for all threads with a result; NULL: none */
    const ptx_instruction *unnumbered; /* a barrier whose number is in a register; NULL: none */
} survey;

static void survey_barriers(const smc_kernel *k, survey *s)
{
    for (uint32_t i = 0; i < k->graph.count; i++) {
        const ptx_instruction *in = k->graph.in[i];
        smc_barrier b;
        if (!smc_barrier_of(in, &b))
            continue;
        if (!b.has_number)
            s->unnumbered = in;
        if (b.is_counted) {
            s->counted |= 1u << b.number;
            continue;
        }
        s->full |= 1u << b.number;
        if (!s->first)
            s->first = in;
        if (b.has_result)
            s->voted = in;
    }
}

static gcast_status check_proxy(const smc_kernel *k, const survey *s, gcast_error *err)
{
    if (s->full & (s->full - 1))
        return smc_refuse(k, s->first->at, err,
                          "threads may end before others reach a barrier, and there are barriers of several numbers");
    if (s->voted)
        return smc_refuse(k, s->voted->at, err, "threads may end before others vote at this barrier");
    if (k->module->sm < 70 || k->module->version_major < 6)
        return smc_refuse(
            k, s->first->at, err,
            "threads may end before others reach this barrier, which needs .target sm_70 and .version 6.0");
    if (s->full & s->counted)
        return smc_refuse(k, s->first->at, err, "this barrier is used for all threads and for a number of them");
    return GCAST_OK;
}

gcast_status smc_meeting_choose(smc_kernel *k, gcast_error *err)
{
    survey s = {0};
    bool plain = true;
    survey_barriers(k, &s);
    if (s.unnumbered)
        return smc_refuse(k, s.unnumbered->at, err, "the number of this barrier is not known");
    gcast_status status = s.full ? find_plain(k, &plain, err) : GCAST_OK;
    if (status == GCAST_OK && !plain)
        status = check_proxy(k, &s, err);
    if (status != GCAST_OK)
        return status;
    k->meeting = plain ? MEET_PLAINLY : MEET_AS_PROXY;
    if (!plain) {
        k->barrier = (uint32_t)__builtin_ctz(s.full);
        return GCAST_OK;
    }
    for (k->barrier = 0; k->barrier < 16 && (s.counted >> k->barrier & 1);)
        k->barrier++;
    if (k->barrier == 16)
        return smc_refuse(k, k->fn->at, err,
                          "it uses all 16 barriers of a block, and none is left to meet at between jobs");
    return GCAST_OK;
}
