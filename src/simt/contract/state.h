/* The state of contraction: what registers hold on the way through a function,
 * and the products and sums found. */
#ifndef SIMT_CONTRACT_STATE_H
#define SIMT_CONTRACT_STATE_H

#include "base/vec.h"
#include "ptx/graph/live.h"
#include "simt/contract/contraction.h"

#define NONE UINT32_MAX

/* What a register holds. */
typedef struct value {
    uint32_t product; /* number of the product; NONE: something else */
    bool negative;    /* it is the negated product */
    bool constant;    /* it is the same for all threads, and costs no instruction */
    bool known;       /* `bits` is its value */
    uint64_t bits;    /* its value */
} value;

typedef struct product {
    uint32_t at;       /* its instruction in the graph */
    uint32_t run;      /* the run of instructions that it is in */
    ptx_type type;     /* its type */
    bool ftz;          /* it has .ftz */
    bool crosses_runs; /* sums in other runs may absorb it */
    bool needed;       /* it must be computed: it has a use that is no sum, or a sum that absorbs another product */
    uint32_t uses;     /* how many operands it is */
} product;

typedef struct sum {
    uint32_t at;      /* its instruction in the graph */
    value operand[2]; /* its operands */
    bool stale[2];    /* by operand that is a product: a factor was, or may have been, written since */
    int absorbed;     /* the operand that it absorbs, 0 or 1; -1: neither */
} sum;

typedef struct finder {
    const ptx_graph *g;      /* the function */
    const ptx_live *live;    /* which registers are live */
    contraction *out;        /* by item: the result */
    value *current;          /* by register: what it holds in this chain of blocks */
    uint32_t *current_chain; /* by register: 1 + the chain that `current` belongs to */
    uint32_t *written;       /* by register: 1 + the instruction that last wrote it in this chain */
    value *always;           /* by register: what its only instruction writes, where that can be known */
    uint32_t chain;          /* number of the chain */
    uint32_t first, run;     /* the first run of the chain; the run of the instruction at hand */
    uint32_t at;             /* the instruction at hand */
    VEC(uint32_t) held;      /* registers that were given a product in this chain */
    VEC(product) products;   /* found so far */
    VEC(sum) sums;           /* found so far */
    bool failed;             /* memory ran out */
} finder;

#endif
