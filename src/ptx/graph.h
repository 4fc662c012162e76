/* The control flow graph of a function: its instructions in basic blocks. */
#ifndef PTX_GRAPH_H
#define PTX_GRAPH_H

#include "ptx/ptx.h"

#define PTX_NONE UINT32_MAX

/* A basic block. */
typedef struct ptx_graph_block {
    uint32_t first, count; /* its instructions in the graph */
    uint32_t edge, edges;  /* first edge and number of edges to its successors, each of which is there once */
    uint32_t predecessors; /* reachable blocks that lead here; the start of the function counts as one */
    bool reached;          /* reachable from the start of the function */
} ptx_graph_block;

typedef struct ptx_graph {
    const ptx_function *fn;
    uint32_t count, blocks;     /* instructions; basic blocks */
    const ptx_instruction **in; /* in the order of the text */
    uint32_t *item;             /* by instruction: its item in the function */
    uint32_t *block_of;         /* by instruction: its block */
    ptx_graph_block *block;     /* in the order of the text */
    uint32_t *edge;             /* by edge: the block that it leads to */
    arena memory;               /* owns all arrays */
} ptx_graph;

gcast_status ptx_graph_make(const ptx_function *fn, ptx_graph *out, gcast_error *err);
void ptx_graph_free(ptx_graph *g);

#endif
