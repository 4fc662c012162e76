/* In which order room is seen that comes back at one time on several SMs, and what
 * starts in between ("Looks" in docs/model.md). A head that takes all the room anyway
 * makes the order the same as seeing it at once. */
#include <stdlib.h>
#include <string.h>

#include "simulate/engine/state.h"

void look_note(sim *s, uint32_t chain)
{
    if (!s->gpu->look_step_ns)
        return;
    for (uint32_t g = chain; g != NONE; g = s->groups[g].next) {
        const sim_group *group = &s->groups[g];
        sim_back back = {group->op, group->sm, group->count, group->age, group->quarter, s->sms.order[group->sm]};
        if (!vec_push(&s->back, back))
            sim_fail_memory(s);
    }
}

static void close_all(sim *s, bool closed)
{
    memset(s->sms.closed, closed ? 0xff : 0, ((size_t)s->sms.count + 63) / 64 * sizeof *s->sms.closed);
}

static void open_one(sim *s, uint32_t rank)
{
    s->sms.closed[rank / 64] &= ~(UINT64_C(1) << (rank % 64));
}

/* Ranks need not follow the numbers of SMs. */
static int by_number(const void *a, const void *b)
{
    const sim_back *x = a, *y = b;
    return x->number - y->number;
}

/* Room came back on the SMs of one TPC only: one SM after the other if it was one block's on each. */
static void look_at_tpc(sim *s)
{
    qsort(s->back.at, s->back.count, sizeof *s->back.at, by_number);
    for (size_t i = 0; i < s->back.count; i++)
        if (s->back.at[i].count > 1 || (i && s->back.at[i].sm == s->back.at[i - 1].sm))
            return;
    for (size_t i = 0; i < s->back.count; i++) {
        close_all(s, true);
        open_one(s, s->back.at[i].sm);
        if (!execution_head_starts(s))
            return;
    }
}

static int by_sm(const void *a, const void *b)
{
    const sim_end *x = a, *y = b;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    return x->quarter - y->quarter;
}

static int by_seen(const void *a, const void *b)
{
    const sim_end *x = a, *y = b;
    return (x->seen > y->seen) - (x->seen < y->seen);
}

/* The blocks whose room comes back, in s->ends, that room taken again; false without memory. */
static bool take_back(sim *s)
{
    s->ends.count = 0;
    for (size_t i = 0; i < s->back.count; i++) {
        const sim_back *group = &s->back.at[i];
        sim_end end = {.entry = s->ops[group->op].entry,
                       .demand = s->state[group->op].demand,
                       .sm = group->sm,
                       .age = group->age,
                       .number = group->number,
                       .sleeps = s->tick.wake && sim_spec(s, group->op)->body == GCAST_BODY_SPIN};
        sm_state *sm = &s->sms.at[group->sm];
        int32_t next = sm->next_quarter;
        sm->next_quarter = group->quarter;
        for (uint32_t n = 0; n < group->count; n++) {
            end.quarter = sm->next_quarter;
            if (!vec_push(&s->ends, end))
                return false;
            sm_take_one(sm, end.demand);
        }
        sm->next_quarter = next;
    }
    return true;
}

/* In the order in which they are seen. */
static void order_by_reach(sim *s)
{
    int64_t nth = 0;
    qsort(s->ends.at, s->ends.count, sizeof *s->ends.at, by_sm);
    for (size_t i = 0; i < s->ends.count; i++) {
        sim_end *end = &s->ends.at[i];
        nth = i && end->sm == end[-1].sm ? nth + 1 : 0;
        end->seen = nth * s->gpu->look_step_ns + (s->gpu->reach_ns ? s->gpu->reach_ns[end->number] : 0);
    }
    qsort(s->ends.at, s->ends.count, sizeof *s->ends.at, by_seen);
}

static void look_by_reach(sim *s)
{
    bool more = true;
    if (!take_back(s)) {
        sim_fail_memory(s);
        return;
    }
    order_by_reach(s);
    close_all(s, true);
    for (size_t i = 0; i < s->ends.count; i++) {
        const sim_end *end = &s->ends.at[i];
        sm_give_one(&s->sms.at[end->sm], end->demand, end->quarter);
        open_one(s, end->sm);
        if (more && (i + 1 == s->ends.count || end[1].seen > end->seen))
            more = execution_head_starts(s);
    }
}

static int by_age(const void *a, const void *b)
{
    const sim_end *x = a, *y = b;
    if (x->number != y->number)
        return x->number - y->number;
    int32_t older = (int32_t)(x->age - y->age);
    return (older > 0) - (older < 0);
}

static int by_turn(const void *a, const void *b)
{
    const sim_end *x = a, *y = b;
    if (x->seen != y->seen)
        return x->seen < y->seen ? -1 : 1;
    return x->number - y->number;
}

/* One of each SM in turn, the oldest of an SM first. */
static void order_by_turn(sim *s)
{
    qsort(s->ends.at, s->ends.count, sizeof *s->ends.at, by_age);
    for (size_t i = 0; i < s->ends.count; i++) {
        sim_end *end = &s->ends.at[i];
        end->seen = i && end->sm == end[-1].sm ? end[-1].seen + 1 : 0;
    }
    qsort(s->ends.at, s->ends.count, sizeof *s->ends.at, by_turn);
}

/* Room came back on the SMs of one TPC only, of blocks that sleep until their time is over: all their
 * warps but the one that keeps the time have left before the end of any is seen. */
static void look_by_warps(sim *s)
{
    bool more = true;
    if (!take_back(s)) {
        sim_fail_memory(s);
        return;
    }
    order_by_turn(s);
    close_all(s, true);
    for (size_t i = 0; i < s->ends.count; i++) {
        const sim_end *end = &s->ends.at[i];
        open_one(s, end->sm);
        if (end->sleeps)
            sm_give_warps(&s->sms.at[end->sm], end->demand, end->quarter);
    }
    for (size_t i = 0; i < s->ends.count; i++) {
        const sim_end *end = &s->ends.at[i];
        if (end->sleeps)
            sm_give_last(&s->sms.at[end->sm], end->demand, end->quarter);
        else
            sm_give_one(&s->sms.at[end->sm], end->demand, end->quarter);
        if (more)
            more = execution_head_starts(s);
    }
}

void look_dispatch(sim *s)
{
    int per = s->gpu->sms_per_tpc;
    bool sms = false, tpcs = false; /* room came back on several */
    s->tick.refills = s->back.count > 0;
    for (size_t i = 1; i < s->back.count; i++) {
        sms |= s->back.at[i].sm != s->back.at[0].sm;
        tpcs |= s->back.at[i].number / per != s->back.at[0].number / per;
    }
    if (sms && !execution_takes_all(s)) {
        s->looking = true;
        if (tpcs)
            look_by_reach(s);
        else if (s->tick.wake)
            look_by_warps(s);
        else
            look_at_tpc(s);
        close_all(s, false);
        s->looking = false;
    }
    s->back.count = 0;
    execution_dispatch(s);
}
