/* Tables of what random programs do with memory and other lanes, and the memory
 * of their launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property/program.h"

const tree_type tree_types[] = {
    {"u8", 1, false, KIND_A},  {"s8", 1, true, KIND_A},   {"s16", 2, true, KIND_A},  {"u8", 1, false, KIND_H},
    {"u16", 2, false, KIND_H}, {"s8", 1, true, KIND_W},   {"u32", 4, false, KIND_A}, {"b32", 4, false, KIND_F},
    {"s32", 4, true, KIND_W},  {"u64", 8, false, KIND_W}, {"f32", 4, false, KIND_F}, {"f64", 8, false, KIND_D},
    {"u32", 4, false, KIND_A}, {"u32", 4, false, KIND_A},
};
const int tree_type_count = sizeof tree_types / sizeof *tree_types;

const char *const counter_names[COUNTERS] = {"add.u32", "min.s32", "max.u32", "and.b32",
                                             "or.b32",  "xor.b32", "inc.u32", "max.s32"};

uint32_t counter_combine(int counter, uint32_t value, uint32_t x)
{
    switch (counter) {
    case 0:
        return value + x;
    case 1:
        return (int32_t)x < (int32_t)value ? x : value;
    case 2:
        return x > value ? x : value;
    case 3:
        return value & x;
    case 4:
        return value | x;
    case 5:
        return value ^ x;
    case 6: /* all with the same bound */
        return value >= 1000 ? 0 : value + 1;
    default:
        return (int32_t)x > (int32_t)value ? x : value;
    }
}

const char *const atomic_names[ATOMICS] = {"add.u32", "exch.b32", "cas.b32", "inc.u32",
                                           "dec.u32", "min.u32",  "and.b32", "max.s32"};

uint32_t atomic_combine(int op, uint32_t value, uint32_t x, uint32_t y)
{
    switch (op) {
    case 0:
        return value + x;
    case 1:
        return x;
    case 2:
        return value == x ? y : value;
    case 3:
        return value >= x ? 0 : value + 1;
    case 4:
        return value == 0 || value > x ? x : value - 1;
    case 5:
        return x < value ? x : value;
    case 6:
        return value & x;
    default:
        return (int32_t)x > (int32_t)value ? x : value;
    }
}

/* $0: a result of 32 bits, $1: a predicate, $2: a value of 32 bits; -1: the lanes that vote */
const char *const vote_texts[VOTES] = {
    "vote.sync.ballot.b32 $0, $1, -1",
    "vote.sync.any.pred %q0, $1, -1; selp.u32 $0, 1, 0, %q0",
    "vote.sync.all.pred %q0, $1, -1; selp.u32 $0, 1, 0, %q0",
    "vote.sync.uni.pred %q0, $1, -1; selp.u32 $0, 1, 0, %q0",
    "match.any.sync.b32 $0, $2, -1",
    "match.all.sync.b32 $0|%q0, $2, -1",
    "redux.sync.add.u32 $0, $2, -1",
    "redux.sync.max.s32 $0, $2, -1",
    "redux.sync.xor.b32 $0, $2, -1",
};

const uint8_t tree_constants[CONST_BYTES] = {
    7,  200, 3, 99,  0,   255, 128, 1,  64, 63, 31,  32,  33,  5,   250, 17,  1,   2,   4,   8,  16, 32,
    64, 128, 0, 0,   128, 63,  0,   0,  0,  64, 190, 186, 73,  91,  254, 202, 239, 190, 1,   0,  0,  0,
    0,  0,   0, 128, 11,  22,  33,  44, 55, 66, 77,  88,  255, 255, 255, 255, 255, 255, 255, 127};

void tree_memory_fill(tree_memory *m, const program_tree *t)
{
    support_random r = {t->seed ^ 0x5bd1e995};
    m->threads = t->grid * t->block;
    m->global = calloc(m->threads, GLOBAL_BYTES);
    m->saved = calloc(m->threads, SAVED_BYTES);
    assert_true(m->global && m->saved);
    for (size_t i = 0; i < (size_t)m->threads * GLOBAL_BYTES; i++)
        m->global[i] = (uint8_t)(support_between(&r, 0, 3) ? support_next(&r) : 0);
    memset(m->counters, 0, sizeof m->counters);
    m->counters[3] = m->counters[COUNTERS + 3] = UINT32_MAX;
}

void tree_memory_free(tree_memory *m)
{
    free(m->global);
    free(m->saved);
}

static bool same_bytes(const char *name, const void *a, const void *b, size_t size, char *difference, size_t capacity)
{
    const uint8_t *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i]) {
            snprintf(difference, capacity, "byte %zu of %s is 0x%02x and must be 0x%02x", i, name, x[i], y[i]);
            return false;
        }
    return true;
}

bool tree_memory_same(const tree_memory *a, const tree_memory *b, char *difference, size_t size)
{
    return same_bytes("counters", a->counters, b->counters, sizeof a->counters, difference, size) &&
           same_bytes("global", a->global, b->global, (size_t)a->threads * GLOBAL_BYTES, difference, size) &&
           same_bytes("saved", a->saved, b->saved, (size_t)a->threads * SAVED_BYTES, difference, size);
}
