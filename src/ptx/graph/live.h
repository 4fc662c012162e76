/* Which registers are live at the start and the end of each block. */
#ifndef PTX_GRAPH_LIVE_H
#define PTX_GRAPH_LIVE_H

#include "ptx/graph/graph.h"
#include "ptx/graph/roles.h"

/* Sets of registers by block. Registers that only one block uses are in none. */
typedef struct ptx_live {
    const ptx_graph *graph; /* the function */
    uint32_t words;         /* 64-bit words of a set */
    uint32_t stride;        /* words from a block's set to the next: `words`, or 0 if all blocks share one set, because
                             * there are too many; then all registers of several blocks count as live everywhere */
    uint32_t *number;       /* by register: its bit in a set; PTX_NONE: it is used by one block only */
    uint32_t *reg;          /* by bit: its register */
    uint32_t bits;          /* of a set */
    uint64_t *in, *out;     /* by block: live at its start, at its end */
    uint8_t *dead;          /* by instruction: it writes only what nothing needs, and has no effect */
    arena memory;           /* owns all arrays */
} ptx_live;

/* What instructions are taken to read, to write and to do, if not what the text says. */
typedef struct ptx_roles {
    void (*reads)(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data);  /* as ptx_each_read */
    void (*writes)(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data); /* as ptx_each_write */
    bool (*effect)(const void *data, uint32_t instruction);                                     /* as ptx_has_effect */
    const void *data; /* the first argument of these */
} ptx_roles;

/* A register is live where an instruction that is not dead reads it later. roles NULL: as the text says. */
gcast_status ptx_live_find(const ptx_graph *g, const ptx_roles *roles, ptx_live *out, gcast_error *err);
void ptx_live_free(ptx_live *l);

static inline bool ptx_live_has(const ptx_live *l, const uint64_t *set, uint32_t reg)
{
    uint32_t n = l->number[reg];
    return n != PTX_NONE && (set[n / 64] >> n % 64 & 1);
}

#endif
