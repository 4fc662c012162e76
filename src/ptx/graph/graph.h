/* A function's text as a compiler sees it: its instructions in basic blocks,
 * which registers each reads and writes, and which of them are live. Nothing
 * here depends on how an instruction is executed. */
#ifndef PTX_GRAPH_GRAPH_H
#define PTX_GRAPH_GRAPH_H

#include "ptx/ptx.h"

#define PTX_NONE UINT32_MAX

typedef struct ptx_graph_block {
    uint32_t first, count; /* of the graph's instructions */
    uint32_t edge, edges;  /* where it leads to: edge[edge .. edge + edges) of the graph, each block once */
    uint32_t from;         /* how many blocks lead here, of those that can be reached */
    bool reached;          /* from the function's start */
} ptx_graph_block;

typedef struct ptx_graph {
    const ptx_function *fn;
    uint32_t count, blocks;
    const ptx_instruction **in; /* in the order of the text */
    uint32_t *item;             /* of each: its item in the function */
    uint32_t *block_of;         /* of each */
    ptx_graph_block *block;
    uint32_t *edge;
    arena memory;
} ptx_graph;

gcast_status ptx_graph_make(const ptx_function *fn, ptx_graph *out, gcast_error *err);
void ptx_graph_free(ptx_graph *g);

/* Does the instruction have this word among its modifiers? */
bool ptx_has(const ptx_instruction *in, const char *word);
/* Its first or last type; PTX_NO_TYPE: none. */
ptx_type ptx_first_type(const ptx_instruction *in);
ptx_type ptx_last_type(const ptx_instruction *in);

/* Calls `visit` for each register that it writes, or reads; `part`: only a component of it. The guard is read. A
 * guarded instruction leaves its results as they were in some threads, which is for the caller to know. */
typedef void ptx_visit(void *data, uint32_t reg, bool part);
void ptx_each_write(const ptx_instruction *in, ptx_visit *visit, void *data);
void ptx_each_read(const ptx_instruction *in, ptx_visit *visit, void *data);
/* Does it do anything but write registers? What does not is left out by compilers where nobody reads these. */
bool ptx_has_effect(const ptx_instruction *in);
/* May control go elsewhere than to the next instruction? */
bool ptx_is_jump(const ptx_instruction *in);

/* Sets of registers by block. Those that only one block uses are in none. */
typedef struct ptx_live {
    const ptx_graph *graph;
    uint32_t words;   /* of a set */
    uint32_t stride;  /* from a block's set to the next: `words`, or 0 where one for all is all there is room for */
    uint32_t *number; /* by register: its bit; PTX_NONE: of one block only */
    uint32_t *reg;    /* by bit: its register */
    uint32_t bits;
    uint64_t *in, *out; /* by block: live at its start, at its end */
    uint8_t *dead;      /* by instruction: it writes only what nobody needs, and has no effect */
    arena memory;
} ptx_live;

/* What instructions are taken to read, to write and to do, if not what the text says. */
typedef struct ptx_roles {
    void (*reads)(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data);
    void (*writes)(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data);
    bool (*effect)(const void *data, uint32_t instruction);
    const void *data;
} ptx_roles;

/* A register is live where something that is not dead reads it later. `roles` NULL: as the text says. */
gcast_status ptx_live_find(const ptx_graph *g, const ptx_roles *roles, ptx_live *out, gcast_error *err);
void ptx_live_free(ptx_live *l);
static inline bool ptx_live_has(const ptx_live *l, const uint64_t *set, uint32_t reg)
{
    uint32_t n = l->number[reg];
    return n != PTX_NONE && (set[n / 64] >> n % 64 & 1);
}

#endif
