/* A random program while it is printed. */
#ifndef TESTS_PROGRAM_PRINT_H
#define TESTS_PROGRAM_PRINT_H

#include "base/text.h"
#include "property/program.h"

typedef struct printer {
    text out;                 /* the PTX */
    const program_tree *tree; /* the program */
    int function;             /* that is printed now */
    int loop;                 /* node of the innermost loop that break may leave */
} printer;

/* Prints the statements of a list. */
void program_print_list(printer *p, int first);

#endif
