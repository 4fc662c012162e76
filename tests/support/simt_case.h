/* Runs small PTX kernels on the SIMT machine for tests. */
#ifndef TESTS_SIMT_CASE_H
#define TESTS_SIMT_CASE_H

#include "support/support.h"

/* A launch of one block (or `grid` of them) with up to four buffers of 32-bit words as its arguments. */
typedef struct simt_case {
    const char *ptx;  /* the module; NULL where there is a body */
    const char *body; /* of kernel k(.param .u64 b0 ..., one per buffer) with registers declared; used if ptx is NULL */
    const char *before;         /* with body: text before the kernel, or NULL */
    uint32_t grid, block;       /* of the launch */
    uint32_t shared;            /* bytes of dynamic shared memory */
    uint32_t buffers;           /* number of buffers */
    uint32_t *buffer[4];        /* their words */
    size_t words[4];            /* by buffer: number of its words */
    gcast_simt_options options; /* of the machine */
    gcast_simt_report *report;  /* of the last run; freed by simt_case_end */
    gcast_error err;            /* of the last run */
    char printed[512];          /* by the kernel */
} simt_case;

extern const gcast_simt_model simt_models[2];
#define EACH_MODEL(m) for (int m = 0; m < 2; m++)

simt_case simt_case_start(const char *body, gcast_simt_model model, uint32_t grid, uint32_t block);
void simt_case_buffer(simt_case *c, uint32_t *words, size_t count);
gcast_status simt_case_run(simt_case *c);
/* Runs it; the test fails where it fails. */
void simt_case_ok(simt_case *c);
/* Runs and fails the test unless it is an error whose message has `part` and whose line is that of `mark` in the text
 * (NULL: any). */
void simt_case_fails(simt_case *c, const char *part, const char *mark);
/* One block that must run well, with 64 words as its buffer. */
simt_case simt_case_block(const char *body, int model, uint32_t threads, uint32_t *words);
void simt_case_end(simt_case *c);

#endif
