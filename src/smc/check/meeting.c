/* In the original kernel a thread that has exited is not waited for at a barrier. In the transformed one it goes on to
 * the next job, and must not be taken for one that has reached the barrier, nor hold the others up. Threads meet
 * plainly where this cannot come up: after every branch at which threads part, all come to the same barrier instruction
 * next, or all end, or all come to the place where their paths have met again without either. Then threads are always
 * at the same place, with the same values in what does not vary, when they pass a barrier or end; so by induction a
 * thread that ends has no barrier missing that another one still waits at. Else threads that have ended vote yes at the
 * kernel's barrier, again and again, while the others vote no at theirs, until all have ended. */
#include "smc/check/meeting.h"

#include "base/vec.h"
#include "ptx/graph/roles.h"
#include "ptx/words.h"
#include "smc/check/barrier_form.h"
#include "smc/check/refusal.h"
#include "smc/check/regions.h"
#include "smc/check/varying.h"

/* What threads come to next after a branch: a barrier, by its instruction, or one of these. */
#define NOTHING_YET UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)
#define THE_END (UINT32_MAX - 2)
#define ONE_PATH_AGAIN (UINT32_MAX - 3)

typedef struct search {
    const ptx_graph *g;  /* the kernel */
    smc_regions regions; /* of its branches */
    smc_varying varying; /* what differs between threads */
    uint32_t outcome;    /* of the branch at hand so far */
    VEC(uint32_t) todo;  /* blocks to look at */
    uint32_t *seen_for;  /* by block: 1 + the branch that it was last looked at for */
} search;

static void come_to(search *s, uint32_t outcome)
{
    s->outcome = s->outcome == NOTHING_YET || s->outcome == outcome ? outcome : SEVERAL;
}

static bool is_full(const ptx_instruction *in)
{
    smc_barrier barrier;
    return smc_barrier_of(in, &barrier) && !barrier.is_counted;
}

static bool ends_thread(const ptx_instruction *in)
{
    return ptx_is(in, "ret") || ptx_is(in, "exit") || ptx_is(in, "trap");
}

/* Looks through a block; false: no thread comes to its end. */
static bool pass(search *s, uint32_t b)
{
    const ptx_graph_block *x = &s->g->block[b];
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const ptx_instruction *in = s->g->in[i];
        if (!is_full(in) && !ends_thread(in))
            continue;
        come_to(s, is_full(in) ? i : THE_END);
        if (in->guard < 0)
            return false;
    }
    return true;
}

/* Goes on to the blocks after b on the way to `join`, where the paths of the branch have met again. */
static bool go_on(search *s, uint32_t b, uint32_t branch, uint32_t join)
{
    const ptx_graph_block *x = &s->g->block[b];
    const ptx_instruction *last = s->g->in[x->first + x->count - 1];
    if (b + 1 == s->g->blocks && (!ptx_is_jump(last) || last->guard >= 0))
        come_to(s, THE_END);
    for (uint32_t e = x->edge; e < x->edge + x->edges; e++) {
        uint32_t next = s->g->edge[e];
        if (next == join)
            come_to(s, ONE_PATH_AGAIN);
        else if (s->seen_for[next] != branch + 1) {
            s->seen_for[next] = branch + 1;
            if (!vec_push(&s->todo, next))
                return false;
        }
    }
    return true;
}

/* Do threads that part after this block come to different things next? False without memory, too: *ok says so. */
static bool parts_badly(search *s, uint32_t branch, bool *ok)
{
    const ptx_graph_block *x = &s->g->block[branch];
    uint32_t join = s->regions.postdominator[branch];
    s->outcome = NOTHING_YET;
    s->todo.count = 0;
    if (ends_thread(s->g->in[x->first + x->count - 1]))
        come_to(s, THE_END);
    *ok = go_on(s, branch, branch, join);
    while (s->todo.count && *ok && s->outcome != SEVERAL) {
        uint32_t b = s->todo.at[--s->todo.count];
        if (pass(s, b))
            *ok = go_on(s, b, branch, join);
    }
    return s->outcome == SEVERAL;
}

/* Does a thread meet the others plainly? A guarded barrier of which the guard varies counts as a branch. */
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
            *plain = !parts_badly(&s, b, &ok) && *plain;
    for (uint32_t i = 0; i < g->count && ok && status == GCAST_OK; i++)
        if (is_full(g->in[i]) && g->in[i]->guard >= 0 && s.varying.reg[g->in[i]->guard])
            *plain = false;
    smc_regions_close(&s.regions);
    vec_free(&s.todo);
    arena_free(&memory);
    return ok ? status : gcast_error_set_memory(err);
}

/* What the barriers of the kernel are like. */
typedef struct survey {
    uint32_t full, counted;               /* numbers of barriers for all threads, and with a count: a bit each */
    const ptx_instruction *first, *voted; /* the first for all threads; one of these with a result; NULL: none */
    const ptx_instruction *unnumbered;    /* one whose number is in a register; NULL: none */
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
