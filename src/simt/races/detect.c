/* Detects races: compares an access with the earlier accesses at its address, and collects the races with an
 * explanation. */
#include "simt/races/detect.h"

#include <stdio.h>
#include <string.h>

#include "base/integers.h"
#include "ptx/instruction.h"
#include "simt/memory/memory.h"
#include "simt/program/op.h"
#include "simt/program/program.h"
#include "simt/races/race_checker.h"
#include "simt/races/shadow_memory.h"
#include "simt/races/sync_places.h"

/* Two ops are one race, no matter how many threads have it. The report names the first two threads, and why nothing
 * orders them. */

/* An access, and an earlier access that is not ordered before it. */
typedef struct race_pair {
    const warp *w;       /* the warp of the later access */
    uint32_t lane, op;   /* its lane and op */
    race_record first;   /* the earlier access */
    uint32_t first_lane; /* its lane */
    gcast_race_kind kind;
    bool shared;      /* on shared memory */
    uint64_t address; /* in its space */
} race_pair;

#define MAX_RACES 1000

/* "bar.sync at line 30 (file.cu:12)". */
static void name_op(const race_checker *checker, uint32_t at, char *out, size_t size)
{
    const op *o = &checker->machine->program->op[at];
    const ptx_instruction *in = o->source;
    char place[80] = "";
    source_place(checker->machine->program, o, place, sizeof place);
    snprintf(out, size, "%.24s%s%.24s at line %d%s", in ? in->opcode : "?", in && in->mods ? "." : "",
             in && in->mods ? in->mod[0] : "", o->line, place);
}

/* The next synchronization of the thread after its first access; NULL: there is none yet, or its block has ended. */
static const race_event *next_event(const race_checker *checker, const race_pair *p)
{
    uint32_t warps = checker->machine->block_warps;
    const block *b = p->w->block;
    if (p->first.warp / warps != (uint32_t)b->number)
        return NULL;
    const race_warp *w = &b->races->warp[p->first.warp % warps];
    for (size_t i = 0; i < w->events.count; i++)
        if (w->events.at[i].tick >= p->first.tick && w->events.at[i].lanes >> p->first_lane & 1)
            return &w->events.at[i];
    return NULL;
}

static bool has_ended(const race_checker *checker, const race_pair *p)
{
    const race_warp *w = &p->w->block->races->warp[p->first.warp % checker->machine->block_warps];
    for (size_t i = w->events.count; i-- > 0;)
        if (w->events.at[i].lanes >> p->first_lane & 1)
            return flow_ends(&checker->machine->program->op[w->events.at[i].op]);
    return false;
}

static bool is_same_warp(const race_pair *p)
{
    return p->first.warp == p->w->block->races->warp[p->w->number].number;
}

static bool lacks_fence(const race_checker *checker, const race_pair *p)
{
    const race_view *v = &p->w->block->races->warp[p->w->number].view[p->lane][VIEW_GPU];
    for (int s = 0; s < SCOPES; s++) {
        const uint32_t *known = clock_lanes(&checker->clocks, v->unfenced[s], p->first.warp);
        if (known && known[p->first_lane] >= p->first.tick)
            return true;
    }
    return false;
}

static void explain(const race_checker *checker, const race_pair *p, char *out, size_t size)
{
    const race_op *a = &checker->op[race_op_of(&p->first)], *b = &checker->op[p->op];
    uint32_t warps = checker->machine->block_warps;
    bool other_block = p->first.warp / warps != (uint32_t)p->w->block->number;
    const race_event *e = next_event(checker, p);
    bool ended = e && has_ended(checker, p);
    char event[160] = "";
    if (e)
        name_op(checker, e->op, event, sizeof event);
    if (p->kind == GCAST_RACE_NOT_PROMISED && ended)
        snprintf(out, size, "only that the first had ended when the others met orders them");
    else if (p->kind == GCAST_RACE_NOT_PROMISED)
        snprintf(out, size, "only %s orders them, which promises no order of memory without fences",
                 e ? event : "an atomic of another block");
    else if (is_same_warp(p) && race_op_of(&p->first) == p->op && b->writes && !b->asynchronous)
        snprintf(out, size, "lanes of a warp do one instruction in no order");
    else if (a->asynchronous && p->first.tick == RACE_PENDING)
        snprintf(out, size, "the copy runs on its own until cp.async.wait_group, which has not come");
    else if (a->strength != ACCESS_WEAK && b->strength != ACCESS_WEAK && other_block)
        snprintf(out, size, "they are in different blocks, and a scope of .cta reaches only one");
    else if (lacks_fence(checker, p))
        snprintf(out, size, "the second has seen what the first released, but no fence or acquire came after that");
    else if (ended && flow_ends(&checker->machine->program->op[e->op]))
        snprintf(out, size, "the first has ended since, but the second has waited for nothing that it did");
    else if (e && is_same_warp(p))
        snprintf(out, size, "the lanes have not met since; the first only came to %s", event);
    else if (is_same_warp(p))
        snprintf(out, size, "the lanes have not met since: no __syncwarp or barrier came between");
    else if (e)
        snprintf(out, size, "since then the first came to %s, but the second has not waited for that", event);
    else if (other_block)
        snprintf(out, size, "they are in different blocks, and the second has waited for nothing of the first");
    else
        snprintf(out, size, "the first has come to no barrier, fence or atomic since");
}

static void fill_side(const race_checker *checker, gcast_simt_access *x, uint32_t number, uint32_t lane, uint32_t at)
{
    const machine *m = checker->machine;
    const op *o = &m->program->op[at];
    const race_op *r = &checker->op[at];
    x->block = number / m->block_warps;
    x->thread = number % m->block_warps * LANES + lane;
    x->ptx_line = (uint32_t)o->line;
    x->writes = r->writes;
    x->file = source_file_of(m->program, o);
    x->line = x->file ? o->source_line : 0;
    const ptx_instruction *in = o->source;
    if (r->strength != ACCESS_WEAK || r->asynchronous || (in && ptx_is(in, "mbarrier"))) {
        size_t used = (size_t)snprintf(x->instruction, sizeof x->instruction, "%.20s", in->opcode);
        for (uint32_t i = 0; i < in->mods && used < sizeof x->instruction; i++)
            used += (size_t)snprintf(x->instruction + used, sizeof x->instruction - used, ".%s", in->mod[i]);
    }
}

static race_found *find_race(race_checker *checker, uint64_t hash, const race_pair *p, uint32_t low, uint32_t high)
{
    for (index_probe i = index_start(&checker->found_index, hash); index_next(&checker->found_index, &i);) {
        race_found *f = &checker->found.at[i.value];
        if (f->op_a == low && f->op_b == high && f->race.kind == p->kind && f->race.shared == p->shared)
            return f;
    }
    return NULL;
}

static void add_race(race_checker *checker, const race_pair *p)
{
    if (!checker->exact) { /* the launch runs again to find the races with their lines */
        checker->found_any = true;
        return;
    }
    uint32_t first = race_op_of(&p->first), low = min_u32(first, p->op), high = max_u32(first, p->op);
    uint32_t key[4] = {low, high, (uint32_t)p->kind, p->shared};
    uint64_t hash = index_hash(key, sizeof key);
    race_found *f = find_race(checker, hash, p, low, high);
    if (f) {
        f->race.times++;
        return;
    }
    if (checker->found.count == MAX_RACES)
        return;
    race_found found = {
        .race = {.kind = p->kind, .shared = p->shared, .address = p->address, .times = 1}, .op_a = low, .op_b = high};
    const program *prog = checker->machine->program;
    for (uint32_t i = 0; !p->shared && i < prog->regions; i++)
        if (p->address - prog->region[i].base < prog->region[i].bytes) {
            found.race.buffer = prog->region[i].name;
            found.race.address = p->address - prog->region[i].base;
        }
    fill_side(checker, &found.race.first, p->first.warp, p->first_lane, first);
    fill_side(checker, &found.race.second, p->w->block->races->warp[p->w->number].number, p->lane, p->op);
    explain(checker, p, found.why, sizeof found.why);
    if (!vec_push(&checker->found, found) ||
        !index_add(&checker->found_index, hash, (uint32_t)(checker->found.count - 1)))
        checker->failed = true;
}

/* Every access is compared with the earlier accesses at its address: those that it conflicts with must happen before
 * it. */

/* One access of an instruction, by lanes that have the same address and know the same. */
typedef struct race_access {
    race_checker *checker;
    race_memory *memory; /* the memory of the address */
    const warp *warp;
    race_warp *state; /* of that warp */
    const op *op;
    const race_op *effects; /* of the op */
    uint32_t op_number;
    bool lockstep;      /* the lanes of a warp run in lockstep */
    uint32_t lane;      /* the lowest of its lanes */
    uint32_t lanes;     /* all its lanes */
    uint64_t address;   /* in its space */
    bool shared;        /* in shared memory */
    bool writes;        /* it is not a load, and not an atomic that failed */
    bool same_value;    /* a store of the value that is there already */
    uint32_t record[2]; /* its records: plain, and quiet; 0: none yet */
} race_access;

static race_access begin_access(core *c, const warp *w, const op *o)
{
    race_checker *checker = c->machine->races;
    uint32_t at = (uint32_t)(o - c->machine->program->op);
    return (race_access){.checker = checker,
                         .warp = w,
                         .state = &w->block->races->warp[w->number],
                         .op = o,
                         .effects = &checker->op[at],
                         .op_number = at,
                         .lockstep = c->machine->options->model == GCAST_SIMT_STACK};
}

static void check_memory(core *c)
{
    race_checker *checker = c->machine->races;
    if ((checker->failed || checker->clocks.failed) && c->status == GCAST_OK) {
        c->status = gcast_error_set_memory(c->err);
        atomic_store(&c->machine->stopping, true);
    }
}

/* Finds the memory of an address; false: no other thread can access it. */
static bool locate(race_access *access, uint64_t address)
{
    ptx_space space = (ptx_space)access->op->space;
    access->shared = space == PTX_SPACE_shared || (space == PTX_SPACE_NONE && address >> 32 == SHARED_WINDOW >> 32);
    access->address = access->shared ? address & UINT32_MAX : address;
    access->memory = access->shared ? access->warp->block->races->memory : access->checker->memory;
    return access->shared || space == PTX_SPACE_global || (space == PTX_SPACE_NONE && address >= MEMORY_BASE);
}

/* Are these two kinds of access allowed to run in any order? */
static bool may_run_together(const race_access *access, const race_record *r)
{
    const race_op *a = access->effects, *b = &access->checker->op[race_op_of(r)];
    if ((a->feeds_cas && b->is_cas) || (b->feeds_cas && a->is_cas))
        return true;
    if (a->strength == ACCESS_WEAK || b->strength == ACCESS_WEAK)
        return false;
    uint32_t warps = access->checker->machine->block_warps;
    bool same_block = r->warp / warps == access->state->number / warps;
    if (!same_block && (a->scope == SCOPE_BLOCK || b->scope == SCOPE_BLOCK))
        return false;
    if (a->strength == ACCESS_STRONG || b->strength == ACCESS_STRONG || a->spins || b->spins)
        return true;
    const race_place *p = place_find(&access->memory->places, access->address);
    return p && p->is_flag;
}

static bool is_before(const race_access *access, int view, const race_record *r, uint32_t lanes)
{
    const race_view *v = &access->state->view[access->lane][view];
    if (shadow_is_before(access->checker, v->known, access->state->number, r, lanes))
        return true;
    /* A read of the newer value at an address does not read the older one. */
    for (int s = 0; s < SCOPES && access->effects->strength != ACCESS_WEAK; s++)
        if (v->unfenced[s] && shadow_is_before(access->checker, v->unfenced[s], access->state->number, r, lanes))
            return true;
    return false;
}

/* Compares an access with an earlier access by some lanes. True: they conflict and are not ordered. */
static bool compare_access(race_access *access, uint32_t record, uint32_t lanes, bool same_value)
{
    race_checker *checker = access->checker;
    const race_record *r = &access->memory->records.at[record];
    const race_op *first = &checker->op[race_op_of(r)];
    bool writes = first->writes && !race_is_quiet(r);
    bool own_warp = r->warp == access->state->number && !first->asynchronous;
    if (own_warp && access->lockstep)
        return false;
    if (own_warp && !(access->lanes & (access->lanes - 1))) /* a lane does not conflict with itself */
        lanes &= ~access->lanes;
    if (!lanes || !(access->writes || writes) || may_run_together(access, r))
        return false;
    gcast_race_kind kind = same_value ? GCAST_RACE_SAME_VALUE : GCAST_RACE_UNORDERED;
    bool ordered_on_gpu = is_before(access, VIEW_GPU, r, lanes);
    if (ordered_on_gpu) {
        if (is_before(access, VIEW_PTX, r, lanes))
            return false;
        kind = GCAST_RACE_NOT_PROMISED;
    }
    const race_view *v = &access->state->view[access->lane][ordered_on_gpu ? VIEW_PTX : VIEW_GPU];
    uint32_t other_lane = (uint32_t)__builtin_ctz(lanes);
    EACH_SET(i, lanes) if (!shadow_is_before(checker, v->known, access->state->number, r, 1u << i)) other_lane = i;
    uint32_t own_lanes = own_warp ? access->lanes & ~(1u << other_lane) : access->lanes;
    uint32_t lane = own_lanes >> access->lane & 1 ? access->lane : (uint32_t)__builtin_ctz(own_lanes);
    add_race(checker, &(race_pair){access->warp, lane, access->op_number, *r, other_lane, kind, access->shared,
                                   access->address});
    return !ordered_on_gpu;
}

/* Does it read a value that a write which is ordered before it has written again? */
static bool reads_same(const race_access *access, const race_cell *c)
{
    const race_checker *checker = access->checker;
    for (uint32_t i = access->effects->writes ? 0 : c->later; i; i = access->memory->nodes.at[i].next) {
        const race_node *n = &access->memory->nodes.at[i];
        const race_record *r = &access->memory->records.at[n->record];
        bool own = r->warp == access->state->number && n->lanes & access->lanes;
        if (race_is_quiet(r) && checker->op[race_op_of(r)].strength != ACCESS_STRONG &&
            (own || is_before(access, VIEW_GPU, r, n->lanes)))
            return true;
    }
    return false;
}

/* Compares an access with all accesses of a cell. True: it rewrites the value of a write that is not ordered. */
static bool compare_cell(race_access *access, race_cell *c)
{
    race_checker *checker = access->checker;
    bool rewrites = false;
    if (c->write)
        rewrites =
            compare_access(access, c->write >> 5, 1u << (c->write & 31), access->same_value || reads_same(access, c)) &&
            access->same_value;
    if (!c->later || !(access->writes || access->memory->nodes.at[c->later].has_write))
        return rewrites;
    bool unchanged = true; /* no later write has changed the value */
    for (uint32_t i = c->later; i; i = access->memory->nodes.at[i].next) {
        race_node n = access->memory->nodes.at[i];
        const race_record *r = &access->memory->records.at[n.record];
        const race_op *o = &checker->op[race_op_of(r)];
        bool same = access->same_value && o->writes && o->strength != ACCESS_STRONG && (unchanged || race_is_quiet(r));
        unchanged &= !o->writes || race_is_quiet(r);
        rewrites |= compare_access(access, n.record, n.lanes, same) && same;
    }
    return rewrites;
}

/* The record of this access: that of the op and its warp at this tick; an asynchronous copy has one of its own. */
static uint32_t record_of(race_access *access, bool quiet)
{
    race_checker *checker = access->checker;
    bool any_load = !checker->exact && !access->effects->writes && access->effects->strength == ACCESS_WEAK &&
                    !access->effects->feeds_cas;
    uint32_t number = any_load ? checker->machine->program->ops : access->op_number;
    race_record r = {access->state->number, access->state->lane_tick[access->lane], number | (quiet ? RACE_QUIET : 0)};
    if (access->record[quiet])
        return access->record[quiet];
    if (access->effects->asynchronous) {
        r.op_flags = access->op_number;
        r.tick = RACE_PENDING;
        race_copy p = {access->state->groups[access->lane], shadow_record(checker, access->memory, &r), access->shared};
        checker->failed |= !vec_push(&access->state->copies[access->lane], p);
        return access->record[quiet] = p.record;
    }
    race_recent *recent = &access->state->recent[access->shared][r.op_flags % RACE_RECENT];
    if (recent->op_flags != r.op_flags || recent->tick != r.tick)
        *recent = (race_recent){r.op_flags, r.tick, shadow_record(checker, access->memory, &r)};
    return access->record[quiet] = recent->record;
}

static void access_cell(race_access *access, race_cell *c)
{
    bool quiet = compare_cell(access, c) || (access->effects->writes && !access->writes);
    uint32_t record = record_of(access, quiet);
    if (access->checker->failed)
        return;
    if (access->writes && access->effects->strength == ACCESS_WEAK && !quiet)
        *c = (race_cell){record << 5 | access->lane, 0};
    else
        c->later = shadow_add(access->checker, access->memory, c->later, record, access->lanes,
                              &access->state->view[access->lane][VIEW_GPU]);
}

static void access_bytes(race_access *access, uint32_t bytes)
{
    race_checker *checker = access->checker;
    uint64_t at = access->address;
    access->record[0] = access->record[1] = 0;
    for (uint64_t end = at + bytes; at < end && !checker->failed;) {
        race_cell *c = shadow_cell(checker, access->warp->block, access->shared, at);
        uint32_t first = (uint32_t)(at & 3), n = (uint32_t)min_u64(4 - first, end - at);
        if (!c)
            return;
        if (n == 4 && c->write != RACE_SPLIT) {
            access_cell(access, c);
        } else {
            race_cell *byte = shadow_bytes(checker, access->memory, c);
            for (uint32_t i = 0; byte && i < n; i++)
                access_cell(access, &byte[first + i]);
        }
        at += n;
    }
}

/* Groups lanes that read the same address and know the same into one access. Returns the leaders; sets[i]: the lanes of
 * leader i. */
static uint32_t group_lanes(const race_access *access, uint32_t m, const uint64_t address[LANES], uint32_t sets[LANES])
{
    const race_warp *x = access->state;
    uint32_t first = (uint32_t)__builtin_ctz(m), leaders = 0, equal_views = 1;
    uint8_t table[2 * LANES];
    memset(table, LANES, sizeof table);
    EACH_SET(i, m)
    equal_views &= x->lane_tick[i] == x->lane_tick[first] &&
                   x->view[i][VIEW_GPU].known == x->view[first][VIEW_GPU].known &&
                   x->view[i][VIEW_PTX].known == x->view[first][VIEW_PTX].known;
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

static access_by accessor_of(const race_access *access)
{
    return (access_by){access->state, access->lane, (uint32_t)access->warp->block->number, access->effects,
                       access->lockstep ? access->warp->threads : 1u << access->lane};
}

void races_load(core *c, warp *w, const op *o, uint32_t m)
{
    races_load_bytes(c, w, o, m, (uint32_t)o->bytes * o->count);
}

void races_load_bytes(core *c, warp *w, const op *o, uint32_t m, uint32_t bytes)
{
    race_access access = begin_access(c, w, o);
    uint64_t address[LANES];
    uint32_t sets[LANES];
    bool one_by_one = access.effects->strength != ACCESS_WEAK || access.effects->asynchronous;
    memory_addresses(w, o, m, address);
    EACH_SET(i, one_by_one ? m : group_lanes(&access, m, address, sets))
    {
        access.lane = i;
        access.lanes = one_by_one ? 1u << i : sets[i];
        if (!locate(&access, address[i]))
            continue;
        access_by by = accessor_of(&access);
        if (access.effects->strength != ACCESS_WEAK)
            place_read(access.checker, &access.memory->places, access.address, &by);
        access_bytes(&access, bytes);
    }
    check_memory(c);
}

static const void *value_of(const race_access *access, uint32_t lane, uint32_t element)
{
    const char *x = row(&access->warp->frame->rows, access->op->list[element]);
    return x + (size_t)lane * (access->op->e == 8 ? 8 : 4);
}

static bool same_values(const race_access *access, uint32_t a, uint32_t b)
{
    bool same = true;
    for (uint32_t e = 0; e < access->op->count; e++)
        same &= memcmp(value_of(access, a, e), value_of(access, b, e), access->op->bytes) == 0;
    return same;
}

/* Does memory already have the value that this lane stores? Stores of lower lanes of the same instruction (`before`)
 * are not in memory yet. */
static bool is_there(const race_access *access, uint32_t before, const uint64_t address[LANES], const char *at)
{
    uint64_t bytes = (uint64_t)access->op->bytes * access->op->count;
    uint32_t last = LANES;
    EACH_SET(i, before)
    if (address[i] + bytes > address[access->lane] && address[i] < address[access->lane] + bytes)
        last = i;
    if (last < LANES)
        return address[last] == address[access->lane] && same_values(access, last, access->lane);
    bool same = true;
    for (uint32_t e = 0; e < access->op->count; e++)
        same &= memcmp(at + (size_t)e * access->op->bytes, value_of(access, access->lane, e), access->op->bytes) == 0;
    return same;
}

/* Lanes in lockstep are ordered after the earlier instructions of each other, but not within one instruction. */
static void compare_lockstep(race_access *access, uint32_t before, const uint64_t address[LANES])
{
    uint64_t bytes = (uint64_t)access->op->bytes * access->op->count;
    race_record r = {access->state->number, access->state->lane_tick[access->lane], access->op_number};
    EACH_SET(i, before)
    if (address[i] + bytes > address[access->lane] && address[i] < address[access->lane] + bytes) {
        gcast_race_kind kind = access->same_value ? GCAST_RACE_SAME_VALUE : GCAST_RACE_UNORDERED;
        add_race(access->checker, &(race_pair){access->warp, access->lane, access->op_number, r, i, kind,
                                               access->shared, access->address});
        return;
    }
}

void races_store(core *c, warp *w, const op *o, uint32_t m, char *const pointer[LANES])
{
    race_access access = begin_access(c, w, o);
    uint64_t address[LANES];
    memory_addresses(w, o, m, address);
    EACH_SET(i, m)
    {
        access.lane = i;
        access.lanes = 1u << i;
        if (!locate(&access, address[i]))
            continue;
        uint32_t before = m & ((1u << i) - 1);
        access.same_value = access.effects->strength != ACCESS_STRONG && !access.effects->asynchronous &&
                            is_there(&access, before, address, pointer[i]);
        access.writes = true;
        access_by by = accessor_of(&access);
        if (access.lockstep)
            compare_lockstep(&access, before, address);
        if (access.effects->strength == ACCESS_WEAK)
            place_overwrite(access.checker, &access.memory->places, access.address);
        access_bytes(&access, (uint32_t)o->bytes * o->count);
        if (access.effects->strength != ACCESS_WEAK) {
            place_write(access.checker, &access.memory->places, access.address, &by, CHANGE_STORE);
            if (access.effects->releases)
                order_tick(access.checker, w, by.lanes, o);
        }
    }
    check_memory(c);
}

void races_atomic(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, bool writes, bool changed)
{
    race_access access = begin_access(c, w, o);
    access.lane = lane;
    access.lanes = 1u << lane;
    if (!locate(&access, address))
        return;
    access_by by = accessor_of(&access);
    if (o->source && !ptx_is(o->source, "red"))
        place_read(access.checker, &access.memory->places, access.address, &by);
    access.writes = writes;
    access_bytes(&access, o->bytes);
    if (writes)
        place_write(access.checker, &access.memory->places, access.address, &by,
                    changed ? CHANGE_ATOMIC : CHANGE_NOTHING);
}

void races_atomics_done(core *c, warp *w, const op *o, uint32_t m)
{
    race_access access = begin_access(c, w, o);
    order_tick(access.checker, w, access.lockstep ? w->threads : m, o);
    check_memory(c);
}

void races_mbarrier(core *c, warp *w, const op *o, uint32_t lane, uint64_t address, mbarrier_event e)
{
    race_access access = begin_access(c, w, o);
    access.lane = lane;
    access.lanes = 1u << lane;
    access.writes = true;
    if (!locate(&access, address))
        return;
    access_by by = accessor_of(&access);
    if (access.effects->ends_copies)
        copies_end(access.checker, w->block->races->memory, access.state, lane, UINT32_MAX);
    place_barrier(access.checker, &access.memory->places, access.address, &by, e);
    access_bytes(&access, 8);
    if (e == MBARRIER_ARRIVES || e == MBARRIER_LAST_ARRIVES)
        order_tick(access.checker, w, by.lanes, o);
    check_memory(c);
}

void races_copies_arrive(core *c, warp *w, const op *o, uint32_t lane)
{
    race_access access = begin_access(c, w, o);
    uint64_t address[LANES];
    memory_addresses(w, o, 1u << lane, address);
    access.lane = lane;
    if (!locate(&access, address[lane]))
        return;
    access_by by = accessor_of(&access);
    if (access.effects->ends_copies)
        copies_end(access.checker, w->block->races->memory, access.state, lane, UINT32_MAX);
    place_barrier(access.checker, &access.memory->places, access.address, &by, MBARRIER_ARRIVES);
    order_tick(access.checker, w, by.lanes, o);
}
