/* Random GPCs, and clusters that fit there. */
#include "property/generate.h"

void generate_gpcs(support_random *r, gcast_gpu *gpu)
{
    int list[16], sizes[16], gpcs = 0;
    gcast_error err;
    if (gpu->sms < 5 && !gpu->tie_list && !gpu->reach_ns)
        gpu->sms = (int)support_between(r, 5, 10);
    for (int i = 0; i < gpu->sms; i++) {
        int j = percent(r, 50) ? i : (int)support_between(r, 0, i);
        list[i] = list[j];
        list[j] = i;
    }
    for (int n = 0; n < gpu->sms; n += sizes[gpcs++]) {
        sizes[gpcs] = (int)one_of(r, 1, 1, 2, 2, 3, 4, 4, 6);
        sizes[gpcs] = sizes[gpcs] < gpu->sms - n ? sizes[gpcs] : gpu->sms - n;
    }
    gpu->limits.cc_major = 9; /* others have no clusters */
    assert_ok(gcast_gpu_set_gpcs(gpu, sizes, gpcs, list, &err), &err);
}

uint32_t generate_largest_gpc(const gcast_gpu *gpu, int sms, uint64_t allowed)
{
    const int *sm = gpu->gpc_sms;
    uint32_t largest = 0;
    for (int g = 0; g < gpu->gpc_count; g++) {
        uint32_t usable = 0;
        for (int i = 0; i < gpu->gpc_sizes[g]; i++, sm++)
            usable += *sm < sms && (allowed >> *sm & 1);
        largest = usable > largest ? usable : largest;
    }
    return largest;
}

void generate_cluster(support_random *r, const gcast_gpu *gpu, int sms, uint64_t allowed, gcast_op *op)
{
    uint32_t most = generate_largest_gpc(gpu, sms, allowed);
    op->cluster[1] = op->grid[1] == 2 && most >= 2 && percent(r, 50) ? 2 : 1;
    op->cluster[0] = (uint32_t)support_between(r, 1, most / op->cluster[1]);
    op->grid[0] += op->cluster[0] - 1;
    op->grid[0] -= op->grid[0] % op->cluster[0];
}
