/* Which registers are live at the start and the end of each block. */
#ifndef PTX_LIVE_H
#define PTX_LIVE_H

#include "ptx/graph.h"
#include "ptx/instruction.h"

/* Sets of registers by block. A register that only one block uses is in no set. */
typedef struct ptx_live {
    const ptx_graph *graph; /* the function */
    uint32_t words;         /* 64-bit words of a set */
    uint32_t stride;        /* words from a block's set to the next; 0: the sets would be too large, so all blocks share
                             * one, and every register that several blocks use counts as live everywhere */
    uint32_t *number;       /* by register: its bit in a set; PTX_NONE: only one block uses it */
    uint32_t *reg;          /* by bit: its register */
    uint32_t bits;          /* registers in `reg` */
    uint64_t *in, *out;     /* by block: live at its start, at its end */
    uint8_t *dead;          /* by instruction: it has no effect, and nothing needs its results */
    arena memory;           /* owns all arrays */
} ptx_live;

/* What instructions read, write and do, where that differs from the text. */
typedef struct ptx_roles {
    void (*reads)(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data);  /* as ptx_each_read */
    void (*writes)(const void *data, uint32_t instruction, ptx_visit *visit, void *visit_data); /* as ptx_each_write */
    bool (*effect)(const void *data, uint32_t instruction);                                     /* as ptx_has_effect */
    const void *data; /* the first argument of the functions */
} ptx_roles;

/* A register is live where an instruction that is not dead may read its value later. roles NULL: as the text says. */
gcast_status ptx_live_find(const ptx_graph *g, const ptx_roles *roles, ptx_live *out, gcast_error *err);
void ptx_live_free(ptx_live *l);

static inline bool ptx_live_has(const ptx_live *l, const uint64_t *set, uint32_t reg)
{
    uint32_t n = l->number[reg];
    return n != PTX_NONE && (set[n / 64] >> n % 64 & 1);
}

#endif
