// Doubles with nvcc's default of -fmad=true.

// A reflection of Householder's, a column a thread.
extern "C" __global__ void reflect(double *a, const double *v, double beta, unsigned rows, unsigned columns)
{
    unsigned c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= columns)
        return;
    double w = 0;
    for (unsigned r = 0; r < rows; r++)
        w += v[r] * a[r * columns + c];
    w *= beta;
    for (unsigned r = 0; r < rows; r++)
        a[r * columns + c] -= w * v[r];
}

// Roots of quadratic equations, the larger first.
extern "C" __global__ void roots(const double *a, const double *b, const double *c, double *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double inside = b[i] * b[i] - 4 * a[i] * c[i];
    double q = -0.5 * (b[i] + copysign(sqrt(fabs(inside)), b[i]));
    out[3 * i] = inside;
    out[3 * i + 1] = q / a[i];
    out[3 * i + 2] = c[i] / q;
}

// Forces of Lennard and Jones between all pairs.
extern "C" __global__ void forces(const double *x, double *f, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double fx = 0, fy = 0, fz = 0;
    for (unsigned j = 0; j < n; j++) {
        double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
        double rr = dx * dx + dy * dy + dz * dz;
        if (j == i || rr > 6.25)
            continue;
        double s = 1 / rr, s6 = s * s * s, g = s * (48 * s6 * s6 - 24 * s6);
        fx -= g * dx;
        fy -= g * dy;
        fz -= g * dz;
    }
    f[3 * i] = fx;
    f[3 * i + 1] = fy;
    f[3 * i + 2] = fz;
}
