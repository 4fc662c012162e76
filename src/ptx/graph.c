/* The control flow graph: a block begins at a target of a branch, and after every jump. */
#include "ptx/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ptx/instruction.h"

typedef struct graph_builder {
    ptx_graph *g;          /* the result */
    uint32_t *at;          /* by item: the first instruction at or after it; one more for the end */
    uint8_t *starts;       /* by instruction: it starts a block */
    uint32_t *predecessor; /* by block: 1 + the last block that got an edge to it */
    VEC(uint32_t) edge;    /* edges so far */
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
static uint32_t target(const graph_builder *builder, const ptx_instruction *in, uint32_t k)
{
    const ptx_operand *list = targets_of(builder->g, in), *x = NULL;
    if (list)
        x = k < list->items ? &list->item[k] : NULL;
    else if (strcmp(in->opcode, "bra") == 0 && k == 0 && in->operands)
        x = &in->operand[0];
    return x && x->kind == PTX_OP_LABEL ? builder->at[x->target] : PTX_NONE;
}

static void find_starts(graph_builder *builder)
{
    ptx_graph *g = builder->g;
    if (g->count)
        builder->starts[0] = 1;
    for (uint32_t i = 0; i < g->count; i++) {
        if (!ptx_is_jump(g->in[i]))
            continue;
        builder->starts[i + 1] = 1;
        for (uint32_t k = 0, t; (t = target(builder, g->in[i], k)) != PTX_NONE; k++)
            builder->starts[t] = 1;
    }
}

static void add_edge(graph_builder *builder, uint32_t block, uint32_t instruction)
{
    if (instruction >= builder->g->count)
        return;
    uint32_t successor = builder->g->block_of[instruction];
    if (builder->predecessor[successor] == block + 1)
        return;
    builder->predecessor[successor] = block + 1;
    if (vec_push(&builder->edge, successor))
        builder->g->block[block].edges++;
    else
        builder->failed = true;
}

static void find_edges(graph_builder *builder)
{
    ptx_graph *g = builder->g;
    for (uint32_t b = 0; b < g->blocks && !builder->failed; b++) {
        ptx_graph_block *x = &g->block[b];
        uint32_t last = x->first + x->count - 1;
        const ptx_instruction *in = g->in[last];
        x->edge = (uint32_t)builder->edge.count;
        if (ptx_is_jump(in))
            for (uint32_t k = 0, t; (t = target(builder, in, k)) != PTX_NONE; k++)
                add_edge(builder, b, t);
        if (!ptx_is_jump(in) || in->guard >= 0)
            add_edge(builder, b, last + 1);
    }
}

static void find_reached(graph_builder *builder)
{
    ptx_graph *g = builder->g;
    VEC(uint32_t) todo = {0};
    if (g->blocks) {
        g->block[0].reached = true;
        g->block[0].predecessors = 1; /* the caller leads to it */
        builder->failed = !vec_push(&todo, 0) || builder->failed;
    }
    while (todo.count && !builder->failed) {
        const ptx_graph_block *x = &g->block[todo.at[--todo.count]];
        for (uint32_t k = 0; k < x->edges; k++) {
            ptx_graph_block *successor = &g->block[g->edge[x->edge + k]];
            successor->predecessors++;
            if (!successor->reached)
                builder->failed = !vec_push(&todo, g->edge[x->edge + k]) || builder->failed;
            successor->reached = true;
        }
    }
    vec_free(&todo);
}

static void collect_instructions(graph_builder *builder)
{
    ptx_graph *g = builder->g;
    for (uint32_t i = 0; i < g->fn->items; i++) {
        builder->at[i] = g->count;
        if (g->fn->item[i].kind != PTX_ITEM_INSTRUCTION)
            continue;
        g->item[g->count] = i;
        g->in[g->count++] = g->fn->item[i].instruction;
    }
    builder->at[g->fn->items] = g->count;
}

static void make_blocks(graph_builder *builder)
{
    ptx_graph *g = builder->g;
    for (uint32_t i = 0; i < g->count; i++) {
        if (builder->starts[i])
            g->block[g->blocks++] = (ptx_graph_block){.first = i};
        g->block_of[i] = g->blocks - 1;
        g->block[g->blocks - 1].count++;
    }
}

gcast_status ptx_graph_make(const ptx_function *fn, ptx_graph *out, gcast_error *err)
{
    size_t items = (size_t)fn->items + 1;
    *out = (ptx_graph){.fn = fn};
    graph_builder builder = {.g = out};
    out->in = arena_alloc_array(&out->memory, items, sizeof *out->in);
    out->item = arena_alloc_array(&out->memory, items, sizeof *out->item);
    out->block_of = arena_alloc_array(&out->memory, items, sizeof *out->block_of);
    out->block = arena_alloc_array(&out->memory, items, sizeof *out->block);
    builder.at = calloc(items, sizeof *builder.at);
    builder.starts = calloc(items + 1, sizeof *builder.starts);
    builder.predecessor = calloc(items, sizeof *builder.predecessor);
    builder.failed = !out->in || !out->item || !out->block_of || !out->block || !builder.at || !builder.starts ||
                     !builder.predecessor;
    if (!builder.failed) {
        collect_instructions(&builder);
        find_starts(&builder);
        make_blocks(&builder);
        find_edges(&builder);
    }
    out->edge = arena_alloc_array(&out->memory, builder.edge.count + 1, sizeof *out->edge);
    builder.failed = builder.failed || !out->edge;
    if (!builder.failed && builder.edge.count)
        memcpy(out->edge, builder.edge.at, builder.edge.count * sizeof *out->edge);
    if (!builder.failed)
        find_reached(&builder);
    free(builder.at);
    free(builder.starts);
    free(builder.predecessor);
    vec_free(&builder.edge);
    if (builder.failed)
        ptx_graph_free(out);
    return builder.failed ? gcast_error_set_memory(err) : GCAST_OK;
}

void ptx_graph_free(ptx_graph *g)
{
    arena_free(&g->memory);
    *g = (ptx_graph){0};
}
