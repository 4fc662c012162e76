/* Our occupancy against NVIDIA's cuda_occupancy.h, where the CUDA toolkit is
 * installed. `test_occupancy_header --record` prints the rows of
 * tests/data/occupancy/golden.csv, which test_occupancy compares with anywhere. */
#include "model/gpu.h"
#include "support/support.h"

#include <cuda_occupancy.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct sample {
    const gcast_limits *limits;
    gcast_block_shape shape;
    int carveout;
} sample;

static cudaOccDeviceProp device(const gcast_limits *l)
{
    return (cudaOccDeviceProp){.computeMajor = l->cc_major,
                               .computeMinor = l->cc_minor,
                               .maxThreadsPerBlock = l->threads_per_block,
                               .maxThreadsPerMultiprocessor = l->threads_per_sm,
                               .regsPerBlock = l->registers_per_block,
                               .regsPerMultiprocessor = l->registers_per_sm,
                               .warpSize = 32,
                               .sharedMemPerBlock = (size_t)l->smem_per_block_default,
                               .sharedMemPerMultiprocessor = (size_t)l->smem_per_sm,
                               .numSms = 1,
                               .sharedMemPerBlockOptin = (size_t)l->smem_per_block,
                               .reservedSharedMemPerBlock = (size_t)l->smem_reserved};
}

/* Before 7.0 a preference is one of three cache configurations: the least
 * shared memory, the middle, the most. */
static cudaOccDeviceState state_of(const sample *s)
{
    const gcast_limits *l = s->limits;
    cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_NONE, .carveoutConfig = s->carveout};
    if (l->cc_major == 3 && s->carveout >= 0) {
        int bytes = s->carveout * l->smem_per_sm / 100;
        state.cacheConfig = bytes <= l->smem_per_sm - 32768   ? CACHE_PREFER_L1
                            : bytes <= l->smem_per_sm - 16384 ? CACHE_PREFER_EQUAL
                                                              : CACHE_PREFER_SHARED;
    }
    return state;
}

static cudaOccResult ask_nvidia(const sample *s)
{
    cudaOccDeviceProp properties = device(s->limits);
    cudaOccDeviceState state = state_of(s);
    cudaOccFuncAttributes kernel = {.maxThreadsPerBlock = INT_MAX,
                                    .numRegs = s->shape.registers,
                                    .sharedSizeBytes = (size_t)s->shape.static_smem,
                                    .partitionedGCConfig = PARTITIONED_GC_OFF,
                                    .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                    .maxDynamicSharedSizeBytes = (size_t)s->shape.dynamic_smem,
                                    .numBlockBarriers = s->shape.barriers ? s->shape.barriers : 1};
    cudaOccResult r;
    memset(&r, 0, sizeof r);
    cudaOccError status = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &properties, &kernel, &state, s->shape.threads,
                                                                  (size_t)s->shape.dynamic_smem);
    assert_int_equal(status, CUDA_OCC_SUCCESS);
    /* Factors found before barriers were looked at are stale where barriers limit further. */
    if (r.blockLimitBarriers == r.activeBlocksPerMultiprocessor && r.blockLimitBarriers < r.blockLimitWarps &&
        r.blockLimitBarriers < r.blockLimitRegs && r.blockLimitBarriers < r.blockLimitSharedMem &&
        r.blockLimitBarriers < r.blockLimitBlocks)
        r.limitingFactors = OCC_LIMIT_BARRIERS;
    return r;
}

static int64_t some_smem(support_random *r, const gcast_limits *l)
{
    switch (support_between(r, 0, 9)) {
    case 0: /* around a boundary */
        return support_between(r, 0, l->smem_per_block / 1024) * 1024 + support_between(r, 0, 2) * 128;
    case 1:
        return support_between(r, 0, l->smem_per_sm + 4096);
    case 2:
    case 3:
        return support_between(r, 0, 16384);
    case 4:
    case 5:
        return support_between(r, 0, 2048);
    default:
        return 0;
    }
}

static sample next_sample(support_random *r, size_t i)
{
    size_t count;
    const gcast_limits *table = gcast_limits_table(&count), *l = &table[i % count];
    sample s = {.limits = l};
    s.shape.threads = support_between(r, 0, 3) ? (int)support_between(r, 1, support_between(r, 0, 1) ? 8 : 33) * 32
                                               : (int)support_between(r, 1, 1100);
    s.shape.registers = (int)support_between(r, 0, support_between(r, 0, 3) ? 80 : 260);
    if (l->cc_major == 3 && l->cc_minor == 0 && s.shape.registers > l->registers_per_thread)
        s.shape.registers %= l->registers_per_thread + 1; /* the header has 255 for all of 3.x */
    s.shape.static_smem = some_smem(r, l);
    s.shape.dynamic_smem = some_smem(r, l);
    s.shape.barriers = (int)support_between(r, 0, 3) ? 0 : (int)support_between(r, 1, 20);
    s.carveout = support_between(r, 0, 2) ? (int)support_between(r, 0, 100) : GCAST_CARVEOUT_DEFAULT;
    return s;
}

static unsigned factors(const gcast_occupancy *o)
{
    static const struct {
        gcast_resource ours;
        unsigned theirs;
    } map[] = {{GCAST_RES_WARPS, OCC_LIMIT_WARPS},
               {GCAST_RES_REGISTERS, OCC_LIMIT_REGISTERS},
               {GCAST_RES_SHARED_MEMORY, OCC_LIMIT_SHARED_MEMORY},
               {GCAST_RES_BLOCKS, OCC_LIMIT_BLOCKS},
               {GCAST_RES_BARRIERS, OCC_LIMIT_BARRIERS}};
    unsigned bits = 0;
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        if (o->limited_by >> map[i].ours & 1)
            bits |= map[i].theirs;
    return bits;
}

static bool same(const gcast_occupancy *o, const cudaOccResult *r)
{
    return o->blocks_per_sm == r->activeBlocksPerMultiprocessor && o->limit[GCAST_RES_WARPS] == r->blockLimitWarps &&
           o->limit[GCAST_RES_BLOCKS] == r->blockLimitBlocks && o->limit[GCAST_RES_REGISTERS] == r->blockLimitRegs &&
           o->limit[GCAST_RES_SHARED_MEMORY] == r->blockLimitSharedMem &&
           o->limit[GCAST_RES_BARRIERS] == r->blockLimitBarriers && factors(o) == r->limitingFactors &&
           o->registers_per_block == r->allocatedRegistersPerBlock &&
           o->smem_per_block == (int64_t)r->allocatedSharedMemPerBlock;
}

static void print_sample(FILE *out, const sample *s, const cudaOccResult *r)
{
    fprintf(out, "%d.%d,%d,%d,%lld,%lld,%d,%d,%d,%d,%d,%d,%d,%d,%d,%zu\n", s->limits->cc_major, s->limits->cc_minor,
            s->shape.threads, s->shape.registers, (long long)s->shape.static_smem, (long long)s->shape.dynamic_smem,
            s->shape.barriers, s->carveout, r->activeBlocksPerMultiprocessor, r->blockLimitWarps, r->blockLimitBlocks,
            r->blockLimitRegs, r->blockLimitSharedMem, r->blockLimitBarriers, r->allocatedRegistersPerBlock,
            r->allocatedSharedMemPerBlock);
}

static void as_nvidia_computes_it(void **state)
{
    (void)state;
    support_random r = {.state = 20170905};
    for (size_t i = 0; i < 400000; i++) {
        sample s = next_sample(&r, i);
        gcast_occupancy o;
        gcast_error err;
        assert_ok(gcast_occupancy_compute(s.limits, &s.shape, s.carveout, &o, &err), &err);
        cudaOccResult want = ask_nvidia(&s);
        if (same(&o, &want))
            continue;
        print_sample(stderr, &s, &want);
        fail_msg("sample %zu: %d blocks, NVIDIA says %d", i, o.blocks_per_sm, want.activeBlocksPerMultiprocessor);
    }
}

static int record(void)
{
    support_random r = {.state = 42};
    printf("cc,threads,registers,static_smem,dynamic_smem,barriers,carveout,blocks,by_warps,by_blocks,by_registers,"
           "by_smem,by_barriers,registers_per_block,smem_per_block\n");
    for (size_t i = 0; i < 3000; i++) {
        sample s = next_sample(&r, i);
        cudaOccResult want = ask_nvidia(&s);
        print_sample(stdout, &s, &want);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--record") == 0)
        return record();
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_nvidia_computes_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
