/* Random GPUs: real compute capabilities, or an SM small enough that every limit
 * is met by some kernel. */
#include "model/gpu.h"
#include "property/generate.h"
#include "support/builders.h"

static void small_limits(support_random *r, gcast_limits *l)
{
    l->threads_per_sm = (int)one_of(r, 96, 128, 256, 512, 1000, 2048);
    l->warps_per_sm = percent(r, 60) ? (l->threads_per_sm + 31) / 32 : (int)one_of(r, 4, 4, 8, 8, 12, 20);
    l->warps_per_sm += -l->warps_per_sm & 3;
    l->threads_per_block = l->threads_per_sm < 1024 ? l->threads_per_sm : 1024;
    l->blocks_per_sm = (int)one_of(r, 1, 2, 3, 4, 5, 8, 32);
    l->registers_per_sm = l->registers_per_block = (int)one_of(r, 1024, 4096, 10240, 65536);
    l->register_unit = (int)one_of(r, 1, 64, 256);
    l->smem_per_sm = (int)one_of(r, 2048, 5000, 49152);
    l->carveouts = 0;
    if (percent(r, 80)) /* sizes below the largest */
        for (int64_t size = one_of(r, 0, 500, 1024, 1500); size < l->smem_per_sm; size += size / 2 + 1000)
            l->carveout[l->carveouts++] = (int)size;
    l->carveout[l->carveouts++] = l->smem_per_sm;
    l->smem_reserved = (int)one_of(r, 0, 0, 100, 1024);
    l->smem_per_block = l->smem_per_block_default = l->smem_per_sm - l->smem_reserved;
    l->smem_unit = (int)one_of(r, 1, 128, 256);
    l->barriers_per_sm = (int)one_of(r, 0, 0, 1, 3, 8);
}

/* One SM whose quarters hold a warp or two: where a block starts decides what fits next to it. */
static void few_warps(support_random *r, gcast_gpu *gpu)
{
    gpu->sms = 1;
    gpu->tie_order = GCAST_TIES_ASCENDING;
    gpu->tie_list = NULL;
    gpu->register_quarters = percent(r, 80);
    gpu->limits.threads_per_sm = 1024;
    gpu->limits.blocks_per_sm = 16;
    gpu->limits.warps_per_sm = (int)one_of(r, 4, 8, 12);
}

static void shuffled_tie_list(support_random *r, gcast_gpu *gpu)
{
    int list[16];
    gcast_error err;
    for (int i = 0; i < gpu->sms; i++) {
        int j = (int)support_between(r, 0, i);
        list[i] = list[j];
        list[j] = i;
    }
    assert_ok(gcast_gpu_set_tie_list(gpu, list, gpu->sms, &err), &err);
}

static void random_reach(support_random *r, gcast_gpu *gpu)
{
    int list[16];
    gcast_error err;
    for (int i = 0; i < gpu->sms; i++)
        list[i] = (int)one_of(r, 0, 0, 1, 2, 3, 7);
    assert_ok(gcast_gpu_set_reach(gpu, list, gpu->sms, &err), &err);
}

gcast_gpu *generate_gpu(support_random *r)
{
    gcast_error err;
    size_t capabilities;
    const gcast_limits *table = gcast_limits_table(&capabilities);
    const gcast_limits *cc = &table[support_between(r, 0, (int64_t)capabilities - 1)];
    int sms = percent(r, 90) ? (int)support_between(r, 1, 6) : 12;
    gcast_gpu *gpu = support_gpu("random", cc->cc_major, cc->cc_minor, sms, &err);
    assert_non_null(gpu);
    if (percent(r, 75))
        small_limits(r, &gpu->limits);
    gpu->limits.resident_grids = percent(r, 60) ? 0 : (int)support_between(r, 1, 4);
    gpu->register_quarters = percent(r, 40);
    gpu->placement = (gcast_placement)support_between(r, 0, GCAST_PLACEMENTS - 1);
    gpu->tie_order = (gcast_tie_order)support_between(r, 0, GCAST_TIES_LIST);
    if (gpu->tie_order == GCAST_TIES_LIST)
        shuffled_tie_list(r, gpu);
    gpu->copy_engines = (int)support_between(r, 1, 3);
    gpu->copy_channels = (int)one_of(r, 0, 0, 1, 2, 3, 4);
    gpu->connections = (int)one_of(r, 0, 0, 1, 2, 3, 8);
    gpu->priority_levels = (int)support_between(r, 1, 6);
    gpu->launch_noise_ns = percent(r, 50) ? 0 : one_of(r, 1, 4, 9, 30);
    gpu->launch_latency_ns = percent(r, 50) ? 0 : one_of(r, 1, 2, 5, 10, 40);
    gpu->copy_latency_ns = percent(r, 50) ? 0 : one_of(r, 1, 2, 5, 10, 40);
    gpu->h2d_overhead_ns = percent(r, 50) ? 0 : one_of(r, 1, 5, 40);
    gpu->d2h_overhead_ns = percent(r, 50) ? 0 : one_of(r, 1, 5, 40);
    gpu->copy_duplex_percent = percent(r, 50) ? 100 : (int)one_of(r, 1, 50, 92, 99);
    gpu->copy_gap_ns = percent(r, 60) ? 0 : one_of(r, 1, 4, 10);
    gpu->copy_idle_ns = percent(r, 40) ? 0 : one_of(r, 1, 20, 100);
    gpu->copy_wake_ns = percent(r, 60) ? 0 : one_of(r, 1, 7, 40);
    gpu->d2h_start_ns = percent(r, 60) ? 0 : one_of(r, 1, 6, 30);
    gpu->d2h_end_ns = percent(r, 60) ? 0 : one_of(r, 1, 9, 60);
    gpu->stream_gap_ns = percent(r, 60) ? 0 : one_of(r, 1, 3, 5, 10);
    gpu->handover_ns = percent(r, 60) ? 0 : one_of(r, 1, 3, 5, 10);
    gpu->switch_ns = percent(r, 60) ? 0 : one_of(r, 1, 3, 5, 10);
    gpu->turn_ns = percent(r, 30) ? 0 : one_of(r, 1, 2, 5, 20);
    gpu->look_step_ns = percent(r, 40) ? 0 : one_of(r, 1, 1, 2, 3);
    if (percent(r, 60))
        random_reach(r, gpu);
    gpu->starving_warps = percent(r, 40) ? 0 : (int)one_of(r, 1, 1, 2, 3, 8);
    gpu->starved_ns = percent(r, 20) ? 0 : one_of(r, 1, 3, 10, 40);
    gpu->wake_ns = percent(r, 40) ? 0 : one_of(r, 4, 4, 8, 16);
    gpu->sms_per_tpc = (int)one_of(r, 1, 2, 2, 3);
    gpu->h2d_bytes_per_s = one_of(r, 1000000000, 3000000000, 700000000);
    gpu->d2h_bytes_per_s = one_of(r, 1000000000, 3000000000, 700000000);
    gpu->d2d_bytes_per_s = one_of(r, 10000000000, 3000000000);
    gpu->memset_bytes_per_s = one_of(r, 10000000000, 3000000000);
    if (percent(r, 30))
        few_warps(r, gpu);
    assert_ok(gcast_gpu_check(gpu, &err), &err);
    return gpu;
}
