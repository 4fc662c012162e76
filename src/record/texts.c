#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "record/texts.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

uint32_t text_number(texts *t, raw_file *f, const char *words)
{
    if (!words)
        return 0;
    size_t size = strlen(words);
    uint64_t hash = index_hash(words, size);
    for (index_probe p = index_start(&t->index, hash); index_next(&t->index, &p);)
        if (strcmp(t->list.at[p.value], words) == 0)
            return p.value + 1;
    char *copy = t->list.count < INT32_MAX ? strdup(words) : NULL;
    if (!copy || !vec_push(&t->list, copy)) {
        free(copy);
        return 0;
    }
    if (!vec_push(&t->readable, 0) || !index_add(&t->index, hash, (uint32_t)(t->list.count - 1))) {
        t->readable.count = --t->list.count;
        free(copy);
        return 0;
    }
    const int64_t fields[TEXT_COUNT] = {[TEXT_ID] = (int64_t)t->list.count};
    raw_put(f, RECORDED_TEXT, fields, TEXT_COUNT, words, size);
    return (uint32_t)t->list.count;
}

/* That of the program's C++ library, or of the system's: a program in C has none. */
void texts_open(texts *t)
{
    union {
        void *found;
        demangler *function;
    } d = {.found = dlsym(RTLD_DEFAULT, "__cxa_demangle")};
    void *library = d.found ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library)
        d.found = dlsym(library, "__cxa_demangle");
    t->demangle = d.function;
}

uint32_t text_readable(texts *t, raw_file *f, uint32_t number)
{
    if (!number || strncmp(t->list.at[number - 1], "_Z", 2) != 0)
        return number;
    if (t->readable.at[number - 1])
        return t->readable.at[number - 1];
    int status = -1;
    char *words = t->demangle ? t->demangle(t->list.at[number - 1], NULL, NULL, &status) : NULL;
    uint32_t readable = words && status == 0 ? text_number(t, f, words) : 0;
    free(words);
    t->readable.at[number - 1] = readable ? readable : number;
    return t->readable.at[number - 1];
}
