// An array a thread, indexed by data, so that it lives in local memory: sorted by insertion, then a median.
#define SIZE 15

extern "C" __global__ void local_array(const float *in, float *median, unsigned char *order, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[SIZE];
    unsigned char from[SIZE];
#pragma unroll 1
    for (int k = 0; k < SIZE; k++) {
        float x = in[(i + k) % n];
        int at = k;
        for (; at > 0 && v[at - 1] > x; at--) {
            v[at] = v[at - 1];
            from[at] = from[at - 1];
        }
        v[at] = x;
        from[at] = k;
    }
    median[i] = v[SIZE / 2];
    order[i] = from[i % SIZE];
}
