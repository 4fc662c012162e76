#include "simt/decode/basic_lanes.h"

#include "simt/program/op.h"

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
