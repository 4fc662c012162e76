/* SA: the best place of a genome for each read. A thread has a read, an item is a place with the read's first k-mer. */
#include "harness.cuh"

struct sa_reads {
    const uint8_t *genome, *read;
    const uint32_t *kmer_first, *place;
    unsigned long long *best; /* app_alignment by read */
};

static __device__ __forceinline__ uint64_t sa_item(const sa_reads &r, uint32_t read, uint32_t at)
{
    uint32_t place = r.place[at];
    return app_alignment(app_mismatches(r.read + (size_t)read * APP_READ_BASES, r.genome + place), place);
}

template <int MODE> __global__ void sa_child(app_device run, sa_reads r, uint32_t read, uint32_t first, uint32_t items)
{
    gridcast_child child = app_child_begin<MODE>(run);
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < items) {
        uint64_t found = sa_item(r, read, first + k);
        if (found < *(volatile unsigned long long *)&r.best[read])
            atomicMin(&r.best[read], found);
    }
    app_child_end<MODE>(run, child);
}

template <int MODE> __global__ void sa_parent(app_device run, sa_reads r, uint32_t reads, uint32_t child_threads)
{
    uint64_t entered = app_entered<MODE>();
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, items = 0, first = 0;
    if (i < reads) {
        uint32_t kmer = app_kmer_at(r.read + (size_t)i * APP_READ_BASES);
        first = r.kmer_first[kmer];
        items = app_kmer_places(r.kmer_first, kmer);
    }
    app_items<MODE>(
        run, entered, items,
        [&](uint32_t blocks) {
            if constexpr (app_launches<MODE>)
                sa_child<MODE><<<blocks, child_threads, 0, cudaStreamFireAndForget>>>(run, r, i, first, items);
        },
        [&] {
            uint64_t best = UINT64_MAX;
            for (uint32_t k = 0; k < items; k++) {
                uint64_t found = sa_item(r, i, first + k);
                best = found < best ? found : best;
            }
            if (items)
                r.best[i] = best;
        });
}

__global__ void sa_reset(unsigned long long *best, uint32_t reads)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < reads)
        best[i] = app_alignment(APP_READ_BASES + 1, APP_NO_PLACE);
}

struct sa : app {
    sa_reads r = {};
    app_shape shape = app_shape_of(APP_SA);
    uint32_t reads = 0;

    void upload(const app_dataset &data) override
    {
        reads = data.reads.reads;
        r.genome = device_copy(data.reads.genome, data.reads.bases);
        r.read = device_copy(data.reads.read, (size_t)reads * APP_READ_BASES);
        r.kmer_first = device_copy(data.reads.kmer_first, (size_t)APP_KMERS + 1);
        r.place = device_copy(data.reads.place, data.reads.kmer_first[APP_KMERS]);
        r.best = device_array<unsigned long long>(reads);
    }

    void reset(cudaStream_t stream) override
    {
        sa_reset<<<blocks_for(reads, 256), 256, 0, stream>>>(r.best, reads);
    }

    template <int MODE> void rounds(const app_device &device, app_clock &clock)
    {
        sa_parent<MODE><<<blocks_for(reads, shape.parent_threads), shape.parent_threads, 0, clock.stream>>>(
            device, r, reads, shape.child_threads);
        check_cuda(cudaStreamSynchronize(clock.stream));
        clock.round();
    }

    void run(int mode, const app_device &device, app_clock &clock) override
    {
        APP_DISPATCH(mode, rounds, device, clock);
    }

    void result(uint32_t *words) override
    {
        std::vector<unsigned long long> best(reads);
        check_cuda(cudaMemcpy(best.data(), r.best, reads * sizeof best[0], cudaMemcpyDeviceToHost));
        for (uint32_t i = 0; i < reads; i++) {
            words[i] = (uint32_t)best[i];
            words[reads + i] = (uint32_t)(best[i] >> 32);
        }
    }
};

int main(int argc, char **argv)
{
    sa application;
    return app_main(argc, argv, "SA", application);
}
