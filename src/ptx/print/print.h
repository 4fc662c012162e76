/* A module as PTX text. */
#ifndef PTX_PRINT_PRINT_H
#define PTX_PRINT_PRINT_H

#include "ptx/ptx.h"

/* Prints text that parses to the same program; debug sections are left out. */
void ptx_print(const ptx_module *m, text *out);

/* What may be printed besides, or instead; each may be NULL. */
typedef struct ptx_print_hooks {
    void (*before)(const void *data, const ptx_function *f, text *out); /* before a function */
    bool (*body)(const void *data, const ptx_function *f, text *out);   /* the lines of its body; false: as they are */
    const void *data;                                                   /* the first argument of these */
} ptx_print_hooks;

void ptx_print_with(const ptx_module *m, const ptx_print_hooks *hooks, text *out);

#endif
