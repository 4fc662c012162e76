// Keeps what is above a limit, in order: ballots count in the warp, shared memory between warps. One block.
extern "C" __global__ void compact(const unsigned *in, unsigned n, unsigned limit, unsigned *out, unsigned *kept)
{
    __shared__ unsigned of_warp[32], base;
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (t == 0)
        base = 0;
    __syncthreads();
    for (unsigned first = 0; first < n; first += blockDim.x) {
        unsigned i = first + t;
        bool keep = i < n && in[i] > limit;
        unsigned votes = __ballot_sync(~0u, keep);
        if (lane == 0)
            of_warp[warp] = __popc(votes);
        __syncthreads();
        unsigned at = base;
        for (unsigned w = 0; w < warp; w++)
            at += of_warp[w];
        if (keep)
            out[at + __popc(votes & ((1u << lane) - 1))] = in[i];
        unsigned all = __syncthreads_count(keep);
        if (t == 0)
            base += all;
        __syncthreads();
    }
    if (t == 0)
        *kept = base;
}
