/* Basic blocks: a block begins at a target of a branch, and after every jump. */
#include "ptx/graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ptx/graph/roles.h"

typedef struct graph_builder {
    ptx_graph *g;          /* that is made */
    uint32_t *at;          /* by item: the first instruction at or after it; one more for the end */
    uint8_t *starts;       /* by instruction: it starts a block */
    uint32_t *counted_for; /* by block: 1 + the block that it was last counted for as a successor */
    VEC(uint32_t) edge;    /* of the graph so far */
    bool failed;           /* memory ran out */
} graph_builder;

static const ptx_operand *targets_of(const ptx_graph *g, const ptx_instruction *in)
{
    if (strcmp(in->opcode, "brx") != 0 || in->operands < 2 || in->operand[1].kind != PTX_OP_TABLE)
        return NULL;
    const ptx_item *table = &g->fn->item[in->operand[1].target];
    return table->kind == PTX_ITEM_TARGETS ? &table->list : NULL;
}

/* The k-th target of a jump, as an instruction; PTX_NONE after the last. */
static uint32_t target(const graph_builder *m, const ptx_instruction *in, uint32_t k)
{
    const ptx_operand *list = targets_of(m->g, in), *x = NULL;
    if (list)
        x = k < list->items ? &list->item[k] : NULL;
    else if (strcmp(in->opcode, "bra") == 0 && k == 0 && in->operands)
        x = &in->operand[0];
    return x && x->kind == PTX_OP_LABEL ? m->at[x->target] : PTX_NONE;
}

static void find_starts(graph_builder *m)
{
    ptx_graph *g = m->g;
    if (g->count)
        m->starts[0] = 1;
    for (uint32_t i = 0; i < g->count; i++) {
        if (!ptx_is_jump(g->in[i]))
            continue;
        m->starts[i + 1] = 1;
        for (uint32_t k = 0, t; (t = target(m, g->in[i], k)) != PTX_NONE; k++)
            m->starts[t] = 1;
    }
}

static void add_edge(graph_builder *m, uint32_t block, uint32_t instruction)
{
    if (instruction >= m->g->count)
        return;
    uint32_t successor = m->g->block_of[instruction];
    if (m->counted_for[successor] == block + 1)
        return;
    m->counted_for[successor] = block + 1;
    if (vec_push(&m->edge, successor))
        m->g->block[block].edges++;
    else
        m->failed = true;
}

static void find_edges(graph_builder *m)
{
    ptx_graph *g = m->g;
    for (uint32_t b = 0; b < g->blocks && !m->failed; b++) {
        ptx_graph_block *x = &g->block[b];
        uint32_t last = x->first + x->count - 1;
        const ptx_instruction *in = g->in[last];
        x->edge = (uint32_t)m->edge.count;
        if (ptx_is_jump(in))
            for (uint32_t k = 0, t; (t = target(m, in, k)) != PTX_NONE; k++)
                add_edge(m, b, t);
        if (!ptx_is_jump(in) || in->guard >= 0)
            add_edge(m, b, last + 1);
    }
}

static void find_reached(graph_builder *m)
{
    ptx_graph *g = m->g;
    VEC(uint32_t) todo = {0};
    if (g->blocks) {
        g->block[0].reached = true;
        g->block[0].predecessors = 1; /* the caller leads to it */
        m->failed = !vec_push(&todo, 0) || m->failed;
    }
    while (todo.count && !m->failed) {
        const ptx_graph_block *x = &g->block[todo.at[--todo.count]];
        for (uint32_t k = 0; k < x->edges; k++) {
            ptx_graph_block *successor = &g->block[g->edge[x->edge + k]];
            successor->predecessors++;
            if (!successor->reached)
                m->failed = !vec_push(&todo, g->edge[x->edge + k]) || m->failed;
            successor->reached = true;
        }
    }
    vec_free(&todo);
}

static void collect_instructions(graph_builder *m)
{
    ptx_graph *g = m->g;
    for (uint32_t i = 0; i < g->fn->items; i++) {
        m->at[i] = g->count;
        if (g->fn->item[i].kind != PTX_ITEM_INSTRUCTION)
            continue;
        g->item[g->count] = i;
        g->in[g->count++] = g->fn->item[i].instruction;
    }
    m->at[g->fn->items] = g->count;
}

static void make_blocks(graph_builder *m)
{
    ptx_graph *g = m->g;
    for (uint32_t i = 0; i < g->count; i++) {
        if (m->starts[i])
            g->block[g->blocks++] = (ptx_graph_block){.first = i};
        g->block_of[i] = g->blocks - 1;
        g->block[g->blocks - 1].count++;
    }
}

gcast_status ptx_graph_make(const ptx_function *fn, ptx_graph *out, gcast_error *err)
{
    size_t items = (size_t)fn->items + 1;
    *out = (ptx_graph){.fn = fn};
    graph_builder m = {.g = out};
    out->in = arena_alloc_array(&out->memory, items, sizeof *out->in);
    out->item = arena_alloc_array(&out->memory, items, sizeof *out->item);
    out->block_of = arena_alloc_array(&out->memory, items, sizeof *out->block_of);
    out->block = arena_alloc_array(&out->memory, items, sizeof *out->block);
    m.at = calloc(items, sizeof *m.at);
    m.starts = calloc(items + 1, sizeof *m.starts);
    m.counted_for = calloc(items, sizeof *m.counted_for);
    m.failed = !out->in || !out->item || !out->block_of || !out->block || !m.at || !m.starts || !m.counted_for;
    if (!m.failed) {
        collect_instructions(&m);
        find_starts(&m);
        make_blocks(&m);
        find_edges(&m);
    }
    out->edge = arena_alloc_array(&out->memory, m.edge.count + 1, sizeof *out->edge);
    m.failed = m.failed || !out->edge;
    if (!m.failed && m.edge.count)
        memcpy(out->edge, m.edge.at, m.edge.count * sizeof *out->edge);
    if (!m.failed)
        find_reached(&m);
    free(m.at);
    free(m.starts);
    free(m.counted_for);
    vec_free(&m.edge);
    if (m.failed)
        ptx_graph_free(out);
    return m.failed ? gcast_error_set_memory(err) : GCAST_OK;
}

void ptx_graph_free(ptx_graph *g)
{
    arena_free(&g->memory);
    *g = (ptx_graph){0};
}
