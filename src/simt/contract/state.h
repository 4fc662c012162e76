/* Contraction at work: what registers hold on the way through a function, and
 * the products and sums found. */
#ifndef SIMT_CONTRACT_STATE_H
#define SIMT_CONTRACT_STATE_H

#include "base/vec.h"
#include "ptx/graph/graph.h"
#include "simt/contract/contract.h"

#define NONE UINT32_MAX

/* What a register holds. */
typedef struct value {
    uint32_t product; /* NONE: anything else */
    bool negative;    /* the product's negation */
    bool constant;    /* for all threads, at no cost */
    bool known;       /* as bits */
    uint64_t bits;
} value;

typedef struct product {
    uint32_t at; /* instruction of the graph */
    uint32_t run;
    ptx_type type;
    bool ftz;
    bool anywhere; /* sums may be in other runs */
    bool needed;   /* by something that is no sum, or as the other operand of one */
    uint32_t uses;
} product;

typedef struct sum {
    uint32_t at;
    value of[2];
    bool stale[2]; /* a factor was, or may have been, written since */
    int taken;     /* 0 or 1; -1: neither */
} sum;

typedef struct finder {
    const ptx_graph *g;
    const ptx_live *live;
    contraction *out;
    value *now;          /* by register, in this chain of blocks */
    uint32_t *now_chain; /* chain + 1 that `now` is of */
    uint32_t *written;   /* instruction + 1 that last wrote it in this chain */
    value *always;       /* by register: what the only instruction that writes it gives, where that can be known */
    uint32_t chain, first, run, at;
    VEC(uint32_t) held; /* registers that were given a product in this chain */
    VEC(product) products;
    VEC(sum) sums;
    bool failed;
} finder;

/* Fill products and sums with those of the whole function. */
void contract_walk(finder *f);

#endif
