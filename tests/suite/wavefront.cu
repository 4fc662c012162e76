// The edit distance of two texts: a diagonal at a time, a barrier after each.
extern "C" __global__ void wavefront(const unsigned char *a, unsigned na, const unsigned char *b, unsigned nb,
                                     unsigned *cost)
{
    for (unsigned i = threadIdx.x; i <= na; i += blockDim.x)
        cost[i * (nb + 1)] = i;
    for (unsigned j = threadIdx.x; j <= nb; j += blockDim.x)
        cost[j] = j;
    for (unsigned d = 2; d <= na + nb; d++) {
        __syncthreads();
        unsigned low = d > nb ? d - nb : 1, high = min(na, d - 1);
        for (unsigned i = low + threadIdx.x; i <= high; i += blockDim.x) {
            unsigned j = d - i, at = i * (nb + 1) + j;
            unsigned change = cost[at - nb - 2] + (a[i - 1] % 4 != b[j - 1] % 4);
            cost[at] = min(change, min(cost[at - 1], cost[at - nb - 1]) + 1);
        }
    }
}
