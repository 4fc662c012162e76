/* What the cost model knows of the ops of a program before it runs. */
#ifndef SIMT_PROGRAM_COST_PROGRAM_H
#define SIMT_PROGRAM_COST_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* An op as the cost model sees it. Its registers are in cost_program.reg: sources first, then results. */
typedef struct cost_op {
    uint8_t class;            /* cost_class */
    uint8_t sources, results; /* how many registers it reads and writes */
    bool predicated;          /* inside a short branch that ptxas replaces by predicates */
    bool bypasses_l1;         /* a load that L1 does not serve */
    uint32_t first;           /* its first register in cost_program.reg */
} cost_op;

typedef struct cost_program {
    cost_op *op;        /* by op of the program */
    uint32_t *reg;      /* registers of all ops */
    uint32_t registers; /* of all functions together */
} cost_program;

#endif
