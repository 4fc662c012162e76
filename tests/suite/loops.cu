// Loops in loops whose ends depend on the data, with continue, break, and a way out of both.
extern "C" __global__ void loops(const unsigned *in, unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned most = in[i] % 13, sum = 0;
    for (unsigned a = 0; a < most; a++) {
        if (a % 4 == 3)
            continue;
        for (unsigned b = a; b < 12; b++) {
            unsigned c = in[i] >> (b % 16);
            if (c % 16 == 0)
                break;
            do {
                sum += c & 1;
                if (sum > 60)
                    goto out;
                c /= 3;
            } while (c > i % 8);
        }
    }
out:
    out[i] = sum;
}

// How many steps the Collatz sequence of i + 1 takes.
extern "C" __global__ void collatz(unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, steps = 0;
    if (i >= n)
        return;
    for (unsigned long long v = i + 1; v != 1; steps++)
        v = v % 2 ? 3 * v + 1 : v / 2;
    out[i] = steps;
}
