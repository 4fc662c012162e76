/* Barriers of a block: bar and barrier with their number and count. Since Volta
 * each thread arrives for itself, before that a warp arrives as a whole. Threads
 * that have exited are not waited for, unless a count is given. */
#include "simt/warp/barrier.h"

#include "simt/cost/cost.h"
#include "simt/memory/memory.h"
#include "simt/races/races.h"
#include "simt/warp/warp.h"

/* A value that must be the same for all lanes. */
static bool uniform(core *c, warp *w, const op *o, slot s, uint32_t m, const char *what, uint32_t *out)
{
    const u32 *x = row(&w->frame->rows, s);
    *out = x[__builtin_ctz(m)];
    EACH_SET(i, m)
    if (x[i] != *out)
        return machine_fail(c, w, o, (int)i, "names another %s than lane %d of its warp", what, __builtin_ctz(m));
    return true;
}

/* What bar.red gives to a lane that was waiting. */
static void give_result(core *c, warp *w, const barrier *b, uint32_t lane)
{
    const op *o = &c->machine->program->op[w->lane_pc[lane] - 1];
    const rows *r = &w->lane_frame[lane]->rows;
    if (o->what == BARRIER_POPC) {
        ((u32 *)row(r, o->d))[lane] = b->popc;
    } else if (o->what == BARRIER_AND || o->what == BARRIER_OR) {
        u32 *p = row(r, o->d);
        bool x = o->what == BARRIER_AND ? b->popc == b->voted : b->popc != 0;
        *p = (*p & ~(1u << lane)) | (uint32_t)x << lane;
    }
}

static uint32_t waiting_for(const warp *w, uint32_t id)
{
    uint32_t m = w->waits[WAIT_BARRIER] & w->threads & ~w->exited;
    if (w->together)
        return m && w->wait_mask[0] == id ? m : 0;
    EACH_SET(i, m) if (w->wait_mask[i] != id) m &= ~(1u << i);
    return m;
}

/* When the last of those that wait came. */
static uint64_t latest_of(const block *b, uint32_t id)
{
    uint64_t latest = 0;
    for (uint32_t n = 0; n < b->warps; n++)
        if (waiting_for(&b->warp[n], id) && b->warp[n].barrier_since > latest)
            latest = b->warp[n].barrier_since;
    return latest;
}

static void release(core *c, block *b, uint32_t id)
{
    barrier *x = &b->barrier[id];
    uint64_t latest = latest_of(b, id);
    if (b->races)
        races_complete(c, b, id, !x->expected);
    for (uint32_t n = 0; n < b->warps; n++) {
        warp *w = &b->warp[n];
        uint32_t waited = waiting_for(w, id);
        if (!waited)
            continue;
        uint32_t pc = w->together ? w->pc : w->lane_pc[__builtin_ctz(waited)];
        if (c->machine->program->op[pc - 1].what >= BARRIER_POPC)
            EACH_SET(i, waited) give_result(c, w, x, i);
        c->counts[pc - 1].waits += latest - w->barrier_since;
        w->waited += latest - w->barrier_since;
        if (b->cost)
            cost_release(c, w, x->latest);
        if (b->races)
            races_leave(c, w, waited, id);
        w->waits[WAIT_BARRIER] &= ~waited;
        w->at_barrier = false;
    }
    *x = (barrier){0};
    if (b->races)
        races_barrier_over(c, b, id);
    b->shared_version++; /* who was seen to spin may see something new now */
}

static bool is_met(const block *b, const barrier *x)
{
    return x->arrived && x->arrived >= (x->expected ? x->expected : b->live_threads);
}

void barrier_exited(core *c, block *b)
{
    for (uint32_t id = 0; id < MOST_BARRIERS; id++)
        if (!b->barrier[id].expected && is_met(b, &b->barrier[id]))
            release(c, b, id);
}

static void wait(warp *w, uint32_t m, uint32_t id)
{
    w->barrier_since = w->instructions + w->waited;
    w->waits[WAIT_BARRIER] |= m;
    w->together = m == (w->threads & ~w->exited);
    if (w->together) {
        w->wait_mask[0] = id;
        return;
    }
    EACH_SET(i, m) w->wait_mask[i] = id;
}

bool barrier_arrive(core *c, warp *w, const op *o, uint32_t m)
{
    block *b = w->block;
    bool whole = c->machine->options->model == GCAST_SIMT_STACK;
    uint32_t id, count = 0;
    if (!uniform(c, w, o, o->a, m, "barrier", &id) || (o->count && !uniform(c, w, o, o->b, m, "count", &count)))
        return false;
    if (id >= MOST_BARRIERS)
        return machine_fail(c, w, o, __builtin_ctz(m), "names barrier %u of %d", id, MOST_BARRIERS);
    if (o->count && (count == 0 || count % LANES))
        return machine_fail(c, w, o, __builtin_ctz(m), "names a count of %u, which is no multiple of %d", count, LANES);
    barrier *x = &b->barrier[id];
    if (x->arrived && x->expected != count)
        return machine_fail(c, w, o, __builtin_ctz(m), "comes to barrier %u with another count than those who wait",
                            id);
    x->expected = count;
    x->latest = w->clock > x->latest ? w->clock : x->latest;
    uint32_t live = w->threads & ~w->exited;
    x->arrived += !whole ? (uint32_t)__builtin_popcount(m) : count ? LANES : (uint32_t)__builtin_popcount(live);
    uint32_t p = o->what >= BARRIER_POPC ? *(const u32 *)row(&w->frame->rows, o->c) : 0;
    x->popc += (uint32_t)__builtin_popcount(p & m);
    x->voted += (uint32_t)__builtin_popcount(m);
    if (b->races)
        races_arrive(c, w, o, m, id);
    w->pc++;
    if (o->what != BARRIER_SYNC || w->active != live || m != live)
        threads_set(w, w->active, w->pc, w->frame);
    if (o->what != BARRIER_ARRIVE) {
        wait(w, m, id);
        w->at_barrier = whole;
    }
    if (is_met(b, x))
        release(c, b, id);
    return true;
}

bool decode_bar(decoder *d, op *o)
{
    static const char *const kinds[] = {"sync", "arrive", "red"};
    static const char *const reds[] = {"popc", "and", "or"};
    if (take(d, "warp")) {
        if (!take(d, "sync"))
            return decode_fail(d, "bar.warp without .sync is not supported");
        o->kind = OP_SYNC;
        return all_taken(d) && operands(d, 1, 1) && source(d, &d->in->operand[0], 'w', &o->e) && emit(d, o);
    }
    take(d, "cta");
    int kind = take_of(d, kinds, 3);
    if (kind < 0)
        return decode_fail(d, "%.40s without .sync, .arrive or .red is not supported", d->in->opcode);
    take(d, "aligned"); /* a promise */
    o->kind = OP_BARRIER;
    o->what = (uint8_t)(kind == 0 ? BARRIER_SYNC : BARRIER_ARRIVE);
    const ptx_operand *x = d->in->operand;
    uint32_t n = d->in->operands;
    if (kind == 2) {
        int red = take_of(d, reds, 3);
        ptx_type t = take_type(d);
        if (red < 0 || t != (red == 0 ? PTX_u32 : PTX_pred))
            return decode_fail(d, "%.40s.red with such an operation is not supported", d->in->opcode);
        o->what = (uint8_t)(BARRIER_POPC + red);
        if (!operands(d, 3, 4) || !destination(d, &x[0], red == 0 ? 'w' : 'p', &o->d) ||
            !source(d, &x[n - 1], 'p', &o->c))
            return false;
        x++;
        n -= 2;
    } else if (!operands(d, kind == 1 ? 2 : 1, 2)) {
        return false;
    }
    o->count = n > 1;
    return all_taken(d) && source(d, &x[0], 'w', &o->a) && (n < 2 || source(d, &x[1], 'w', &o->b)) && emit(d, o);
}

/* membar, fence and such: memory is always in order here. */
bool decode_fence(decoder *d, op *o)
{
    static const char *const words[] = {"cta",     "gl",      "gpu",   "sys",   "cluster", "sc",     "acq_rel",
                                        "acquire", "release", "proxy", "alias", "async",   "global", "shared::cta"};
    take_hints(d, words, sizeof words / sizeof *words);
    o->kind = OP_NOTHING;
    return all_taken(d) && operands(d, 0, 0) && emit(d, o);
}
