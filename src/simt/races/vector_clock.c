/* Vector clocks as trees that share nodes. Nodes have reference counts; a node changes only while it has one. */
#include "simt/races/vector_clock.h"

#include <stddef.h>
#include <string.h>

#define BITS 5 /* bits of a warp's number per level */

struct race_clock {
    uint32_t refs;  /* references to it */
    uint32_t level; /* height above the leaves; 0: a leaf */
    union {
        race_clock *next;         /* the next free node */
        uint32_t tick[LANES];     /* of a leaf: by lane */
        race_clock *child[LANES]; /* of a node; leaves are shorter */
    } content;
};

#define LEAF_BYTES (offsetof(race_clock, content) + sizeof(uint32_t) * LANES)

void clocks_open(race_clocks *s, uint64_t warps)
{
    *s = (race_clocks){0};
    while (warps > (uint64_t)1 << s->levels * BITS)
        s->levels++;
}

void clocks_close(race_clocks *s)
{
    arena_free(&s->memory);
    *s = (race_clocks){0};
}

static race_clock *new_node(race_clocks *s, uint32_t level)
{
    race_clock **list = level ? &s->free_nodes : &s->free_leaves, *a = *list;
    size_t size = level ? sizeof *a : LEAF_BYTES;
    if (a) {
        *list = a->content.next;
        memset(a, 0, size);
    } else if (!(a = arena_alloc(&s->memory, size))) {
        s->failed = true;
        return NULL;
    }
    a->refs = 1;
    a->level = level;
    return a;
}

race_clock *clock_keep(race_clock *a)
{
    if (a)
        a->refs++;
    return a;
}

void clock_drop(race_clocks *s, race_clock *a)
{
    if (!a || --a->refs)
        return;
    for (uint32_t i = 0; a->level && i < LANES; i++)
        clock_drop(s, a->content.child[i]);
    race_clock **list = a->level ? &s->free_nodes : &s->free_leaves;
    a->content.next = *list;
    *list = a;
}

/* The clock with a top node of its own, which may be changed. */
static race_clock *own_top(race_clocks *s, race_clock *a)
{
    if (a->refs == 1)
        return a;
    race_clock *b = new_node(s, a->level);
    if (!b)
        return a;
    if (a->level) {
        for (int i = 0; i < LANES; i++)
            b->content.child[i] = clock_keep(a->content.child[i]);
    } else {
        memcpy(b->content.tick, a->content.tick, sizeof a->content.tick);
    }
    a->refs--;
    return b;
}

/* Does a know all that b knows? */
static bool covers(const race_clock *a, const race_clock *b)
{
    if (a == b || !b)
        return true;
    if (!a)
        return false;
    bool all = true;
    if (!a->level) {
        for (int i = 0; i < LANES; i++)
            all &= a->content.tick[i] >= b->content.tick[i];
        return all;
    }
    for (int i = 0; i < LANES && all; i++)
        all = covers(a->content.child[i], b->content.child[i]);
    return all;
}

race_clock *clock_join(race_clocks *s, race_clock *a, race_clock *b)
{
    if (covers(a, b))
        return a;
    if (covers(b, a)) {
        clock_drop(s, a);
        return clock_keep(b);
    }
    a = own_top(s, a);
    if (s->failed)
        return a;
    for (int i = 0; i < LANES; i++)
        if (a->level)
            a->content.child[i] = clock_join(s, a->content.child[i], b->content.child[i]);
        else if (a->content.tick[i] < b->content.tick[i])
            a->content.tick[i] = b->content.tick[i];
    return a;
}

static race_clock *raise_at(race_clocks *s, race_clock *a, uint32_t level, uint32_t warp, uint32_t mask,
                            const uint32_t tick[LANES])
{
    a = a ? own_top(s, a) : new_node(s, level);
    if (s->failed)
        return a;
    if (level) {
        race_clock **child = &a->content.child[warp >> (level - 1) * BITS & (LANES - 1)];
        *child = raise_at(s, *child, level - 1, warp, mask, tick);
        return a;
    }
    EACH_SET(i, mask) if (a->content.tick[i] < tick[i]) a->content.tick[i] = tick[i];
    return a;
}

race_clock *clock_raise(race_clocks *s, race_clock *a, uint32_t warp, uint32_t mask, const uint32_t tick[LANES])
{
    return raise_at(s, a, s->levels, warp, mask, tick);
}

const uint32_t *clock_lanes(const race_clocks *s, const race_clock *a, uint32_t warp)
{
    for (uint32_t level = s->levels; a && level; level--)
        a = a->content.child[warp >> (level - 1) * BITS & (LANES - 1)];
    return a ? a->content.tick : NULL;
}

void view_clear(race_clocks *s, race_view *a)
{
    clock_drop(s, a->known);
    for (int i = 0; i < SCOPES; i++) {
        clock_drop(s, a->fenced[i]);
        clock_drop(s, a->unfenced[i]);
    }
    *a = (race_view){0};
}

void view_set(race_clocks *s, race_view *a, const race_view *b)
{
    race_view before = *a;
    *a = *b;
    clock_keep(a->known);
    for (int i = 0; i < SCOPES; i++) {
        clock_keep(a->fenced[i]);
        clock_keep(a->unfenced[i]);
    }
    view_clear(s, &before);
}

void view_join(race_clocks *s, race_view *a, const race_view *b)
{
    a->known = clock_join(s, a->known, b->known);
    for (int i = 0; i < SCOPES; i++) {
        a->fenced[i] = clock_join(s, a->fenced[i], b->fenced[i]);
        a->unfenced[i] = clock_join(s, a->unfenced[i], b->unfenced[i]);
    }
}

bool view_is_same(const race_view *a, const race_view *b)
{
    bool same = a->known == b->known;
    for (int i = 0; i < SCOPES; i++)
        same &= a->fenced[i] == b->fenced[i] && a->unfenced[i] == b->unfenced[i];
    return same;
}
