/* The control flow graph of a function: its instructions in basic blocks. */
#ifndef PTX_GRAPH_GRAPH_H
#define PTX_GRAPH_GRAPH_H

#include "ptx/ptx.h"

#define PTX_NONE UINT32_MAX

/* A basic block. */
typedef struct ptx_graph_block {
    uint32_t first, count; /* its instructions in the graph */
    uint32_t edge, edges;  /* its successors: edges edge to edge + edges - 1 of the graph, each block once */
    uint32_t predecessors; /* how many blocks that can be reached lead here; the function's start counts as one */
    bool reached;          /* the function's start leads here */
} ptx_graph_block;

typedef struct ptx_graph {
    const ptx_function *fn;     /* the function */
    uint32_t count, blocks;     /* instructions; basic blocks */
    const ptx_instruction **in; /* the instructions in the order of the text */
    uint32_t *item;             /* by instruction: its item in the function */
    uint32_t *block_of;         /* by instruction: its block */
    ptx_graph_block *block;     /* in the order of the text */
    uint32_t *edge;             /* blocks that edges lead to */
    arena memory;               /* owns all arrays */
} ptx_graph;

gcast_status ptx_graph_make(const ptx_function *fn, ptx_graph *out, gcast_error *err);
void ptx_graph_free(ptx_graph *g);

#endif
