#include "analyze/assumed/open_combinations.h"

#define ALL_OF 5     /* so many things, or fewer, are combined in all ways */
#define ALL_OF_FEW 2 /* of a large workload */

static uint64_t bits(size_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* The bits of the things of a choice; those beyond the 64th are not told apart. */
static uint64_t bits_of(const open_combinations *c, left_open choice)
{
    size_t before = choice == LEFT_OPEN_CARVEOUTS ? 0 : c->things[LEFT_OPEN_CARVEOUTS].count;
    return before < 64 ? bits(c->things[choice].count) << before : 0;
}

static void add_all(open_combinations *c, size_t things)
{
    uint64_t first = bits_of(c, LEFT_OPEN_CARVEOUTS), second = bits_of(c, LEFT_OPEN_BLOCKING);
    for (int of_both = 0; of_both < 2; of_both++)
        for (uint64_t chosen = 1; chosen <= bits(things); chosen++)
            if ((chosen & first && chosen & second) == of_both)
                c->chosen[c->count++] = chosen;
}

void open_combinations_find(const gcast_workload *w, const gcast_gpu *gpu, bool few, open_combinations *c)
{
    size_t things = 0;
    *c = (open_combinations){0};
    for (int k = 0; k < LEFT_OPEN_CHOICES; k++) {
        workload_open_things(w, gpu, (left_open)k, &c->things[k]);
        things += c->things[k].count;
    }
    c->are_all = things <= (few ? ALL_OF_FEW : ALL_OF);
    if (c->are_all)
        add_all(c, things);
    for (int k = 0; k < LEFT_OPEN_CHOICES && !c->are_all; k++)
        if (c->things[k].count)
            c->chosen[c->count++] = UINT64_C(1) << k;
}

bool open_combination_has(const open_combinations *c, size_t i, left_open choice)
{
    return c->are_all ? c->chosen[i] & bits_of(c, choice) : c->chosen[i] >> choice & 1;
}

gcast_status open_combination_make(const open_combinations *c, size_t i, const gcast_workload *w, gcast_workload **out,
                                   gcast_error *err)
{
    gcast_status status = gcast_workload_copy(w, out, err);
    size_t bit = 0;
    for (int k = 0; k < LEFT_OPEN_CHOICES && status == GCAST_OK; k++) {
        if (!c->are_all && open_combination_has(c, i, (left_open)k))
            workload_choose_other(*out, (left_open)k);
        for (size_t t = 0; t < c->things[k].count && c->are_all; t++, bit++)
            if (c->chosen[i] >> bit & 1)
                workload_choose_other_of(*out, (left_open)k, c->things[k].at[t]);
    }
    return status;
}
