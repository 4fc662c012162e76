/* Random programs run the slow way: statement by statement where all threads of
 * a block are, and one thread after the other everywhere else. */
#include <string.h>

#include "property/program.h"

#define MAX_STEPS 60000

typedef enum { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_EXIT } flow;

/* A call of a function by a thread. */
typedef struct activation {
    uint64_t r[KINDS][REGISTERS];
    uint8_t local[LOCAL_BYTES];
    uint32_t depth;
} activation;

typedef struct launch {
    const program_tree *tree;
    tree_memory *memory;
    uint32_t block;
    activation kernel[MOST_THREADS];
    bool exited[MOST_THREADS];
    uint8_t shared[MOST_THREADS * SHARED_BYTES];
    uint32_t shared_counters[COUNTERS];
    int steps;
} launch;

static uint8_t *own_global(launch *l, uint32_t thread)
{
    return l->memory->global + (size_t)(l->block * l->tree->block + thread) * GLOBAL_BYTES;
}

static bool holds(const activation *a, int guard)
{
    return guard == 0 || (guard > 0 ? a->r[KIND_P][guard - 1] != 0 : a->r[KIND_P][-guard - 1] == 0);
}

static void run_op(activation *a, const node *n)
{
    const char *shape = tree_ops[n->op].shape;
    uint64_t x[3] = {0};
    for (int i = 0; shape[i + 1]; i++)
        x[i] = n->source[i].immediate ? n->source[i].bits : a->r[kind_of(shape[i + 1])][n->source[i].reg];
    a->r[kind_of(shape[0])][n->d] = tree_op_value(n->op, x[0], x[1], x[2]);
}

static uint8_t *place(launch *l, activation *a, uint32_t thread, const node *n, int unit)
{
    static uint8_t constants[CONST_BYTES];
    memcpy(constants, tree_constants, sizeof constants);
    uint64_t chosen = n->fixed ? n->source[0].bits : a->r[KIND_A][n->source[0].reg];
    uint64_t other = a->r[KIND_A][(n->source[0].reg + 1) % REGISTERS] % l->tree->block;
    switch (n->space) {
    case SPACE_GLOBAL:
        return own_global(l, thread) + chosen * (uint64_t)unit % GLOBAL_BYTES;
    case SPACE_LOCAL:
        return a->local + chosen * (uint64_t)unit % LOCAL_BYTES;
    case SPACE_SHARED:
        return l->shared + thread * SHARED_BYTES + chosen * (uint64_t)unit % SHARED_BYTES;
    case SPACE_OTHERS:
        return l->shared + other * SHARED_BYTES + chosen * (uint64_t)unit % SHARED_BYTES;
    default:
        return constants + chosen * (uint64_t)unit % CONST_BYTES;
    }
}

static void run_access(launch *l, activation *a, uint32_t thread, const node *n)
{
    const tree_type *t = &tree_types[n->op];
    uint8_t *at = place(l, a, thread, n, t->bytes * n->vector);
    for (int i = 0; i < n->vector; i++, at += t->bytes) {
        uint64_t *r = &a->r[t->kind][(n->d + i) % REGISTERS], x = 0;
        if (n->kind == NODE_STORE) {
            memcpy(at, r, (size_t)t->bytes);
            continue;
        }
        memcpy(&x, at, (size_t)t->bytes);
        if (t->is_signed)
            x = t->bytes == 1 ? (uint64_t)(int8_t)x : t->bytes == 2 ? (uint64_t)(int16_t)x : (uint64_t)(int32_t)x;
        *r = t->kind == KIND_A ? (uint32_t)x : t->kind == KIND_H ? (uint16_t)x : x;
    }
}

static void run_atomic(launch *l, activation *a, uint32_t thread, const node *n)
{
    uint32_t x = (uint32_t)a->r[KIND_A][n->source[0].reg], y = (uint32_t)a->r[KIND_A][n->source[1].reg], before;
    if (n->kind == NODE_COUNT) {
        uint32_t *counter = n->space == SPACE_SHARED ? l->shared_counters : l->memory->counters;
        counter[n->op] = counter_combine(n->op, counter[n->op], x);
        return;
    }
    uint8_t *at = n->space == SPACE_SHARED ? l->shared + thread * SHARED_BYTES : own_global(l, thread);
    at += 4 * n->source[2].reg;
    memcpy(&before, at, 4);
    uint32_t after = atomic_combine(n->op, before, x, y);
    memcpy(at, &after, 4);
    a->r[KIND_A][n->d] = before;
}

static flow run_list(launch *l, activation *a, uint32_t thread, int first);

static flow run_call(launch *l, activation *a, uint32_t thread, const node *n)
{
    if (a->depth == 0)
        return FLOW_NEXT;
    int function = n->op;
    if (n->form == 2 && a->r[KIND_P][0]) /* indirect: the other one */
        function = FUNCTIONS - n->op;
    uint32_t x = (uint32_t)a->r[KIND_A][n->source[0].reg], bits = x;
    float f = (float)x;
    double d = (double)x;
    activation callee = {.depth = a->depth - 1,
                         .r = {[KIND_A] = {x, x + 5, a->depth - 1, 77},
                               [KIND_W] = {x, 9, 0x123456789, UINT64_MAX},
                               [KIND_H] = {1, 2, 3, 0xffff},
                               [KIND_F] = {0, 0x3fc00000, 0, 0xbf800000},
                               [KIND_D] = {0, 0x3fd0000000000000, 0, 0xc000000000000000},
                               [KIND_P] = {bits & 1, !(bits & 1), 0, 1}}};
    memcpy(&callee.r[KIND_F][0], &f, 4);
    memcpy(&callee.r[KIND_D][0], &d, 8);
    if (run_list(l, &callee, thread, l->tree->body[function]) == FLOW_EXIT)
        return FLOW_EXIT;
    a->r[KIND_A][n->d] = callee.r[KIND_A][0];
    return FLOW_NEXT;
}

static flow run_loop(launch *l, activation *a, uint32_t thread, const node *n)
{
    int trip = n->form & 2 ? n->form >> 2 & 7 : (int)(a->r[KIND_A][n->source[0].reg] & 7);
    if (n->form & 1 && trip == 0)
        trip = 1; /* the body comes before the test */
    for (; trip > 0; trip--) {
        flow f = run_list(l, a, thread, n->child[0]);
        if (f == FLOW_BREAK)
            break;
        if (f == FLOW_RETURN || f == FLOW_EXIT)
            return f;
    }
    return FLOW_NEXT;
}

static flow run_switch(launch *l, activation *a, uint32_t thread, const node *n)
{
    for (int k = (int)(a->r[KIND_A][n->source[0].reg] & 3); k < 4; k++) {
        flow f = run_list(l, a, thread, n->child[k]);
        if (f != FLOW_NEXT)
            return f;
        if (!(n->form >> k & 1))
            break;
    }
    return FLOW_NEXT;
}

static flow run_node(launch *l, activation *a, uint32_t thread, const node *n)
{
    bool yes = holds(a, n->guard);
    l->steps++;
    switch (n->kind) {
    case NODE_IF:
        return run_list(l, a, thread, n->child[yes ? 0 : 1]);
    case NODE_LOOP:
        return run_loop(l, a, thread, n);
    case NODE_SWITCH:
        return run_switch(l, a, thread, n);
    case NODE_CALL:
        return run_call(l, a, thread, n);
    case NODE_BREAK:
        return yes ? FLOW_BREAK : FLOW_NEXT;
    case NODE_CONTINUE:
        return yes ? FLOW_CONTINUE : FLOW_NEXT;
    case NODE_EXIT:
        return !yes ? FLOW_NEXT : n->form ? FLOW_RETURN : FLOW_EXIT;
    case NODE_OP:
        if (yes)
            run_op(a, n);
        return FLOW_NEXT;
    case NODE_LOAD:
    case NODE_STORE:
        if (yes)
            run_access(l, a, thread, n);
        return FLOW_NEXT;
    default:
        if (yes)
            run_atomic(l, a, thread, n);
        return FLOW_NEXT;
    }
}

static flow run_list(launch *l, activation *a, uint32_t thread, int first)
{
    for (int i = first; i >= 0; i = l->tree->node[i].next) {
        if (l->steps > MAX_STEPS)
            return FLOW_EXIT;
        flow f = l->tree->node[i].skipped ? FLOW_NEXT : run_node(l, a, thread, &l->tree->node[i]);
        if (f != FLOW_NEXT)
            return f;
    }
    return FLOW_NEXT;
}

static uint32_t vote(const activation *a, const node *n, uint32_t lane, uint32_t lanes)
{
    uint32_t ballot = 0, equal = 0, sum = 0, all = 0, every = 0;
    int32_t maximum = INT32_MIN;
    uint32_t own_value = (uint32_t)a[lane].r[KIND_A][n->source[0].reg];
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t x = (uint32_t)a[i].r[KIND_A][n->source[0].reg];
        if (!holds(&a[i], n->guard))
            continue;
        every |= 1u << i;
        ballot |= (uint32_t)a[i].r[KIND_P][n->source[1].reg] << i;
        equal |= (uint32_t)(x == own_value) << i;
        sum += x;
        all ^= x;
        maximum = (int32_t)x > maximum ? (int32_t)x : maximum;
    }
    const uint32_t results[VOTES] = {ballot,
                                     ballot != 0,
                                     ballot == every,
                                     ballot == 0 || ballot == every,
                                     equal,
                                     equal == every ? every : 0,
                                     sum,
                                     (uint32_t)maximum,
                                     all};
    return results[n->op];
}

/* One warp: `a` are its lanes. Results are written when all are known. */
static void exchange(const program_tree *t, activation *a, const node *n, uint32_t lanes)
{
    uint32_t value[32];
    bool valid[32];
    int form = t->block % 32 ? n->form & 1 : n->form & 3;
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t b = (uint32_t)a[i].r[KIND_A][n->source[1].reg], from = i;
        valid[i] = true;
        if (form == 0)
            from = b % lanes;
        else if (form == 1)
            from = i - (b & 31);
        else if (form == 2)
            from = i + (b & 31);
        else
            from = i ^ (b & 31);
        if (from > 31) {
            valid[i] = false;
            from = i;
        }
        value[i] = n->kind == NODE_VOTE ? vote(a, n, i, lanes) : (uint32_t)a[from].r[KIND_A][n->source[0].reg];
    }
    for (uint32_t i = 0; i < lanes; i++) {
        if (holds(&a[i], n->guard))
            a[i].r[KIND_A][n->d] = value[i];
        if (n->kind == NODE_SHUFFLE)
            a[i].r[KIND_P][n->d] = valid[i];
    }
}

static void agree(launch *l, const node *n)
{
    uint32_t count = 0, block = l->tree->block;
    for (uint32_t i = 0; i < block; i++)
        count += l->kernel[i].r[KIND_P][n->source[1].reg] != 0;
    for (uint32_t i = 0; i < block; i++)
        l->kernel[i].r[KIND_A][n->d] = n->form % 3 == 0 ? count : n->form % 3 == 1 ? count == block : count != 0;
}

static void run_together(launch *l, int first)
{
    uint32_t block = l->tree->block;
    for (int i = first; i >= 0; i = l->tree->node[i].next) {
        const node *n = &l->tree->node[i];
        if (n->skipped || l->steps > MAX_STEPS)
            continue;
        if (n->kind == NODE_REPEAT) {
            for (int k = 0; k < 1 + n->form % 3; k++)
                run_together(l, n->child[0]);
        } else if (n->kind == NODE_HALF) {
            run_together(l, n->child[l->block & 1 ? 0 : 1]);
        } else if (n->kind == NODE_PHASE) {
            run_together(l, n->child[0]);
        } else if (n->kind == NODE_AGREE) {
            agree(l, n);
        } else if (n->kind == NODE_VOTE || n->kind == NODE_SHUFFLE) {
            for (uint32_t k = 0; k < block; k += 32)
                exchange(l->tree, l->kernel + k, n, block - k < 32 ? block - k : 32);
        } else {
            for (uint32_t k = 0; k < block; k++)
                if (!l->exited[k])
                    l->exited[k] = run_node(l, &l->kernel[k], k, n) >= FLOW_RETURN;
        }
    }
}

static void start(launch *l, uint32_t thread)
{
    activation *a = &l->kernel[thread];
    const uint8_t *own = own_global(l, thread);
    uint32_t id = l->block * l->tree->block + thread, word[2];
    float f = (float)thread;
    double d = (double)id;
    memcpy(word, own, 8);
    *a = (activation){.depth = DEPTH,
                      .r = {[KIND_A] = {thread, id, word[0], word[1]},
                            [KIND_W] = {0, id, 0x123456789, UINT64_MAX},
                            [KIND_F] = {0, 0x3fc00000, 0, 0},
                            [KIND_D] = {0, 0x3fd0000000000000, 0, 0xc000000000000000},
                            [KIND_P] = {thread & 1, (id & 2) != 0, (int32_t)word[0] < (int32_t)word[1], 1}}};
    memcpy(&a->r[KIND_W][0], own + 8, 8);
    for (int i = 0; i < REGISTERS; i++)
        memcpy(&a->r[KIND_H][i], own + 16 + 2 * i, 2);
    memcpy(&a->r[KIND_F][0], &f, 4);
    memcpy(&a->r[KIND_F][2], own + 24, 4);
    memcpy(&a->r[KIND_D][0], &d, 8);
    memcpy(&a->r[KIND_D][2], own + 32, 8);
}

static void finish(launch *l, uint32_t thread)
{
    static const size_t bytes[KINDS] = {4, 8, 2, 4, 8, 1};
    const activation *a = &l->kernel[thread];
    uint8_t *to = l->memory->saved + (size_t)(l->block * l->tree->block + thread) * SAVED_BYTES;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < REGISTERS; i++, to += bytes[kind])
            memcpy(to, &a->r[kind][i], bytes[kind]);
    for (int k = 0; k < COUNTERS && thread == 0; k++)
        l->memory->counters[COUNTERS + k] += l->shared_counters[k];
}

bool program_run(const program_tree *t, tree_memory *m)
{
    static launch l;
    l.tree = t;
    l.memory = m;
    l.steps = 0;
    for (l.block = 0; l.block < t->grid; l.block++) {
        memset(l.exited, 0, sizeof l.exited);
        memset(l.shared, 0, sizeof l.shared);
        memset(l.shared_counters, 0, sizeof l.shared_counters);
        for (uint32_t i = 0; i < t->block; i++)
            start(&l, i);
        run_together(&l, t->body[0]);
        for (uint32_t i = 0; i < t->block; i++)
            if (!l.exited[i])
                finish(&l, i);
    }
    return l.steps <= MAX_STEPS;
}
