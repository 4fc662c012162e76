/* A growable array. Declare with VEC(type); grow with vec_push, which is false without memory and then leaves the array
 * as it was. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define VEC(type)                                                                                                      \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        size_t count, cap;                                                                                             \
    }

/* `at` is the address of a pointer to entries of any type. That pointer is copied as bytes, because it may not be
 * accessed as a void *. */
static inline bool vec_grow(void *at, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return true;
    size_t grown = *cap ? *cap : 16;
    while (grown < need) {
        if (grown > PTRDIFF_MAX / 2 / size)
            return false;
        grown *= 2;
    }
    void *p;
    memcpy(&p, at, sizeof p);
    p = realloc(p, grown * size);
    if (!p)
        return false;
    memcpy(at, &p, sizeof p);
    *cap = grown;
    return true;
}

#define vec_reserve(v, n) vec_grow(&(v)->at, &(v)->cap, (n), sizeof *(v)->at)
#define vec_push(v, x) (vec_reserve((v), (v)->count + 1) && ((v)->at[(v)->count++] = (x), true))
#define vec_free(v) (free((v)->at), (v)->at = NULL, (v)->count = (v)->cap = 0)

#endif
