/* Compares an access with the earlier ones at its address: does each of those
 * that it conflicts with happen before it? */
#include "simt/races/detect.h"

#include <string.h>

#include "base/minmax.h"
#include "ptx/words.h"
#include "simt/memory/memory.h"
#include "simt/program/address_space.h"
#include "simt/races/found.h"
#include "simt/races/place.h"
#include "simt/races/shadow.h"
#include "simt/races/thread_ticks.h"

/* One access of an instruction, by lanes that do the same. */
typedef struct race_access {
    race_checker *checker;  /* the race checker */
    race_memory *memory;    /* that the address is in */
    const warp *warp;       /* its warp */
    race_warp *state;       /* what is known of that warp */
    const op *op;           /* the instruction */
    const race_op *effects; /* what it means for the order of threads */
    uint32_t op_number;     /* its number */
    bool lockstep;          /* the lanes of a warp run in lockstep */
    uint32_t lane;          /* the lowest of its lanes */
    uint32_t lanes;         /* all of them */
    uint64_t address;       /* in its space */
    bool shared;            /* in shared memory */
    bool writes;            /* it writes: no load, and no atomic that failed */
    bool same_value;        /* a store of the value that is there already */
    uint32_t record[2];     /* its records: plain, and quiet; 0: none yet */
} race_access;

static race_access begin_access(core *c, const warp *w, const op *o)
{
    race_checker *k = c->machine->races;
    uint32_t at = (uint32_t)(o - c->machine->program->op);
    return (race_access){.checker = k,
                         .warp = w,
                         .state = &w->block->races->warp[w->number],
                         .op = o,
                         .effects = &k->op[at],
                         .op_number = at,
                         .lockstep = c->machine->options->model == GCAST_SIMT_STACK};
}

static void check_memory(core *c)
{
    race_checker *k = c->machine->races;
    if ((k->failed || k->clocks.failed) && c->status == GCAST_OK) {
        c->status = gcast_error_set_memory(c->err);
        atomic_store(&c->machine->stopping, true);
    }
}

/* Finds the memory of an address; false: no other thread can access it. */
static bool locate(race_access *t, uint64_t address)
{
    ptx_space space = (ptx_space)t->op->space;
    t->shared = space == PTX_SPACE_shared || (space == PTX_SPACE_NONE && address >> 32 == SHARED_WINDOW >> 32);
    t->address = t->shared ? address & UINT32_MAX : address;
    t->memory = t->shared ? t->warp->block->races->memory : t->checker->memory;
    return t->shared || space == PTX_SPACE_global || (space == PTX_SPACE_NONE && address >= MEMORY_BASE);
}

/* Are these two kinds of access allowed to run in any order? */
static bool may_run_together(const race_access *t, const race_record *r)
{
    const race_op *a = t->effects, *b = &t->checker->op[race_op_of(r)];
    if ((a->feeds_cas && b->is_cas) || (b->feeds_cas && a->is_cas))
        return true;
    if (a->strength == ACCESS_WEAK || b->strength == ACCESS_WEAK)
        return false;
    uint32_t warps = t->checker->machine->block_warps;
    bool same_block = r->warp / warps == t->state->number / warps;
    if (!same_block && (a->scope == SCOPE_BLOCK || b->scope == SCOPE_BLOCK))
        return false;
    if (a->strength == ACCESS_STRONG || b->strength == ACCESS_STRONG || a->spins || b->spins)
        return true;
    const race_place *p = place_find(&t->memory->places, t->address);
    return p && p->is_flag;
}

static bool is_before(const race_access *t, int view, const race_record *r, uint32_t lanes)
{
    const race_view *v = &t->state->lane[t->lane].view[view];
    if (shadow_is_before(t->checker, v->known, t->state->number, r, lanes))
        return true;
    /* A read of the newer value at an address does not read the older one. */
    for (int s = 0; s < SCOPES && t->effects->strength != ACCESS_WEAK; s++)
        if (v->unfenced[s] && shadow_is_before(t->checker, v->unfenced[s], t->state->number, r, lanes))
            return true;
    return false;
}

/* Compares it with an earlier access by some lanes. True: they are not ordered, and conflict. */
static bool compare_access(race_access *t, uint32_t record, uint32_t lanes, bool same_value)
{
    race_checker *k = t->checker;
    const race_record *r = &t->memory->records.at[record];
    const race_op *first = &k->op[race_op_of(r)];
    bool writes = first->writes && !race_is_quiet(r);
    bool own_warp = r->warp == t->state->number && !first->asynchronous;
    if (own_warp && t->lockstep)
        return false;
    if (own_warp && !(t->lanes & (t->lanes - 1))) /* a lane does not conflict with itself */
        lanes &= ~t->lanes;
    if (!lanes || !(t->writes || writes) || may_run_together(t, r))
        return false;
    gcast_race_kind kind = same_value ? GCAST_RACE_SAME_VALUE : GCAST_RACE_UNORDERED;
    bool ordered_on_gpu = is_before(t, VIEW_GPU, r, lanes);
    if (ordered_on_gpu) {
        if (is_before(t, VIEW_PTX, r, lanes))
            return false;
        kind = GCAST_RACE_NOT_PROMISED;
    }
    const race_view *v = &t->state->lane[t->lane].view[ordered_on_gpu ? VIEW_PTX : VIEW_GPU];
    uint32_t other_lane = (uint32_t)__builtin_ctz(lanes);
    EACH_SET(i, lanes) if (!shadow_is_before(k, v->known, t->state->number, r, 1u << i)) other_lane = i;
    uint32_t own_lanes = own_warp ? t->lanes & ~(1u << other_lane) : t->lanes;
    uint32_t lane = own_lanes >> t->lane & 1 ? t->lane : (uint32_t)__builtin_ctz(own_lanes);
    found_add(k, &(race_pair){t->warp, lane, t->op_number, *r, other_lane, kind, t->shared, t->address});
    return !ordered_on_gpu;
}

/* Does it read a value that another write, which is ordered before it, has written again? */
static bool reads_same(const race_access *t, const race_cell *c)
{
    const race_checker *k = t->checker;
    for (uint32_t i = t->effects->writes ? 0 : c->later; i; i = t->memory->nodes.at[i].next) {
        const race_node *n = &t->memory->nodes.at[i];
        const race_record *r = &t->memory->records.at[n->record];
        bool own = r->warp == t->state->number && n->lanes & t->lanes;
        if (race_is_quiet(r) && k->op[race_op_of(r)].strength != ACCESS_STRONG &&
            (own || is_before(t, VIEW_GPU, r, n->lanes)))
            return true;
    }
    return false;
}

/* Compares it with all accesses of a cell. True: it rewrites the value of a write that is not ordered with it. */
static bool compare_cell(race_access *t, race_cell *c)
{
    race_checker *k = t->checker;
    bool rewrites = false;
    if (c->write)
        rewrites =
            compare_access(t, c->write >> 5, 1u << (c->write & 31), t->same_value || reads_same(t, c)) && t->same_value;
    if (!c->later || !(t->writes || t->memory->nodes.at[c->later].has_write))
        return rewrites;
    bool unchanged = true; /* no later write changed the value: this one wrote what is there now */
    for (uint32_t i = c->later; i; i = t->memory->nodes.at[i].next) {
        race_node n = t->memory->nodes.at[i];
        const race_record *r = &t->memory->records.at[n.record];
        const race_op *o = &k->op[race_op_of(r)];
        bool same = t->same_value && o->writes && o->strength != ACCESS_STRONG && (unchanged || race_is_quiet(r));
        unchanged &= !o->writes || race_is_quiet(r);
        rewrites |= compare_access(t, n.record, n.lanes, same) && same;
    }
    return rewrites;
}

/* The record of this access: of its warp at this tick, or of an asynchronous copy on its own. */
static uint32_t record_of(race_access *t, bool quiet)
{
    race_checker *k = t->checker;
    bool any_load = !k->exact && !t->effects->writes && t->effects->strength == ACCESS_WEAK && !t->effects->feeds_cas;
    uint32_t number = any_load ? k->machine->program->ops : t->op_number;
    race_record r = {t->state->number, t->state->lane_tick[t->lane], number | (quiet ? RACE_QUIET : 0)};
    if (t->record[quiet])
        return t->record[quiet];
    if (t->effects->asynchronous) {
        r.op_flags = t->op_number;
        r.tick = RACE_PENDING;
        race_copy p = {t->state->groups[t->lane], shadow_record(k, t->memory, &r), t->shared};
        k->failed |= !vec_push(&t->state->copies[t->lane], p);
        return t->record[quiet] = p.record;
    }
    race_recent *recent = &t->state->recent[t->shared][r.op_flags % RACE_RECENT];
    if (recent->op_flags != r.op_flags || recent->tick != r.tick)
        *recent = (race_recent){r.op_flags, r.tick, shadow_record(k, t->memory, &r)};
    return t->record[quiet] = recent->record;
}

static void access_cell(race_access *t, race_cell *c)
{
    bool quiet = compare_cell(t, c) || (t->effects->writes && !t->writes);
    uint32_t record = record_of(t, quiet);
    if (t->checker->failed)
        return;
    if (t->writes && t->effects->strength == ACCESS_WEAK && !quiet)
        *c = (race_cell){record << 5 | t->lane, 0};
    else
        c->later =
            shadow_add(t->checker, t->memory, c->later, record, t->lanes, &t->state->lane[t->lane].view[VIEW_GPU]);
}

static void access_bytes(race_access *t, uint32_t bytes)
{
    race_checker *k = t->checker;
    uint64_t at = t->address;
    t->record[0] = t->record[1] = 0;
    for (uint64_t end = at + bytes; at < end && !k->failed;) {
        race_cell *c = shadow_cell(k, t->warp->block, t->shared, at);
        uint32_t first = (uint32_t)(at & 3), n = (uint32_t)min_u64(4 - first, end - at);
        if (!c)
            return;
        if (n == 4 && c->write != RACE_SPLIT) {
            access_cell(t, c);
        } else {
            race_cell *byte = shadow_bytes(k, t->memory, c);
            for (uint32_t i = 0; byte && i < n; i++)
                access_cell(t, &byte[first + i]);
        }
        at += n;
    }
}

/* Lanes that read the same address and know the same count as one access: sets[i] are the lanes of leader i. */
static uint32_t group_lanes(const race_access *t, uint32_t m, const uint64_t address[LANES], uint32_t sets[LANES])
{
    const race_warp *x = t->state;
    uint32_t first = (uint32_t)__builtin_ctz(m), leaders = 0, equal_views = 1;
    uint8_t table[2 * LANES];
    memset(table, LANES, sizeof table);
    EACH_SET(i, m)
    equal_views &= x->lane_tick[i] == x->lane_tick[first] &&
                   x->lane[i].view[VIEW_GPU].known == x->lane[first].view[VIEW_GPU].known &&
                   x->lane[i].view[VIEW_PTX].known == x->lane[first].view[VIEW_PTX].known;
    EACH_SET(i, m)
    {
        uint32_t at = (uint32_t)(address[i] >> 2 ^ address[i] >> 8) % sizeof table;
        while (equal_views && table[at] < LANES && address[table[at]] != address[i])
            at = (at + 1) % sizeof table;
        uint32_t leader = equal_views && table[at] < LANES ? table[at] : i;
        table[at] = (uint8_t)leader;
        sets[leader] = (leader == i ? 0 : sets[leader]) | 1u << i;
        leaders |= 1u << leader;
    }
    return leaders;
}

static access_by accessor_of(const race_access *t)
{
    return (access_by){t->state, t->lane, (uint32_t)t->warp->block->number, t->effects,
                       t->lockstep ? t->warp->threads : 1u << t->lane};
}

void races_load(core *c, warp *w, const op *o, uint32_t m)
{
    race_access t = begin_access(c, w, o);
    uint64_t address[LANES];
    uint32_t sets[LANES];
    bool one_by_one = t.effects->strength != ACCESS_WEAK || t.effects->asynchronous;
    memory_addresses(w, o, m, address);
    EACH_SET(i, one_by_one ? m : group_lanes(&t, m, address, sets))
    {
        t.lane = i;
        t.lanes = one_by_one ? 1u << i : sets[i];
        if (!locate(&t, address[i]))
            continue;
        access_by by = accessor_of(&t);
        if (t.effects->strength != ACCESS_WEAK)
            place_read(t.checker, &t.memory->places, t.address, &by);
        access_bytes(&t, (uint32_t)o->bytes * o->count);
    }
    check_memory(c);
}

static const void *value_of(const race_access *t, uint32_t lane, uint32_t element)
{
    const char *x = row(&t->warp->frame->rows, t->op->list[element]);
    return x + (size_t)lane * (t->op->e == 8 ? 8 : 4);
}

static bool same_values(const race_access *t, uint32_t a, uint32_t b)
{
    bool same = true;
    for (uint32_t e = 0; e < t->op->count; e++)
        same &= memcmp(value_of(t, a, e), value_of(t, b, e), t->op->bytes) == 0;
    return same;
}

/* Is the value that this lane stores there already? Stores of lower lanes of the same instruction are not in memory
 * yet. */
static bool is_there(const race_access *t, uint32_t before, const uint64_t address[LANES], const char *at)
{
    uint64_t bytes = (uint64_t)t->op->bytes * t->op->count;
    uint32_t last = LANES;
    EACH_SET(i, before)
    if (address[i] + bytes > address[t->lane] && address[i] < address[t->lane] + bytes)
        last = i;
    if (last < LANES)
        return address[last] == address[t->lane] && same_values(t, last, t->lane);
    bool same = true;
    for (uint32_t e = 0; e < t->op->count; e++)
        same &= memcmp(at + (size_t)e * t->op->bytes, value_of(t, t->lane, e), t->op->bytes) == 0;
    return same;
}

/* Lanes in lockstep are ordered after the earlier instructions of each other, but not within one instruction. */
static void compare_lockstep(race_access *t, uint32_t before, const uint64_t address[LANES])
{
    uint64_t bytes = (uint64_t)t->op->bytes * t->op->count;
    race_record r = {t->state->number, t->state->lane_tick[t->lane], t->op_number};
    EACH_SET(i, before)
    if (address[i] + bytes > address[t->lane] && address[i] < address[t->lane] + bytes) {
        gcast_race_kind kind = t->same_value ? GCAST_RACE_SAME_VALUE : GCAST_RACE_UNORDERED;
        found_add(t->checker, &(race_pair){t->warp, t->lane, t->op_number, r, i, kind, t->shared, t->address});
        return;
    }
}

void races_store(core *c, warp *w, const op *o, uint32_t m, char *const pointer[LANES])
{
    race_access t = begin_access(c, w, o);
    uint64_t address[LANES];
    memory_addresses(w, o, m, address);
    EACH_SET(i, m)
    {
        t.lane = i;
        t.lanes = 1u << i;
        if (!locate(&t, address[i]))
            continue;
        uint32_t before = m & ((1u << i) - 1);
        t.same_value = t.effects->strength != ACCESS_STRONG && !t.effects->asynchronous &&
                       is_there(&t, before, address, pointer[i]);
        t.writes = true;
        access_by by = accessor_of(&t);
        if (t.lockstep)
            compare_lockstep(&t, before, address);
        if (t.effects->strength == ACCESS_WEAK)
            place_overwrite(t.checker, &t.memory->places, t.address);
        access_bytes(&t, (uint32_t)o->bytes * o->count);
        if (t.effects->strength != ACCESS_WEAK) {
            place_write(t.checker, &t.memory->places, t.address, &by, CHANGE_STORE);
            if (t.effects->releases)
                order_tick(t.checker, w, by.lanes, o);
        }
    }
    check_memory(c);
}

void races_atomic(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, bool writes, bool changed)
{
    race_access t = begin_access(c, w, o);
    t.lane = lane;
    t.lanes = 1u << lane;
    if (!locate(&t, address))
        return;
    access_by by = accessor_of(&t);
    if (o->source && !ptx_is(o->source, "red"))
        place_read(t.checker, &t.memory->places, t.address, &by);
    t.writes = writes;
    access_bytes(&t, o->bytes);
    if (writes)
        place_write(t.checker, &t.memory->places, t.address, &by, changed ? CHANGE_ATOMIC : CHANGE_NOTHING);
}

void races_atomics_done(core *c, warp *w, const op *o, uint32_t m)
{
    race_access t = begin_access(c, w, o);
    order_tick(t.checker, w, t.lockstep ? w->threads : m, o);
    check_memory(c);
}

void races_mbarrier(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, mbarrier_event e)
{
    race_access t = begin_access(c, w, o);
    t.lane = lane;
    t.lanes = 1u << lane;
    t.writes = true;
    if (!locate(&t, address))
        return;
    access_by by = accessor_of(&t);
    if (t.effects->ends_copies)
        copies_end(t.checker, w->block->races->memory, t.state, lane, UINT32_MAX);
    place_barrier(t.checker, &t.memory->places, t.address, &by, e);
    access_bytes(&t, 8);
    if (e == MBARRIER_ARRIVES || e == MBARRIER_LAST_ARRIVES)
        order_tick(t.checker, w, by.lanes, o);
    check_memory(c);
}

void races_copies_arrive(core *c, warp *w, const op *o, uint32_t lane)
{
    race_access t = begin_access(c, w, o);
    uint64_t address[LANES];
    memory_addresses(w, o, 1u << lane, address);
    t.lane = lane;
    if (!locate(&t, address[lane]))
        return;
    access_by by = accessor_of(&t);
    if (t.effects->ends_copies)
        copies_end(t.checker, w->block->races->memory, t.state, lane, UINT32_MAX);
    place_barrier(t.checker, &t.memory->places, t.address, &by, MBARRIER_ARRIVES);
    order_tick(t.checker, w, by.lanes, o);
}
