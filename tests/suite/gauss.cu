// Solves a system of n equations in one block: elimination with the largest pivot, doubles in global memory.
extern "C" __global__ void gauss(double *m, unsigned n, double *x)
{
    __shared__ unsigned best;
    unsigned t = threadIdx.x, width = n + 1;
    for (unsigned p = 0; p < n; p++) {
        if (t == 0) {
            best = p;
            for (unsigned r = p + 1; r < n; r++)
                if (fabs(m[r * width + p]) > fabs(m[best * width + p]))
                    best = r;
        }
        __syncthreads();
        for (unsigned c = t; c < width && best != p; c += blockDim.x) {
            double v = m[p * width + c];
            m[p * width + c] = m[best * width + c];
            m[best * width + c] = v;
        }
        __syncthreads();
        for (unsigned r = p + 1 + t; r < n; r += blockDim.x) {
            double f = m[r * width + p] / m[p * width + p];
            for (unsigned c = p; c < width; c++)
                m[r * width + c] = fma(-f, m[p * width + c], m[r * width + c]);
        }
        __syncthreads();
    }
    if (t != 0)
        return;
    for (int r = n - 1; r >= 0; r--) {
        double v = m[r * width + n];
        for (unsigned c = r + 1; c < n; c++)
            v = fma(-m[r * width + c], x[c], v);
        x[r] = v / m[r * width + r];
    }
}
