/* Races that were found. Two ops are one race, however many threads meet there;
 * the report names the first two threads, and why nothing orders them. */
#include "simt/races/found.h"

#include <stdio.h>

#include "base/minmax.h"
#include "ptx/words.h"
#include "simt/program/flow.h"
#include "simt/program/source_place.h"

#define MAX_RACES 1000

/* "bar.sync at line 30 (file.cu:12)". */
static void name_op(const race_checker *k, uint32_t at, char *out, size_t size)
{
    const op *o = &k->machine->program->op[at];
    const ptx_instruction *in = o->source;
    char place[80] = "";
    source_place(k->machine->program, o, place, sizeof place);
    snprintf(out, size, "%.24s%s%.24s at line %d%s", in ? in->opcode : "?", in && in->mods ? "." : "",
             in && in->mods ? in->mod[0] : "", o->line, place);
}

/* The next synchronization of the thread after its first access; NULL: there is none yet, or its block has ended. */
static const race_event *next_event(const race_checker *k, const race_pair *p)
{
    uint32_t warps = k->machine->block_warps;
    const block *b = p->w->block;
    if (p->first.warp / warps != (uint32_t)b->number)
        return NULL;
    const race_warp *w = &b->races->warp[p->first.warp % warps];
    for (size_t i = 0; i < w->events.count; i++)
        if (w->events.at[i].tick >= p->first.tick && w->events.at[i].lanes >> p->first_lane & 1)
            return &w->events.at[i];
    return NULL;
}

static bool has_ended(const race_checker *k, const race_pair *p)
{
    const race_warp *w = &p->w->block->races->warp[p->first.warp % k->machine->block_warps];
    for (size_t i = w->events.count; i-- > 0;)
        if (w->events.at[i].lanes >> p->first_lane & 1)
            return flow_ends(&k->machine->program->op[w->events.at[i].op]);
    return false;
}

static bool is_same_warp(const race_pair *p)
{
    return p->first.warp == p->w->block->races->warp[p->w->number].number;
}

static bool lacks_fence(const race_checker *k, const race_pair *p)
{
    const race_view *v = &p->w->block->races->warp[p->w->number].lane[p->lane].view[VIEW_GPU];
    for (int s = 0; s < SCOPES; s++) {
        const uint32_t *known = clock_lanes(&k->clocks, v->unfenced[s], p->first.warp);
        if (known && known[p->first_lane] >= p->first.tick)
            return true;
    }
    return false;
}

static void explain(const race_checker *k, const race_pair *p, char *out, size_t size)
{
    const race_op *a = &k->op[race_op_of(&p->first)], *b = &k->op[p->op];
    uint32_t warps = k->machine->block_warps;
    bool other_block = p->first.warp / warps != (uint32_t)p->w->block->number;
    const race_event *e = next_event(k, p);
    bool ended = e && has_ended(k, p);
    char event[160] = "";
    if (e)
        name_op(k, e->op, event, sizeof event);
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
    else if (lacks_fence(k, p))
        snprintf(out, size, "the second has seen what the first released, but no fence or acquire came after that");
    else if (ended && flow_ends(&k->machine->program->op[e->op]))
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

static void fill_side(const race_checker *k, gcast_simt_access *x, uint32_t number, uint32_t lane, uint32_t at)
{
    const machine *m = k->machine;
    const op *o = &m->program->op[at];
    const race_op *r = &k->op[at];
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

static race_found *find_race(race_checker *k, uint64_t hash, const race_pair *p, uint32_t low, uint32_t high)
{
    for (index_probe i = index_start(&k->found_index, hash); index_next(&k->found_index, &i);) {
        race_found *f = &k->found.at[i.value];
        if (f->op_a == low && f->op_b == high && f->race.kind == p->kind && f->race.shared == p->shared)
            return f;
    }
    return NULL;
}

void found_add(race_checker *k, const race_pair *p)
{
    if (!k->exact) { /* the launch runs again to find them, with their lines */
        k->found_any = true;
        return;
    }
    uint32_t first = race_op_of(&p->first), low = min_u32(first, p->op), high = max_u32(first, p->op);
    uint32_t key[4] = {low, high, (uint32_t)p->kind, p->shared};
    uint64_t hash = index_hash(key, sizeof key);
    race_found *f = find_race(k, hash, p, low, high);
    if (f) {
        f->race.times++;
        return;
    }
    if (k->found.count == MAX_RACES)
        return;
    race_found found = {
        .race = {.kind = p->kind, .shared = p->shared, .address = p->address, .times = 1}, .op_a = low, .op_b = high};
    const program *prog = k->machine->program;
    for (uint32_t i = 0; !p->shared && i < prog->regions; i++)
        if (p->address - prog->region[i].base < prog->region[i].bytes) {
            found.race.buffer = prog->region[i].name;
            found.race.address = p->address - prog->region[i].base;
        }
    fill_side(k, &found.race.first, p->first.warp, p->first_lane, first);
    fill_side(k, &found.race.second, p->w->block->races->warp[p->w->number].number, p->lane, p->op);
    explain(k, p, found.why, sizeof found.why);
    if (!vec_push(&k->found, found) || !index_add(&k->found_index, hash, (uint32_t)(k->found.count - 1)))
        k->failed = true;
}
