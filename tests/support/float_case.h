/* A PTX float instruction as a test case: its name as PTX writes it says what
 * to compute, and its inputs follow from a number, so that results recorded on
 * a GPU need no inputs beside them. */
#ifndef TESTS_FLOAT_CASE_H
#define TESTS_FLOAT_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "simt/float/float.h"

typedef struct float_case {
    char name[48];   /* "fma.rz.ftz.f32"; "setp.f32" and "testp.f32" stand for every comparison and test at once */
    char opcode[12]; /* "fma" */
    float_mode mode; /* rounding and modifiers */
    bool approx;     /* .approx */
    bool full;       /* .full */
    bool packed;     /* f16x2 or bf16x2: operands and result in halves; of cvt only the result */
    int operands;    /* their number */
    float_type to;   /* of the result */
    float_type from; /* of the operands */
} float_case;

/* false if the name is none of an instruction that float.h has. */
bool float_case_parse(const char *name, float_case *c);
uint64_t float_case_apply(const float_case *c, const uint64_t in[3]);
int float_case_bits(const float_case *c); /* of the result */

/* Inputs number `index`: first a grid of special values, then random ones made to hit limits, ties and cancellation. */
void float_case_inputs(const float_case *c, uint64_t index, uint64_t in[3]);

/* PTX of a kernel `entry` that applies c to in[3 * i] and on of thread i below n, and writes out[i], all of 64 bits. */
void float_case_ptx(const float_case *c, const char *entry, void (*write)(void *data, const char *text), void *data);

#endif
