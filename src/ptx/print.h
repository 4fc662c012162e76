/* A module as PTX text. */
#ifndef PTX_PRINT_H
#define PTX_PRINT_H

#include "ptx/ptx.h"

/* Prints text that parses to the same program; debug sections are left out. */
void ptx_print(const ptx_module *m, text *out);

/* Each hook may be NULL. */
typedef struct ptx_print_hooks {
    void (*before)(const void *data, const ptx_function *f, text *out); /* prints text before a function */
    bool (*body)(const void *data, const ptx_function *f, text *out);   /* prints its body; false: it is not changed */
    const void *data;                                                   /* the first argument of the hooks */
} ptx_print_hooks;

void ptx_print_with(const ptx_module *m, const ptx_print_hooks *hooks, text *out);

/* One line of a function's body. */
void print_item(const ptx_function *f, const ptx_item *item, text *out);

#endif
