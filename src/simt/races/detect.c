/* An access against those before it: is each of them that it conflicts with
 * before it in the order that threads made? */
#include <string.h>

#include "simt/memory/memory.h"
#include "simt/races/found.h"
#include "simt/races/place.h"
#include "simt/races/races.h"
#include "simt/races/shadow.h"

/* One instruction's access. */
typedef struct touch {
    race_checker *k;
    race_memory *m; /* that the address is in */
    const warp *w;
    race_warp *x;
    const op *o;
    const race_op *r;
    uint32_t at; /* the op's number */
    bool in_step;
    uint32_t lane; /* of the lanes that do the same, the lowest */
    uint32_t lanes;
    uint64_t address; /* in its space */
    bool shared;
    bool writes;        /* not an atomic that only looked */
    bool same_value;    /* a store of what is there already */
    uint32_t record[2]; /* 0: none yet; the second is of a write of the same as another's */
} touch;

static touch begin(core *c, const warp *w, const op *o)
{
    race_checker *k = c->machine->races;
    uint32_t at = (uint32_t)(o - c->machine->program->op);
    return (touch){.k = k,
                   .w = w,
                   .x = &w->block->races->warp[w->number],
                   .o = o,
                   .r = &k->op[at],
                   .at = at,
                   .in_step = c->machine->options->model == GCAST_SIMT_STACK};
}

static void finish(core *c)
{
    race_checker *k = c->machine->races;
    if ((k->failed || k->clocks.failed) && c->status == GCAST_OK) {
        c->status = gcast_error_set_memory(c->err);
        atomic_store(&c->machine->stop, true);
    }
}

/* Is the lane's address one that other threads have, too? */
static bool locate(touch *t, uint64_t address)
{
    ptx_space space = (ptx_space)t->o->space;
    t->shared = space == PTX_SPACE_shared || (space == PTX_SPACE_NONE && address >> 32 == SHARED_WINDOW >> 32);
    t->address = t->shared ? address & UINT32_MAX : address;
    t->m = t->shared ? t->w->block->races->memory : t->k->memory;
    return t->shared || space == PTX_SPACE_global || (space == PTX_SPACE_NONE && address >= MEMORY_BASE);
}

static race_places *places_of(const touch *t)
{
    return &t->m->places;
}

/* May these two meet in any order, by what kind of accesses they are? */
static bool go_together(const touch *t, const race_record *r)
{
    const race_op *a = t->r, *b = &t->k->op[race_op_of(r)];
    if ((a->feeds_cas && b->is_cas) || (b->feeds_cas && a->is_cas))
        return true;
    if (a->strength == ACCESS_WEAK || b->strength == ACCESS_WEAK)
        return false;
    bool same_block = r->warp / t->k->machine->block_warps == t->x->number / t->k->machine->block_warps;
    if (!same_block && (a->scope == SCOPE_BLOCK || b->scope == SCOPE_BLOCK))
        return false;
    if (a->strength == ACCESS_STRONG || b->strength == ACCESS_STRONG || a->spins || b->spins)
        return true;
    const race_place *p = place_find(places_of(t), t->address);
    return p && p->is_flag;
}

static bool is_before(const touch *t, int view, const race_record *r, uint32_t lanes)
{
    const race_view *v = &t->x->lane[t->lane].view[view];
    if (shadow_is_before(t->k, v->known, t->x->number, r, lanes))
        return true;
    /* Who reads what came later at a place does not read what came before. */
    for (int s = 0; s < SCOPES && t->r->strength != ACCESS_WEAK; s++)
        if (v->seen[s] && shadow_is_before(t->k, v->seen[s], t->x->number, r, lanes))
            return true;
    return false;
}

/* Against one that came before, by some lanes. True: they are in no order, and in no other way together. */
static bool meet(touch *t, uint32_t record, uint32_t lanes, bool same_value)
{
    race_checker *k = t->k;
    const race_record *r = &t->m->records.at[record];
    const race_op *first = &k->op[race_op_of(r)];
    bool wrote = first->writes && !race_is_quiet(r);
    bool own_warp = r->warp == t->x->number && !first->asynchronous;
    if (own_warp && t->in_step)
        return false;
    if (own_warp && !(t->lanes & (t->lanes - 1))) /* several that do the same are each other's others */
        lanes &= ~t->lanes;
    if (!lanes || !(t->writes || wrote) || go_together(t, r))
        return false;
    gcast_race_kind kind = same_value ? GCAST_RACE_SAME_VALUE : GCAST_RACE_UNORDERED;
    bool loose = is_before(t, LOOSE, r, lanes);
    if (loose) {
        if (is_before(t, STRICT, r, lanes))
            return false;
        kind = GCAST_RACE_NOT_PROMISED;
    }
    const race_view *v = &t->x->lane[t->lane].view[loose ? STRICT : LOOSE];
    uint32_t other = (uint32_t)__builtin_ctz(lanes);
    EACH_SET(i, lanes) if (!shadow_is_before(k, v->known, t->x->number, r, 1u << i)) other = i;
    uint32_t others = own_warp ? t->lanes & ~(1u << other) : t->lanes;
    uint32_t lane = others >> t->lane & 1 ? t->lane : (uint32_t)__builtin_ctz(others);
    found_add(k, &(race_pair){t->w, lane, t->at, *r, other, kind, t->shared, t->address});
    return !loose;
}

/* Does it read what a thread before it wrote a second time, after others? */
static bool reads_same(const touch *t, const race_cell *c)
{
    const race_checker *k = t->k;
    for (uint32_t i = t->r->writes ? 0 : c->since; i; i = t->m->nodes.at[i].next) {
        const race_node *n = &t->m->nodes.at[i];
        const race_record *r = &t->m->records.at[n->record];
        bool own = r->warp == t->x->number && n->lanes & t->lanes;
        if (race_is_quiet(r) && k->op[race_op_of(r)].strength != ACCESS_STRONG &&
            (own || is_before(t, LOOSE, r, n->lanes)))
            return true;
    }
    return false;
}

/* True: it writes what an other wrote just before, in no order. */
static bool meet_cell(touch *t, race_cell *c)
{
    race_checker *k = t->k;
    bool again = false;
    if (c->write)
        again = meet(t, c->write >> 5, 1u << (c->write & 31), t->same_value || reads_same(t, c)) && t->same_value;
    if (!c->since || !(t->writes || t->m->nodes.at[c->since].has_write))
        return again;
    bool newest = true; /* of the writes: it left what is there */
    for (uint32_t i = c->since; i; i = t->m->nodes.at[i].next) {
        race_node n = t->m->nodes.at[i];
        const race_record *r = &t->m->records.at[n.record];
        const race_op *o = &k->op[race_op_of(r)];
        bool same = t->same_value && o->writes && o->strength != ACCESS_STRONG && (newest || race_is_quiet(r));
        newest &= !o->writes || race_is_quiet(r);
        again |= meet(t, n.record, n.lanes, same) && same;
    }
    return again;
}

/* The record of this access: of the warp at its tick, or of a copy on its own. */
static uint32_t record_of(touch *t, bool quiet)
{
    race_checker *k = t->k;
    bool any_load = !k->exact && !t->r->writes && t->r->strength == ACCESS_WEAK && !t->r->feeds_cas;
    uint32_t what = any_load ? k->machine->program->ops : t->at;
    race_record r = {t->x->number, t->x->now[t->lane], what | (quiet ? RACE_QUIET : 0)};
    if (t->record[quiet])
        return t->record[quiet];
    if (t->r->asynchronous) {
        r.what = t->at;
        r.tick = UINT32_MAX;
        race_copy p = {t->x->groups[t->lane], shadow_record(k, t->m, &r), t->shared};
        k->failed |= !vec_push(&t->x->copies[t->lane], p);
        return t->record[quiet] = p.record;
    }
    uint32_t at = r.what % RACE_RECENT;
    if (t->x->recent[t->shared][at].what != r.what || t->x->recent[t->shared][at].tick != r.tick) {
        t->x->recent[t->shared][at].what = r.what;
        t->x->recent[t->shared][at].tick = r.tick;
        t->x->recent[t->shared][at].record = shadow_record(k, t->m, &r);
    }
    return t->record[quiet] = t->x->recent[t->shared][at].record;
}

static void touch_cell(touch *t, race_cell *c)
{
    bool quiet = meet_cell(t, c) || (t->r->writes && !t->writes);
    uint32_t record = record_of(t, quiet);
    if (t->k->failed)
        return;
    if (t->writes && t->r->strength == ACCESS_WEAK && !quiet)
        *c = (race_cell){record << 5 | t->lane, 0};
    else
        c->since = shadow_add(t->k, t->m, c->since, record, t->lanes, &t->x->lane[t->lane].view[LOOSE]);
}

static void touch_bytes(touch *t, uint32_t bytes)
{
    race_checker *k = t->k;
    uint64_t at = t->address;
    t->record[0] = t->record[1] = 0;
    for (uint64_t end = at + bytes; at < end && !k->failed;) {
        race_cell *c = shadow_cell(k, t->w->block, t->shared, at);
        uint32_t from = (uint32_t)(at & 3), n = 4 - from < end - at ? 4 - from : (uint32_t)(end - at);
        if (!c)
            return;
        if (n == 4 && c->write != RACE_SPLIT) {
            touch_cell(t, c);
        } else {
            race_cell *byte = shadow_bytes(k, t->m, c);
            for (uint32_t i = 0; byte && i < n; i++)
                touch_cell(t, &byte[from + i]);
        }
        at += n;
    }
}

/* Lanes that read the same, and know the same, are one: sets[lane] of the lowest of them. */
static uint32_t group(const touch *t, uint32_t m, const uint64_t address[LANES], uint32_t sets[LANES])
{
    const race_warp *x = t->x;
    uint32_t first = (uint32_t)__builtin_ctz(m), leaders = 0, alike = 1;
    uint8_t table[2 * LANES];
    memset(table, LANES, sizeof table);
    EACH_SET(i, m)
    alike &= x->now[i] == x->now[first] && x->lane[i].view[LOOSE].known == x->lane[first].view[LOOSE].known &&
             x->lane[i].view[STRICT].known == x->lane[first].view[STRICT].known;
    EACH_SET(i, m)
    {
        uint32_t at = (uint32_t)(address[i] >> 2 ^ address[i] >> 8) % sizeof table;
        while (alike && table[at] < LANES && address[table[at]] != address[i])
            at = (at + 1) % sizeof table;
        uint32_t leader = alike && table[at] < LANES ? table[at] : i;
        table[at] = (uint8_t)leader;
        sets[leader] = (leader == i ? 0 : sets[leader]) | 1u << i;
        leaders |= 1u << leader;
    }
    return leaders;
}

static access_by by_of(const touch *t)
{
    return (access_by){t->x, t->lane, (uint32_t)t->w->block->number, t->r, t->in_step ? t->w->threads : 1u << t->lane};
}

void races_load(core *c, warp *w, const op *o, uint32_t m)
{
    touch t = begin(c, w, o);
    uint64_t address[LANES];
    uint32_t sets[LANES];
    bool alone = t.r->strength != ACCESS_WEAK || t.r->asynchronous;
    memory_addresses(w, o, m, address);
    EACH_SET(i, alone ? m : group(&t, m, address, sets))
    {
        t.lane = i;
        t.lanes = alone ? 1u << i : sets[i];
        if (!locate(&t, address[i]))
            continue;
        access_by by = by_of(&t);
        if (t.r->strength != ACCESS_WEAK)
            place_read(t.k, places_of(&t), t.address, &by);
        touch_bytes(&t, (uint32_t)o->bytes * o->count);
    }
    finish(c);
}

static const void *value_of(const touch *t, uint32_t lane, uint32_t element)
{
    const char *x = row(&t->w->frame->rows, t->o->more[element]);
    return x + (size_t)lane * (t->o->e == 8 ? 8 : 4);
}

static bool same_values(const touch *t, uint32_t a, uint32_t b)
{
    bool same = true;
    for (uint32_t e = 0; e < t->o->count; e++)
        same &= memcmp(value_of(t, a, e), value_of(t, b, e), t->o->bytes) == 0;
    return same;
}

/* Is what this lane stores there already? What lanes before it of the same instruction store is not in memory yet. */
static bool is_there(const touch *t, uint32_t before, const uint64_t address[LANES], const char *at)
{
    uint64_t bytes = (uint64_t)t->o->bytes * t->o->count;
    uint32_t last = LANES;
    EACH_SET(i, before)
    if (address[i] + bytes > address[t->lane] && address[i] < address[t->lane] + bytes)
        last = i;
    if (last < LANES)
        return address[last] == address[t->lane] && same_values(t, last, t->lane);
    bool same = true;
    for (uint32_t e = 0; e < t->o->count; e++)
        same &= memcmp(at + (size_t)e * t->o->bytes, value_of(t, t->lane, e), t->o->bytes) == 0;
    return same;
}

/* Lanes in step come after each other's instructions, but not after the same one's. */
static void meet_in_step(touch *t, uint32_t before, const uint64_t address[LANES])
{
    uint64_t bytes = (uint64_t)t->o->bytes * t->o->count;
    race_record r = {t->x->number, t->x->now[t->lane], t->at};
    EACH_SET(i, before)
    if (address[i] + bytes > address[t->lane] && address[i] < address[t->lane] + bytes) {
        gcast_race_kind kind = t->same_value ? GCAST_RACE_SAME_VALUE : GCAST_RACE_UNORDERED;
        found_add(t->k, &(race_pair){t->w, t->lane, t->at, r, i, kind, t->shared, t->address});
        return;
    }
}

void races_store(core *c, warp *w, const op *o, uint32_t m, char *const at[LANES])
{
    touch t = begin(c, w, o);
    uint64_t address[LANES];
    memory_addresses(w, o, m, address);
    EACH_SET(i, m)
    {
        t.lane = i;
        t.lanes = 1u << i;
        if (!locate(&t, address[i]))
            continue;
        uint32_t before = m & ((1u << i) - 1);
        t.same_value = t.r->strength != ACCESS_STRONG && !t.r->asynchronous && is_there(&t, before, address, at[i]);
        t.writes = true;
        access_by by = by_of(&t);
        if (t.in_step)
            meet_in_step(&t, before, address);
        if (t.r->strength == ACCESS_WEAK)
            place_overwrite(t.k, places_of(&t), t.address);
        touch_bytes(&t, (uint32_t)o->bytes * o->count);
        if (t.r->strength != ACCESS_WEAK) {
            place_write(t.k, places_of(&t), t.address, &by, CHANGE_STORE);
            if (t.r->releases)
                order_tick(t.k, w, by.lanes, o);
        }
    }
    finish(c);
}

void races_atomic(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, bool wrote, bool changed)
{
    touch t = begin(c, w, o);
    t.lane = lane;
    t.lanes = 1u << lane;
    if (!locate(&t, address))
        return;
    access_by by = by_of(&t);
    if (o->source && strcmp(o->source->opcode, "red") != 0)
        place_read(t.k, places_of(&t), t.address, &by);
    t.writes = wrote;
    touch_bytes(&t, o->bytes);
    if (wrote)
        place_write(t.k, places_of(&t), t.address, &by, changed ? CHANGE_ATOMIC : CHANGE_NOTHING);
}

void races_atomics_done(core *c, warp *w, const op *o, uint32_t m)
{
    touch t = begin(c, w, o);
    order_tick(t.k, w, t.in_step ? w->threads : m, o);
    finish(c);
}

void races_mbarrier(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, mbarrier_event e)
{
    touch t = begin(c, w, o);
    t.lane = lane;
    t.lanes = 1u << lane;
    t.writes = true;
    if (!locate(&t, address))
        return;
    access_by by = by_of(&t);
    if (t.r->ends_copies)
        copies_end(t.k, w->block->races->memory, t.x, lane, UINT32_MAX);
    place_barrier(t.k, places_of(&t), t.address, &by, e);
    touch_bytes(&t, 8);
    if (e == MBARRIER_ARRIVES || e == MBARRIER_LAST_ARRIVES)
        order_tick(t.k, w, by.lanes, o);
    finish(c);
}

/* cp.async.mbarrier.arrive that changes no count: its copies are over for who waits at the barrier. */
void races_copies_arrive(core *c, warp *w, const op *o, uint32_t lane)
{
    touch t = begin(c, w, o);
    uint64_t address[LANES];
    memory_addresses(w, o, 1u << lane, address);
    t.lane = lane;
    if (!locate(&t, address[lane]))
        return;
    access_by by = by_of(&t);
    if (t.r->ends_copies)
        copies_end(t.k, w->block->races->memory, t.x, lane, UINT32_MAX);
    place_barrier(t.k, places_of(&t), t.address, &by, MBARRIER_ARRIVES);
    order_tick(t.k, w, by.lanes, o);
}
