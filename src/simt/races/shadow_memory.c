/* Shadow memory: for each word of memory the last plain write, and the accesses since then that are not ordered among
 * themselves. Equal lists are shared, so that an array which all blocks read takes little more than one number per
 * word. */
#include "simt/races/shadow_memory.h"

#include <stdlib.h>
#include <string.h>

#include "simt/races/sync_places.h"

#define MAX_LIST_LENGTH 2048
#define CACHE_SIZE 1024
#define FIRST_SLOTS 1024

static race_cell *global_cell(race_checker *checker, uint64_t address)
{
    const program *p = checker->machine->program;
    uint32_t i = checker->last_region;
    if (!(i < p->regions && address - p->region[i].base < p->region[i].bytes)) {
        for (i = 0; i < p->regions && address - p->region[i].base >= p->region[i].bytes;)
            i++;
        if (i == p->regions)
            return NULL;
        checker->last_region = i;
    }
    if (!checker->global[i])
        checker->global[i] = calloc((size_t)(p->region[i].bytes / 4 + 1), sizeof(race_cell));
    if (!checker->global[i]) {
        checker->failed = true;
        return NULL;
    }
    return &checker->global[i][(address - p->region[i].base) / 4];
}

race_cell *shadow_cell(race_checker *checker, const block *b, bool shared, uint64_t address)
{
    if (!shared)
        return global_cell(checker, address);
    return address / 4 < b->races->cells ? &b->races->shared[address / 4] : NULL;
}

race_memory *shadow_open(race_checker *checker)
{
    race_memory *m = checker->free;
    if (m) {
        checker->free = m->next;
        m->records.count = m->nodes.count = 1;
        m->splits.count = 0;
        memset(m->table, 0, m->slots * sizeof *m->table);
        memset(m->steps, 0, CACHE_SIZE * sizeof *m->steps);
        return m;
    }
    m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->slots = FIRST_SLOTS;
    m->table = calloc(m->slots, sizeof *m->table);
    m->steps = calloc(CACHE_SIZE, sizeof *m->steps);
    if (m->table && m->steps && vec_push(&m->records, (race_record){0}) && vec_push(&m->nodes, (race_node){0}))
        return m;
    shadow_free(checker, m);
    return NULL;
}

void shadow_close(race_checker *checker, race_memory *m)
{
    if (!m)
        return;
    places_free(checker, &m->places);
    m->next = checker->free;
    checker->free = m;
}

void shadow_free(race_checker *checker, race_memory *m)
{
    if (!m)
        return;
    places_free(checker, &m->places);
    vec_free(&m->records);
    vec_free(&m->nodes);
    vec_free(&m->splits);
    free(m->table);
    free(m->steps);
    free(m);
}

race_cell *shadow_bytes(race_checker *checker, race_memory *m, race_cell *c)
{
    if (c->write != RACE_SPLIT) {
        race_cell word = *c;
        for (int i = 0; i < 4; i++)
            if (!vec_push(&m->splits, word)) {
                checker->failed = true;
                return NULL;
            }
        *c = (race_cell){RACE_SPLIT, (uint32_t)(m->splits.count - 4)};
    }
    return &m->splits.at[c->later];
}

uint32_t shadow_record(race_checker *checker, race_memory *m, const race_record *r)
{
    if (m->records.count < RACE_MAX_RECORDS && vec_push(&m->records, *r))
        return (uint32_t)(m->records.count - 1);
    checker->failed = true;
    return 0;
}

static bool writes(const race_checker *checker, const race_record *r)
{
    return checker->op[race_op_of(r)].writes && !race_is_quiet(r);
}

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t h = (a * 0x9e3779b97f4a7c15u ^ b) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 29 ^ c) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(h >> 32);
}

static bool grow_table(race_memory *m)
{
    uint32_t slots = m->slots * 2, *table = calloc(slots, sizeof *table);
    if (!table)
        return false;
    for (uint32_t i = 1; i < m->nodes.count; i++) {
        const race_node *n = &m->nodes.at[i];
        uint32_t at = mix(n->record, n->lanes, n->next) & (slots - 1);
        while (table[at])
            at = (at + 1) & (slots - 1);
        table[at] = i;
    }
    free(m->table);
    m->table = table;
    m->slots = slots;
    return true;
}

/* The list with one more access at its head. */
static uint32_t prepend(race_checker *checker, race_memory *m, uint32_t record, uint32_t lanes, uint32_t next)
{
    if (!lanes)
        return next;
    uint32_t at = mix(record, lanes, next) & (m->slots - 1);
    for (; m->table[at]; at = (at + 1) & (m->slots - 1)) {
        const race_node *n = &m->nodes.at[m->table[at]];
        if (n->record == record && n->lanes == lanes && n->next == next)
            return m->table[at];
    }
    race_node n = {record, lanes, next, m->nodes.at[next].has_write || writes(checker, &m->records.at[record])};
    if (m->nodes.count >= UINT32_MAX / 4 || !vec_push(&m->nodes, n)) {
        checker->failed = true;
        return next;
    }
    uint32_t number = (uint32_t)(m->nodes.count - 1);
    m->table[at] = number;
    checker->failed |= m->nodes.count > m->slots / 2 && !grow_table(m);
    return number;
}

bool shadow_is_before(const race_checker *checker, const race_clock *known, uint32_t own_warp, const race_record *r,
                      uint32_t lanes)
{
    uint32_t warps = checker->machine->block_warps;
    if (!checker->blocks_meet && own_warp / warps != r->warp / warps)
        return false;
    const uint32_t *ticks = clock_lanes(&checker->clocks, known, r->warp);
    if (!ticks)
        return false;
    EACH_SET(i, lanes) if (ticks[i] < r->tick) return false;
    return true;
}

/* The lanes of an earlier access that stay in the list when a new access is added. If the earlier access happens before
 * the new one, it can go: whatever is ordered after the new access is also ordered after it. But a read only replaces
 * reads, as a later read can race with the write. */
static uint32_t lanes_left(const race_checker *checker, const race_memory *m, const race_node *n, const race_record *r,
                           uint32_t lanes, const race_view *view)
{
    const race_record *earlier = &m->records.at[n->record];
    if (writes(checker, earlier) && !writes(checker, r))
        return n->lanes;
    if (shadow_is_before(checker, view->known, r->warp, earlier, n->lanes))
        return 0;
    return earlier->warp == r->warp && earlier->tick != RACE_PENDING ? n->lanes & ~lanes : n->lanes;
}

static uint32_t add(race_checker *checker, race_memory *m, uint32_t list, uint32_t record, uint32_t lanes,
                    const race_view *view)
{
    const race_record r = m->records.at[record];
    uint32_t kept[MAX_LIST_LENGTH], left[MAX_LIST_LENGTH], count = 0, changed = 0, all = lanes, rest = list;
    for (uint32_t i = list; i; i = m->nodes.at[i].next) {
        const race_node *n = &m->nodes.at[i];
        bool same = n->record == record;
        if (count == MAX_LIST_LENGTH) {
            checker->cut = true;
            changed = count;
            rest = 0;
            break;
        }
        all |= same ? n->lanes : 0;
        kept[count] = n->record;
        left[count] = same ? 0 : lanes_left(checker, m, n, &r, lanes, view);
        if (left[count++] != n->lanes) {
            changed = count;
            rest = n->next;
        }
    }
    while (changed--) /* the part of the list behind the last change stays as it is */
        rest = prepend(checker, m, kept[changed], left[changed], rest);
    return prepend(checker, m, record, all, rest);
}

uint32_t shadow_add(race_checker *checker, race_memory *m, uint32_t list, uint32_t record, uint32_t lanes,
                    const race_view *view)
{
    const race_node *head = &m->nodes.at[list];
    if (list && head->record == record && !(lanes & ~head->lanes))
        return list;
    race_step *step = &m->steps[mix(list, record, lanes) % CACHE_SIZE];
    if (!(step->result && step->list == list && step->record == record && step->lanes == lanes))
        *step = (race_step){list, record, lanes, add(checker, m, list, record, lanes, view)};
    return step->result;
}
