/* mbarrier: barriers that are objects in shared memory. PTX does not define their 64 bits; here these are, from the
 * lowest on, 20 bits of pending arrivals, 20 bits of arrivals that a phase expects, and the parity of the phase at the
 * top. An arrival returns the object before it as the state. Transactions (.expect_tx), which only bulk copies
 * complete, are not supported. op.target: the op has a result. */
#include <inttypes.h>
#include <string.h>

#include "simt/isa/decoder.h"
#include "simt/isa/operands.h"
#include "simt/machine/machine.h"
#include "simt/memory/memory.h"
#include "simt/races/detect.h"
#include "simt/races/sync_places.h"

#define MAX_PENDING 0xfffffu
#define PHASE_SHIFT 63

enum { MBARRIER_INIT, MBARRIER_INVAL, MBARRIER_ARRIVE, MBARRIER_DROP, MBARRIER_WAIT, MBARRIER_PARITY };

static uint64_t make_object(uint64_t pending, uint64_t expected, uint64_t phase)
{
    return pending | expected << 20 | phase << PHASE_SHIFT;
}

static bool arrive(core *c, warp *w, const op *o, uint32_t lane, uint64_t count, uint64_t *object)
{
    uint64_t pending = *object & MAX_PENDING, expected = *object >> 20 & MAX_PENDING, phase = *object >> PHASE_SHIFT;
    if (count < 1 || count > pending)
        return machine_fail(c, w, o, (int)lane, "arrives %" PRIu64 " times at an mbarrier that waits for %" PRIu64,
                            count, pending);
    if (o->variant == MBARRIER_DROP)
        expected -= count;
    pending -= count;
    if (!pending) {
        pending = expected;
        phase ^= 1;
    }
    *object = make_object(pending, expected, phase);
    return true;
}

/* Runs the operation of one lane; *result is the state, or whether the phase is complete. */
static bool operate(core *c, warp *w, const op *o, uint32_t lane, uint64_t *object, uint64_t *result)
{
    const rows *r = &w->frame->rows;
    bool wide = o->variant == MBARRIER_WAIT; /* row b holds a state */
    uint64_t b = lane_read(r, o->b, lane, wide);
    if (o->variant == MBARRIER_INIT) {
        if (b < 1 || b > MAX_PENDING)
            return machine_fail(c, w, o, (int)lane, "makes an mbarrier of %" PRIu64 " arrivals", b);
        *object = make_object(b, b, 0);
        return true;
    }
    if (!(*object >> 20 & MAX_PENDING) && !(*object & MAX_PENDING))
        return machine_fail(c, w, o, (int)lane, "uses an mbarrier that is not initialized");
    *result = *object;
    switch (o->variant) {
    case MBARRIER_INVAL:
        *object = 0;
        return true;
    case MBARRIER_WAIT:
        *result = *object >> PHASE_SHIFT != b >> PHASE_SHIFT;
        return true;
    case MBARRIER_PARITY:
        *result = *object >> PHASE_SHIFT != (b & 1);
        return true;
    default:
        return arrive(c, w, o, lane, b, object);
    }
}

/* The event for the race checker. */
static mbarrier_event event_of(const op *o, uint64_t before, uint64_t after, uint64_t result)
{
    switch (o->variant) {
    case MBARRIER_INIT:
    case MBARRIER_INVAL:
        return MBARRIER_NEW;
    case MBARRIER_WAIT:
    case MBARRIER_PARITY:
        return result ? MBARRIER_PASSES : MBARRIER_TESTS;
    default:
        return (before ^ after) >> PHASE_SHIFT ? MBARRIER_LAST_ARRIVES : MBARRIER_ARRIVES;
    }
}

static bool run_mbarrier(core *c, warp *w, const op *o, uint32_t m)
{
    const rows *r = &w->frame->rows;
    uint64_t address[LANES];
    memory_addresses(w, o, m, address);
    EACH_SET(i, m)
    {
        uint64_t object, before, result = 0;
        char *at = memory_pointer(c, w, o, i, address[i], 8, true);
        if (!at)
            return false;
        memcpy(&object, at, 8);
        before = object;
        if (!operate(c, w, o, i, &object, &result))
            return false;
        if (w->block->races)
            races_mbarrier(c, w, o, i, address[i], event_of(o, before, object, result));
        memcpy(at, &object, 8);
        if (object != before)
            w->block->shared_version++;
        if (o->target && (o->variant == MBARRIER_WAIT || o->variant == MBARRIER_PARITY)) {
            u32 *p = row(r, o->d);
            *p = (*p & ~(1u << i)) | (uint32_t)result << i;
        } else if (o->target) {
            ((u64 *)row(r, o->d))[i] = result;
        }
    }
    return true;
}

static bool decode_object(decoder *d, op *o, const ptx_operand *x)
{
    bool shared = take(d, "shared") || take(d, "shared::cta");
    if (take_type(d) != PTX_b64 || !all_taken(d))
        return d->status == GCAST_OK && decode_unknown(d);
    o->kind = OP_MEMORY;
    o->run.memory = run_mbarrier;
    o->bytes = 8; /* size of the object */
    o->count = 1;
    o->target = false;
    return decode_address(d, x, shared ? PTX_SPACE_shared : PTX_SPACE_NONE, o);
}

/* arrive, arrive_drop: state, [object]{, count} */
static bool decode_arrive(decoder *d, op *o)
{
    const ptx_operand *x = d->in->operand;
    take(d, "noComplete");
    o->variant = take(d, "arrive") ? MBARRIER_ARRIVE : MBARRIER_DROP;
    if (!has_operands(d, 2, 3) || !decode_object(d, o, &x[1]))
        return false;
    o->target = true;
    if (!destination(d, &x[0], 'x', &o->d))
        return false;
    return (d->in->operands == 3 ? source(d, &x[2], 'w', &o->b) : constant_row(d, 1, false, &o->b)) && emit(d, o);
}

/* test_wait, try_wait: predicate, [object], state or parity{, time} */
static bool decode_wait(decoder *d, op *o)
{
    const ptx_operand *x = d->in->operand;
    bool parity = take(d, "parity");
    o->variant = parity ? MBARRIER_PARITY : MBARRIER_WAIT;
    if (!has_operands(d, 3, 4) || !decode_object(d, o, &x[1]))
        return false;
    o->target = true;
    return destination(d, &x[0], 'p', &o->d) && source(d, &x[2], parity ? 'w' : 'x', &o->b) && emit(d, o);
}

static void pending_count(const op *o, const rows *r, uint32_t m)
{
    const u64 *a = row(r, o->a);
    u32 *d = row(r, o->d);
    EACH_SET(i, m) d[i] = (uint32_t)(a[i] & MAX_PENDING);
}

bool decode_mbarrier(decoder *d, op *o)
{
    static const char *const hints[] = {"release", "acquire", "relaxed", "cta", "cluster"};
    const ptx_operand *x = d->in->operand;
    const char *operation = d->in->mods ? d->in->mod[0] : "";
    take_hints(d, hints, sizeof hints / sizeof *hints);
    if (strcmp(operation, "arrive") == 0 || strcmp(operation, "arrive_drop") == 0) {
        take(d, "arrive_drop");
        return decode_arrive(d, o);
    }
    if (take(d, "test_wait") || take(d, "try_wait"))
        return decode_wait(d, o);
    if (take(d, "pending_count")) {
        o->run.lanes = pending_count;
        return take_type(d) == PTX_b64 && all_taken(d) && has_operands(d, 2, 2) && destination(d, &x[0], 'w', &o->d) &&
               source(d, &x[1], 'x', &o->a) && emit(d, o);
    }
    bool init = take(d, "init");
    if (!init && !take(d, "inval"))
        return decode_unknown(d);
    o->variant = init ? MBARRIER_INIT : MBARRIER_INVAL;
    return has_operands(d, 1 + init, 1 + init) && decode_object(d, o, &x[0]) &&
           (init ? source(d, &x[1], 'w', &o->b) : constant_row(d, 0, false, &o->b)) && emit(d, o);
}

/* cp.async.mbarrier.arrive [object]: all copies of the thread are complete. Without .noinc the phase also expects one
 * more arrival, so the op changes nothing. */
bool decode_copy_arrive(decoder *d, op *o)
{
    bool counts = take(d, "noinc");
    if (!take(d, "arrive"))
        return decode_unknown(d);
    o->variant = MBARRIER_ARRIVE;
    o->mix = GCAST_SIMT_barrier;
    if (!has_operands(d, 1, 1) || !decode_object(d, o, &d->in->operand[0]) || !constant_row(d, 1, false, &o->b))
        return false;
    if (!counts)
        o->kind = OP_NOTHING;
    return emit(d, o);
}
