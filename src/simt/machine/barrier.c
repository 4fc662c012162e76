/* Barriers of a block: bar and barrier with their number and count. Since Volta each thread arrives for itself; before,
 * a warp arrives with all its lanes at once. A barrier does not wait for threads that have exited, unless a count is
 * given. */
#include "simt/machine/barrier.h"

#include "base/integers.h"
#include "simt/cost/cost_model.h"
#include "simt/isa/decoder.h"
#include "simt/isa/operands.h"
#include "simt/machine/machine.h"
#include "simt/machine/thread_scheduling.h"
#include "simt/races/synchronization.h"

/* op.variant of a barrier instruction. From BARRIER_POPC on it is bar.red, which has a result. */
enum { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };

/* Reads a value that must be the same in all lanes of m. */
static bool read_uniform(core *c, warp *w, const op *o, slot s, uint32_t m, const char *subject, uint32_t *out)
{
    const u32 *x = row(&w->frame->rows, s);
    *out = x[__builtin_ctz(m)];
    EACH_SET(i, m)
    if (x[i] != *out)
        return machine_fail(c, w, o, (int)i, "names another %s than lane %d of its warp", subject, __builtin_ctz(m));
    return true;
}

/* Writes the result of bar.red for a lane that waited. */
static void write_result(core *c, warp *w, const barrier *b, uint32_t lane)
{
    const op *o = &c->machine->program->op[w->lane_pc[lane] - 1];
    const rows *r = &w->lane_frame[lane]->rows;
    if (o->variant == BARRIER_POPC) {
        ((u32 *)row(r, o->d))[lane] = b->popc;
    } else if (o->variant == BARRIER_AND || o->variant == BARRIER_OR) {
        u32 *p = row(r, o->d);
        bool x = o->variant == BARRIER_AND ? b->popc == b->vote_count : b->popc != 0;
        *p = (*p & ~(1u << lane)) | (uint32_t)x << lane;
    }
}

static uint32_t waiting_for(const warp *w, uint32_t id)
{
    uint32_t m = w->waiting[WAIT_BARRIER] & warp_live(w);
    if (w->waits_together)
        return m && w->wait_mask[0] == id ? m : 0;
    EACH_SET(i, m) if (w->wait_mask[i] != id) m &= ~(1u << i);
    return m;
}

/* The arrival of the warp that came last, in instructions and waits. */
static uint64_t latest_arrival(const block *b, uint32_t id)
{
    uint64_t latest = 0;
    for (uint32_t n = 0; n < b->warps; n++)
        if (waiting_for(&b->warp[n], id))
            latest = max_u64(latest, b->warp[n].barrier_arrival);
    return latest;
}

static void release(core *c, block *b, uint32_t id)
{
    barrier *x = &b->barrier[id];
    uint64_t last = latest_arrival(b, id);
    if (b->races)
        races_complete(c, b, id, !x->expected);
    for (uint32_t n = 0; n < b->warps; n++) {
        warp *w = &b->warp[n];
        uint32_t waited = waiting_for(w, id);
        if (!waited)
            continue;
        uint32_t pc = w->waits_together ? w->pc : w->lane_pc[__builtin_ctz(waited)];
        if (c->machine->program->op[pc - 1].variant >= BARRIER_POPC)
            EACH_SET(i, waited) write_result(c, w, x, i);
        c->counts[pc - 1].barrier_wait += last - w->barrier_arrival;
        w->barrier_wait += last - w->barrier_arrival;
        if (b->cost)
            cost_release(c, w, x->last_arrival);
        if (b->races)
            races_leave(c, w, waited, id);
        w->waiting[WAIT_BARRIER] &= ~waited;
        w->at_barrier = false;
    }
    *x = (barrier){0};
    if (b->races)
        races_barrier_end(c, b, id);
    b->shared_version++; /* lanes that spun may go on now */
}

static bool is_complete(const block *b, const barrier *x)
{
    return x->arrived && x->arrived >= (x->expected ? x->expected : b->live_threads);
}

void barrier_exited(core *c, block *b)
{
    for (uint32_t id = 0; id < MAX_BARRIERS; id++)
        if (!b->barrier[id].expected && is_complete(b, &b->barrier[id]))
            release(c, b, id);
}

static void start_wait(warp *w, uint32_t m, uint32_t id)
{
    w->barrier_arrival = w->instructions + w->barrier_wait;
    w->waiting[WAIT_BARRIER] |= m;
    w->waits_together = m == warp_live(w);
    if (w->waits_together) {
        w->wait_mask[0] = id;
        return;
    }
    EACH_SET(i, m) w->wait_mask[i] = id;
}

bool barrier_arrive(core *c, warp *w, const op *o, uint32_t m)
{
    block *b = w->block;
    bool is_stack = c->machine->options->model == GCAST_SIMT_STACK;
    uint32_t id, count = 0;
    if (!read_uniform(c, w, o, o->a, m, "barrier", &id) ||
        (o->count && !read_uniform(c, w, o, o->b, m, "count", &count)))
        return false;
    if (id >= MAX_BARRIERS)
        return machine_fail(c, w, o, __builtin_ctz(m), "names barrier %u of %d", id, MAX_BARRIERS);
    if (o->count && (count == 0 || count % LANES))
        return machine_fail(c, w, o, __builtin_ctz(m), "names a count of %u, which is no multiple of %d", count, LANES);
    barrier *x = &b->barrier[id];
    if (x->arrived && x->expected != count)
        return machine_fail(c, w, o, __builtin_ctz(m), "comes to barrier %u with another count than those who wait",
                            id);
    x->expected = count;
    x->last_arrival = max_u64(x->last_arrival, w->issue_clock);
    uint32_t live = warp_live(w);
    x->arrived += !is_stack ? (uint32_t)__builtin_popcount(m) : count ? LANES : (uint32_t)__builtin_popcount(live);
    uint32_t p = o->variant >= BARRIER_POPC ? *(const u32 *)row(&w->frame->rows, o->c) : 0;
    x->popc += (uint32_t)__builtin_popcount(p & m);
    x->vote_count += (uint32_t)__builtin_popcount(m);
    if (b->races)
        races_arrive(c, w, o, m, id);
    w->pc++;
    if (o->variant != BARRIER_SYNC || w->active != live || m != live)
        threads_set(w, w->active, w->pc, w->frame);
    if (o->variant != BARRIER_ARRIVE) {
        start_wait(w, m, id);
        w->at_barrier = is_stack;
    }
    if (is_complete(b, x))
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
        return all_taken(d) && has_operands(d, 1, 1) && source(d, &d->in->operand[0], 'w', &o->e) && emit(d, o);
    }
    take(d, "cta");
    int kind = take_any_of(d, kinds, 3);
    if (kind < 0)
        return decode_fail(d, "%.40s without .sync, .arrive or .red is not supported", d->in->opcode);
    take(d, "aligned"); /* a promise of the program, which changes nothing here */
    o->kind = OP_BARRIER;
    o->variant = (uint8_t)(kind == 0 ? BARRIER_SYNC : BARRIER_ARRIVE);
    const ptx_operand *x = d->in->operand;
    uint32_t n = d->in->operands;
    if (kind == 2) {
        int red = take_any_of(d, reds, 3);
        ptx_type t = take_type(d);
        if (red < 0 || t != (red == 0 ? PTX_u32 : PTX_pred))
            return decode_fail(d, "%.40s.red with such an operation is not supported", d->in->opcode);
        o->variant = (uint8_t)(BARRIER_POPC + red);
        if (!has_operands(d, 3, 4) || !destination(d, &x[0], red == 0 ? 'w' : 'p', &o->d) ||
            !source(d, &x[n - 1], 'p', &o->c))
            return false;
        x++;
        n -= 2;
    } else if (!has_operands(d, kind == 1 ? 2 : 1, 2)) {
        return false;
    }
    o->count = n > 1;
    return all_taken(d) && source(d, &x[0], 'w', &o->a) && (n < 2 || source(d, &x[1], 'w', &o->b)) && emit(d, o);
}

/* Fences have no effect, as memory is always coherent and in order here. */
bool decode_fence(decoder *d, op *o)
{
    static const char *const words[] = {"cta",     "gl",      "gpu",   "sys",   "cluster", "sc",     "acq_rel",
                                        "acquire", "release", "proxy", "alias", "async",   "global", "shared::cta"};
    take_hints(d, words, sizeof words / sizeof *words);
    o->kind = OP_NOTHING;
    return all_taken(d) && has_operands(d, 0, 0) && emit(d, o);
}
