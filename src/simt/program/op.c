/* Strong accesses, and the lane functions of hidden ops. */
#include "simt/program/op.h"

#include <string.h>

bool flow_is_strong(const ptx_instruction *in)
{
    static const char *const words[] = {"volatile", "relaxed", "acquire", "cg", "cv", "mmio"};
    for (uint32_t i = 0; i < in->mods; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strcmp(in->mod[i], words[k]) == 0)
                return true;
    return false;
}

#define COPY(name, T)                                                                                                  \
    void name(const op *o, const rows *r, uint32_t m)                                                                  \
    {                                                                                                                  \
        T *d = row(r, o->d);                                                                                           \
        const T *a = row(r, o->a);                                                                                     \
        WRITE_LANES(T, , a[i])                                                                                         \
    }
COPY(lanes_copy_32, u32)
COPY(lanes_copy_64, u64)

#define SELECT(name, T)                                                                                                \
    void name(const op *o, const rows *r, uint32_t m)                                                                  \
    {                                                                                                                  \
        T *d = row(r, o->d);                                                                                           \
        const T *a = row(r, o->a), *b = row(r, o->b);                                                                  \
        uint32_t c = *(const u32 *)row(r, o->c);                                                                       \
        EACH_LANE                                                                                                      \
        {                                                                                                              \
            T x = (c >> i) & 1 ? a[i] : b[i];                                                                          \
            d[i] = (m >> i) & 1 ? x : d[i];                                                                            \
        }                                                                                                              \
    }
SELECT(lanes_select_32, u32)
SELECT(lanes_select_64, u64)

void lanes_copy_predicate(const op *o, const rows *r, uint32_t m)
{
    u32 *d = row(r, o->d);
    *d = (*d & ~m) | (*(const u32 *)row(r, o->a) & m);
}

void lanes_not_predicate(const op *o, const rows *r, uint32_t m)
{
    u32 *d = row(r, o->d);
    *d = (*d & ~m) | (~*(const u32 *)row(r, o->a) & m);
}
