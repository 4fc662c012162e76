/* Modules of small kernels to see what ptxas contracts: statements of
 * tests/data/ptxas/rules.txt, and random programs. */
#ifndef TESTS_SNIPPETS_H
#define TESTS_SNIPPETS_H

#include "base/text.h"

/* The kernel `name` of the statements, which are separated by semicolons; labels get a name of their own. */
void snippet_kernel(const char *name, const char *statements, text *out);
/* What is before all kernels of a module. */
void snippet_head(const char *target, text *out);

/* Random kernels: straight ones of a type, or with branches, or with loops too. */
typedef enum {
    SNIPPET_f32,
    SNIPPET_ftz,
    SNIPPET_f64,
    SNIPPET_f16x2,
    SNIPPET_branches,
    SNIPPET_loops,
    SNIPPETS
} snippet_kind;
const char *snippet_kind_name(snippet_kind k);
/* Statements for snippet_kernel; free them. */
char *snippet_random(snippet_kind k, uint64_t seed);

#endif
