/* A random program while it is printed. */
#ifndef TESTS_PROGRAM_PRINT_H
#define TESTS_PROGRAM_PRINT_H

#include "base/text/text.h"
#include "property/program.h"

typedef struct printer {
    text out;
    const program_tree *tree;
    int function;
    int loop; /* innermost that can be left */
} printer;

/* The statements of a list. */
void program_print_list(printer *p, int first);

#endif
