/* Names of kernels, functions and ranges: each is put into the file once, and has a number from then on. */
#ifndef RECORD_TEXTS_H
#define RECORD_TEXTS_H

#include "base/index.h"
#include "base/vec.h"
#include "record/raw_file.h"

/* The demangler of C++. */
typedef char *demangler(const char *name, char *buffer, size_t *size, int *status);

typedef struct texts {
    hash_index index;
    VEC(char *) list;       /* text of number i + 1 */
    VEC(uint32_t) readable; /* number of its demangled form; 0: not asked for */
    demangler *demangle;    /* NULL: there is none */
} texts;

/* Looks for a demangler, which may open a library: not while CUPTI hands out records. */
void texts_open(texts *t);
/* The number of a text; 0 without memory, and for NULL. */
uint32_t text_number(texts *t, raw_file *f, const char *words);
/* The number of its demangled form, where it has one and there is a demangler; else `number`. */
uint32_t text_readable(texts *t, raw_file *f, uint32_t number);

#endif
