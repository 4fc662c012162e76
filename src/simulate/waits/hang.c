#include "simulate/waits/hang.h"

#include "base/arena.h"
#include "base/minmax.h"
#include "model/workload/attributes/attributes.h"

bool hang_found(const sim *s)
{
    bool left = false;
    for (uint32_t o = 0; s->waits && s->waits->may_hang && o < s->op_count; o++)
        left = left || (s->ops[o].call_ns >= 0 && s->ops[o].end_ns < 0 && gcast_kind_on_gpu(sim_spec(s, o)->kind));
    return left;
}

/* The last time at which anything happened to o. */
static int64_t last_time(const sim *s, uint32_t o)
{
    const gcast_run_op *r = &s->ops[o];
    const waiting_blocks *blocks = &s->waits->ops[o].blocks;
    int64_t last = max_i64(max_i64(r->call_ns, r->return_ns), max_i64(r->arrive_ns, r->head_ns));
    last = max_i64(last, max_i64(r->enter_ns, max_i64(r->dispatched_ns, r->end_ns)));
    if (s->state[o].dispatched)
        last = max_i64(last, s->state[o].last_end_ns);
    for (size_t i = 0; i < blocks->count; i++)
        last = max_i64(last, blocks->at[i].start_ns + sim_spec(s, o)->wait_ns);
    return last;
}

/* Blocks of o that wait end with the run, and those behind them never start. */
static bool record_blocks(sim *s, uint32_t o, int64_t time)
{
    const gcast_run_op *r = &s->ops[o];
    const waiting_blocks *waiting = &s->waits->ops[o].blocks;
    gcast_block *blocks = s->blocks && r->blocks ? s->blocks + (r->blocks - s->blocks) : NULL;
    bool ok = true;
    for (size_t i = 0; i < waiting->count && ok; i++) {
        const waiting_block *w = &waiting->at[i];
        const sim_group *group = &s->groups[w->group];
        gcast_block b = {.start_ns = w->start_ns,
                         .end_ns = time,
                         .sm = (uint32_t)s->sms.order[group->rank],
                         .quarter = (uint32_t)group->quarter};
        if (blocks)
            blocks[w->block] = b;
        else
            ok = window_add(&s->window, o, w->block, b);
    }
    for (uint64_t b = s->state[o].dispatched; blocks && b < r->block_count; b++)
        blocks[attributes_block_at(sim_spec(s, o), b)] = (gcast_block){.start_ns = -1, .end_ns = -1};
    return ok;
}

/* A call that was made and never returns, or was never made. */
static void settle_call(gcast_run_op *r, const gcast_op *op)
{
    if (r->call_ns < 0)
        r->skipped = true;
    else if (!gcast_kind_on_gpu(op->kind) && r->start_ns < 0)
        r->start_ns = r->dispatched_ns = r->call_ns;
}

bool hang_record(sim *s, gcast_run *run)
{
    gcast_hang *hang = arena_alloc(s->run_memory, sizeof *hang);
    gcast_hung_op *ops = arena_alloc_array(s->run_memory, (size_t)s->op_count + 1, sizeof *ops);
    if (!hang || !ops)
        return false;
    *hang = (gcast_hang){.ops = ops};
    for (uint32_t o = 0; o < s->op_count; o++)
        hang->time_ns = max_i64(hang->time_ns, last_time(s, o));
    for (uint32_t o = 0; o < s->op_count; o++) {
        gcast_run_op *r = &s->ops[o];
        const gcast_op *op = sim_spec(s, o);
        settle_call(r, op);
        if (r->skipped || r->end_ns >= 0 || !gcast_kind_on_gpu(op->kind))
            continue;
        uint64_t left = op->kind == GCAST_KIND_KERNEL ? r->block_count - s->state[o].dispatched : 0;
        ops[hang->op_count++] = (gcast_hung_op){o, s->waits->ops[o].blocks.count, left};
        if (!record_blocks(s, o, hang->time_ns))
            return false;
    }
    run->hang = hang;
    run->end_ns = hang->time_ns;
    return true;
}
