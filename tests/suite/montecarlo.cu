// Points in a quarter of a circle, by a generator of its own (xorshift, 32 bits); the hits are counted exactly.
__device__ unsigned next(unsigned *state)
{
    unsigned s = *state;
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return *state = s;
}

extern "C" __global__ void montecarlo(unsigned seed, unsigned points, unsigned *hits, unsigned *of_thread)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = (seed ^ i) * 2654435761u + 1, inside = 0;
    for (unsigned k = 0; k < points; k++) {
        float x = (next(&state) >> 8) * (1.0f / (1 << 24));
        float y = (next(&state) >> 8) * (1.0f / (1 << 24));
        if (x * x + y * y < 1.0f)
            inside++;
    }
    of_thread[i] = inside;
    atomicAdd(hits, inside);
}
