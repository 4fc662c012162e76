/* Tables of instructions that only read and write registers. One line of a table makes the function that runs over the
 * lanes of a row, and its entry in the list of forms that the decoder searches. */
#ifndef SIMT_ISA_LANE_FORMS_H
#define SIMT_ISA_LANE_FORMS_H

#include "simt/program/op.h"

/* One form of an instruction. */
typedef struct lane_form {
    const char *words; /* its spellings, with spaces between: "mul.lo.u32 mul.lo.s32" */
    const char *shape; /* shapes of its operands, the destination first: w up to 32 bits, h 16 bits, x 64 bits,
                          p predicate, i an integer constant, k the carry, _ no operand */
    lane_function *run;
} lane_form;

/* Each list ends with words of NULL. */
extern const lane_form integer_forms[], carry_forms[], logic_forms[];

/* A line of a table has: name, words, shape, types, expression. These make functions of 1, 2 and 3 operands. */
#define LANES_1(name, words, shape, D, A, expr)                                                                        \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        D *d = row(r, o->d);                                                                                           \
        const A *pa = row(r, o->a);                                                                                    \
        WRITE_LANES(D, A a = pa[i], expr)                                                                              \
    }

#define LANES_2(name, words, shape, D, A, B, expr)                                                                     \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        D *d = row(r, o->d);                                                                                           \
        const A *pa = row(r, o->a);                                                                                    \
        const B *pb = row(r, o->b);                                                                                    \
        WRITE_LANES(D, A a = pa[i]; B b = pb[i], expr)                                                                 \
    }

#define LANES_3(name, words, shape, D, A, B, C, expr)                                                                  \
    static void name(const op *o, const rows *r, uint32_t m)                                                           \
    {                                                                                                                  \
        D *d = row(r, o->d);                                                                                           \
        const A *pa = row(r, o->a);                                                                                    \
        const B *pb = row(r, o->b);                                                                                    \
        const C *pc = row(r, o->c);                                                                                    \
        WRITE_LANES(D, A a = pa[i]; B b = pb[i]; C c = pc[i], expr)                                                    \
    }

#define LANES_FORM_1(name, words, shape, D, A, expr) {words, shape, name},
#define LANES_FORM_2(name, words, shape, D, A, B, expr) {words, shape, name},
#define LANES_FORM_3(name, words, shape, D, A, B, C, expr) {words, shape, name},

#endif
