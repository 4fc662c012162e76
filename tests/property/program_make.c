/* Random programs. Threads write only their own memory, or use atomics that commute. Barriers and exchanges are only
 * where all threads of a block arrive. */
#include <string.h>

#include "property/generate.h"
#include "property/program.h"

typedef struct maker {
    program_tree *tree; /* what is made */
    support_random r;   /* what is drawn from */
    int function;       /* 0: the kernel */
    int level;          /* of loops */
    bool reads_others;  /* shared memory of other threads is read */
    int left;           /* nodes that may still be added */
} maker;

/* What surrounds a list of statements. */
typedef struct surroundings {
    bool together; /* all threads of the block arrive there */
    bool in_loop;  /* in a loop that break may leave */
    int depth;     /* of nesting */
} surroundings;

static int pick(maker *m, int lo, int hi)
{
    return (int)support_between(&m->r, lo, hi);
}

static int new_node(maker *m, node_kind kind)
{
    node n = {.kind = kind, .next = -1, .child = {-1, -1, -1, -1}};
    m->tree->node[m->tree->nodes] = n;
    m->left--;
    return m->tree->nodes++;
}

static uint64_t interesting(maker *m)
{
    static const uint64_t some[] = {0,  1,   2,      5,      31,         32,          33,
                                    63, 255, 0x7fff, 0x8000, 0x7fffffff, 0x80000000u, UINT32_MAX};
    return percent(&m->r, 70) ? some[pick(m, 0, (int)(sizeof some / sizeof *some) - 1)] : support_next(&m->r);
}

static uint64_t immediate_of(maker *m, int kind)
{
    static const uint32_t floats[] = {0, 0x3f800000, 0xbf000000, 0x40490fdb, 0x7f7fffff, 0x00000001, 0xff800000};
    static const uint64_t doubles[] = {0, 0x3ff0000000000000, 0xbfe0000000000000, 0x400921fb54442d18,
                                       0x7fefffffffffffff};
    uint64_t x = interesting(m);
    switch (kind) {
    case KIND_A:
        return x & UINT32_MAX;
    case KIND_H:
        return x & 0x7fff;
    case KIND_F:
        return floats[pick(m, 0, 6)];
    case KIND_D:
        return doubles[pick(m, 0, 4)];
    default:
        return x;
    }
}

static void fill_op(maker *m, node *n)
{
    n->op = pick(m, 0, tree_op_count - 1);
    n->d = pick(m, 0, REGISTERS - 1);
    const char *shape = tree_ops[n->op].shape;
    for (int i = 0; shape[i + 1]; i++) {
        int kind = kind_of(shape[i + 1]);
        n->source[i].reg = pick(m, 0, REGISTERS - 1);
        n->source[i].immediate = i > 0 && kind != KIND_P && percent(&m->r, 25);
        n->source[i].bits = immediate_of(m, kind);
        if (strncmp(tree_ops[n->op].text, "bf", 2) == 0) /* of bfe and bfi PTX takes no larger ones */
            n->source[i].bits &= 255;
    }
}

static int guard(maker *m, int chance)
{
    int p = pick(m, 1, REGISTERS);
    return !percent(&m->r, chance) ? 0 : percent(&m->r, 50) ? p : -p;
}

static void fill_access(maker *m, node *n, bool store)
{
    do
        n->op = pick(m, 0, tree_type_count - 1);
    while (store && tree_types[n->op].is_signed);
    n->d = pick(m, 0, REGISTERS - 1);
    n->source[0].reg = pick(m, 0, REGISTERS - 1);
    n->source[0].bits = (uint64_t)pick(m, 0, 63);
    n->vector = percent(&m->r, 70) ? 1 : pick(m, 0, 1) ? 2 : 4;
    while (n->vector * tree_types[n->op].bytes > 16)
        n->vector /= 2;
    n->generic = percent(&m->r, 25);
    n->fixed = percent(&m->r, 30);
    int space = pick(m, 0, m->function == 0 ? 3 : store ? 1 : 2);
    n->space = space == 0 ? SPACE_GLOBAL : space == 1 ? SPACE_LOCAL : SPACE_SHARED;
    if (!store && (m->function == 0 ? space == 3 : space == 2))
        n->space = SPACE_CONST;
    if (n->space == SPACE_SHARED && m->reads_others)
        n->space = store ? SPACE_GLOBAL : SPACE_OTHERS;
}

static int make_list(maker *m, surroundings w, int max_count);

static int make_branch(maker *m, surroundings w, node_kind kind)
{
    int i = new_node(m, kind), children = kind == NODE_IF ? 2 : kind == NODE_LOOP ? 1 : 4;
    node *n = &m->tree->node[i];
    n->guard = guard(m, 100);
    n->form = pick(m, 0, 255);
    n->source[0].reg = pick(m, 0, REGISTERS - 1);
    n->level = m->level;
    w.together = false;
    w.depth++;
    if (kind == NODE_LOOP) {
        w.in_loop = true;
        m->level++;
    }
    for (int k = 0; k < children; k++)
        n->child[k] = percent(&m->r, kind == NODE_LOOP || k == 0 ? 100 : 60) ? make_list(m, w, 4) : -1;
    if (kind == NODE_LOOP)
        m->level--;
    return i;
}

static int make_call(maker *m)
{
    int i = new_node(m, NODE_CALL);
    node *n = &m->tree->node[i];
    n->op = pick(m, 1, FUNCTIONS - 1);
    n->d = pick(m, 0, REGISTERS - 1);
    n->source[0].reg = pick(m, 0, REGISTERS - 1);
    n->source[1].reg = pick(m, 0, REGISTERS - 1);
    n->form = pick(m, 0, 2);
    return i;
}

/* A statement that only makes sense where all threads are. */
static int make_together(maker *m, surroundings w)
{
    static const node_kind kinds[] = {NODE_REPEAT, NODE_HALF,    NODE_PHASE, NODE_PHASE,
                                      NODE_VOTE,   NODE_SHUFFLE, NODE_AGREE};
    node_kind kind = kinds[pick(m, 0, m->tree->exits ? 3 : 6)];
    if (m->reads_others && kind == NODE_PHASE)
        kind = NODE_HALF;
    int i = new_node(m, kind);
    node *n = &m->tree->node[i];
    n->d = pick(m, 0, REGISTERS - 1);
    n->form = pick(m, 0, 255);
    n->op = pick(m, 0, VOTES - 1);
    n->level = m->level;
    n->guard = kind == NODE_VOTE ? guard(m, 50) : 0;
    for (int k = 0; k < 2; k++)
        n->source[k].reg = pick(m, 0, REGISTERS - 1);
    w.depth++;
    if (kind == NODE_REPEAT) {
        m->level++;
        n->child[0] = make_list(m, w, 3);
        m->level--;
    } else if (kind == NODE_HALF) {
        n->child[0] = make_list(m, w, 3);
        n->child[1] = pick(m, 0, 1) ? make_list(m, w, 3) : -1;
    } else if (kind == NODE_PHASE) {
        m->reads_others = true;
        n->child[0] = make_list(m, w, 4);
        m->reads_others = false;
    }
    return i;
}

static int make_simple(maker *m)
{
    static const node_kind kinds[] = {NODE_OP,   NODE_OP,   NODE_OP,    NODE_OP,    NODE_OP,     NODE_OP,   NODE_OP,
                                      NODE_LOAD, NODE_LOAD, NODE_STORE, NODE_STORE, NODE_ATOMIC, NODE_COUNT};
    node_kind kind = kinds[pick(m, 0, (int)(sizeof kinds / sizeof *kinds) - 1)];
    int i = new_node(m, kind);
    node *n = &m->tree->node[i];
    n->guard = guard(m, 30);
    if (kind == NODE_OP)
        fill_op(m, n);
    else if (kind == NODE_LOAD || kind == NODE_STORE)
        fill_access(m, n, kind == NODE_STORE);
    if (kind == NODE_ATOMIC || kind == NODE_COUNT) {
        n->op = pick(m, 0, kind == NODE_ATOMIC ? ATOMICS - 1 : COUNTERS - 1);
        n->d = pick(m, 0, REGISTERS - 1);
        n->form = pick(m, 0, 2);
        n->space = m->function == 0 && pick(m, 0, 1) && !m->reads_others ? SPACE_SHARED : SPACE_GLOBAL;
        n->generic = percent(&m->r, 25);
        for (int k = 0; k < 3; k++)
            n->source[k].reg = pick(m, 0, REGISTERS - 1);
    }
    return i;
}

static int make_statement(maker *m, surroundings w)
{
    int chance = pick(m, 0, 99);
    bool may_nest = m->left > 12 && w.depth < 5;
    if (w.together && may_nest && chance < 20)
        return m->level < LEVELS || chance < 15 ? make_together(m, w) : make_simple(m);
    if (chance < 32 && may_nest)
        return make_branch(m, w, NODE_IF);
    if (chance < 40 && may_nest && m->level < LEVELS)
        return make_branch(m, w, NODE_LOOP);
    if (chance < 44 && may_nest)
        return make_branch(m, w, NODE_SWITCH);
    if (chance < 48)
        return make_call(m);
    if (chance < 52 && (w.in_loop || (m->tree->exits && chance < 50))) {
        int i = new_node(m, !m->tree->exits || (w.in_loop && chance > 48) ? (chance & 1 ? NODE_BREAK : NODE_CONTINUE)
                                                                          : NODE_EXIT);
        m->tree->node[i].guard = guard(m, 100);
        m->tree->node[i].form = pick(m, 0, 1);
        return i;
    }
    return make_simple(m);
}

static int make_list(maker *m, surroundings w, int max_count)
{
    int first = -1, last = -1;
    for (int k = pick(m, 1, max_count); k > 0 && m->left > 8; k--) {
        int i = make_statement(m, w);
        if (last >= 0)
            m->tree->node[last].next = i;
        else
            first = i;
        last = i;
    }
    return first;
}

void program_make(program_tree *t, uint64_t seed)
{
    static const uint32_t blocks[] = {1, 7, 31, 32, 33, 45, 64, 70, 96, 100, 128};
    memset(t, 0, sizeof *t);
    maker m = {.tree = t, .r = {seed * 0x9e3779b97f4a7c15u + 1}};
    t->seed = seed;
    t->block = blocks[pick(&m, 0, (int)(sizeof blocks / sizeof *blocks) - 1)];
    t->grid = (uint32_t)pick(&m, 1, 4);
    t->exits = percent(&m.r, 50);
    for (m.function = 0; m.function < FUNCTIONS; m.function++) {
        m.left = m.function ? 20 + pick(&m, 0, 15) : 40 + pick(&m, 0, 200);
        surroundings w = {.together = m.function == 0};
        t->body[m.function] = make_list(&m, w, m.function ? 8 : 20);
    }
}
