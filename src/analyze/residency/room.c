/* The three sums of lemma 3 (docs/residency.md). */
#include "analyze/residency/room.h"

#include "base/integers.h"

#define WHOLE_SM INT64_C(1000000000) /* unit of shares of an SM, which are rounded up */

/* Does each quarter of an SM have its own part of this resource? */
static bool by_quarter(const gcast_gpu *gpu, int resource)
{
    return gpu->register_quarters && (resource == GCAST_RES_WARPS || resource == GCAST_RES_REGISTERS);
}

room_amounts room_of_sm(const gcast_gpu *gpu)
{
    sm_state empty;
    room_amounts a;
    sm_empty(gpu, &empty);
    for (int r = 0; r < ROOM_RESOURCES; r++)
        a.amount[r] = empty.free[r];
    if (gpu->register_quarters) {
        a.amount[GCAST_RES_WARPS] /= GCAST_QUARTERS;
        a.amount[GCAST_RES_REGISTERS] /= GCAST_QUARTERS;
    }
    return a;
}

room_kernel room_of_kernel(const gcast_gpu *gpu, const gcast_op *op, const room_amounts *sm)
{
    sm_demand d = sm_demand_of(gpu, op);
    room_kernel k = {.size = d.size, .least_size = d.size.chosen_bytes, .fits = INT64_MAX};
    int64_t quarter_warps = (d.warps + GCAST_QUARTERS - 1) / GCAST_QUARTERS;
    for (int r = 0; r < ROOM_RESOURCES; r++) {
        k.need.amount[r] = d.need[r];
        if (by_quarter(gpu, r))
            k.need.amount[r] = r == GCAST_RES_WARPS ? quarter_warps : quarter_warps * d.warp_registers;
        if (k.need.amount[r])
            k.fits = min_i64(k.fits, sm->amount[r] / k.need.amount[r]);
    }
    if (k.need.amount[GCAST_RES_SHARED_MEMORY]) /* on an SM with the least shared memory */
        k.fits = min_i64(k.fits, d.size.min_bytes / k.need.amount[GCAST_RES_SHARED_MEMORY]);
    return k;
}

void room_mix_sizes(room_kernel *kernels, size_t count)
{
    int chosen[GCAST_MAX_CARVEOUTS + 1], sizes = 0;
    for (size_t i = 0; i < count; i++) {
        int k = 0;
        while (k < sizes && chosen[k] != kernels[i].size.chosen_bytes)
            k++;
        if (kernels[i].fits && k == sizes && sizes <= GCAST_MAX_CARVEOUTS)
            chosen[sizes++] = kernels[i].size.chosen_bytes;
    }
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < sizes; k++)
            if (chosen[k] >= kernels[i].size.min_bytes)
                kernels[i].least_size = min_i64(kernels[i].least_size, chosen[k]);
}

/* May an SM with a block of the waiter have too little shared memory for the head? */
static bool size_is_small(const room_head *h, const room_waiter *w, bool carveouts)
{
    return carveouts && w->kernel->least_size < h->kernel->size.min_bytes;
}

/* The least amount that an SM with enough shared memory for the head has of a resource. */
static int64_t capacity(const room_amounts *sm, const room_head *h, int resource, bool carveouts)
{
    return carveouts && resource == GCAST_RES_SHARED_MEMORY ? h->kernel->size.min_bytes : sm->amount[resource];
}

/* At most how many blocks of the head lose their place to one block of the waiter. */
static int64_t loss(const room_head *h, const room_waiter *w, bool carveouts)
{
    int64_t most = 0;
    if (size_is_small(h, w, carveouts))
        return h->kernel->fits;
    for (int r = 0; r < ROOM_RESOURCES; r++)
        if (h->kernel->need.amount[r])
            most = max_i64(most, div_up(w->kernel->need.amount[r], h->kernel->need.amount[r]));
    return min_i64(most, h->kernel->fits);
}

/* How many blocks of the waiter alone keep the head from an SM; more than fit there: they cannot. */
static int64_t least_that_block(const room_amounts *sm, const room_head *h, const room_waiter *w, bool carveouts)
{
    int64_t least = INT64_MAX;
    if (size_is_small(h, w, carveouts))
        return 1;
    for (int r = 0; r < ROOM_RESOURCES; r++)
        if (h->kernel->need.amount[r] && w->kernel->need.amount[r])
            least = min_i64(
                least, (capacity(sm, h, r, carveouts) - h->kernel->need.amount[r]) / w->kernel->need.amount[r] + 1);
    return least;
}

/* The largest share, of WHOLE_SM, that a block of the waiter has in filling an SM. A full SM has less free of some
 * resource than a block of the head needs. */
static int64_t share(const room_amounts *sm, const room_head *h, const room_waiter *w, bool carveouts)
{
    int64_t most = 0;
    if (size_is_small(h, w, carveouts))
        return WHOLE_SM;
    for (int r = 0; r < ROOM_RESOURCES; r++)
        if (h->kernel->need.amount[r])
            most = max_i64(most, div_up(w->kernel->need.amount[r] * WHOLE_SM,
                                        capacity(sm, h, r, carveouts) - h->kernel->need.amount[r] + 1));
    return min_i64(most, WHOLE_SM);
}

/* How many blocks of the waiter can be resident: at most as many as all SMs hold. */
static int64_t resident(const room_head *h, const room_waiter *w)
{
    return min_i64(w->blocks, h->sms * w->kernel->fits * GCAST_QUARTERS);
}

bool room_is_left(const room_amounts *sm, const room_head *h, const room_waiter *waiters, size_t count, bool carveouts)
{
    int64_t lost = 0, parts = 0, spare = h->sms * h->kernel->fits - h->together;
    const room_waiter *only = NULL;
    size_t present = 0;
    if (!h->kernel->fits)
        return false;
    for (size_t i = 0; i < count; i++) {
        const room_waiter *w = &waiters[i];
        if (!w->blocks)
            continue;
        present++;
        only = w;
        lost += resident(h, w) * loss(h, w, carveouts);
        parts += resident(h, w) * share(sm, h, w, carveouts);
    }
    if (!present)
        return spare >= 0;
    if (h->anywhere)
        return lost <= spare;
    if (lost < h->sms * h->kernel->fits || parts < h->sms * WHOLE_SM)
        return true;
    if (present > 1)
        return false;
    int64_t least = least_that_block(sm, h, only, carveouts);
    return resident(h, only) / least < h->sms;
}
