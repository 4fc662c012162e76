// What nvcc leaves to ptxas with its default of -fmad=true: differences with a product, and products with several uses.

// A pass of a Fourier transform: butterflies of two, each with a complex product.
extern "C" __global__ void butterflies(const float2 *in, const float2 *twiddle, float2 *out, unsigned half)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= half)
        return;
    float2 a = in[i], b = in[i + half], w = twiddle[i];
    float re = b.x * w.x - b.y * w.y, im = b.x * w.y + b.y * w.x;
    out[2 * i] = make_float2(a.x + re, a.y + im);
    out[2 * i + 1] = make_float2(a.x - re, a.y - im);
}

// Elimination below one pivot: each row less a multiple of the pivot's.
extern "C" __global__ void eliminate(float *m, unsigned n, unsigned pivot)
{
    unsigned row = pivot + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float factor = m[row * n + pivot] / m[pivot * n + pivot];
    for (unsigned c = pivot; c < n; c++)
        m[row * n + c] -= factor * m[pivot * n + c];
}

__device__ float3 minus(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// Where rays meet triangles (Moeller and Trumbore).
extern "C" __global__ void triangles(const float3 *corner, const float3 *from, const float3 *to, float *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 a = minus(corner[3 * i + 1], corner[3 * i]), b = minus(corner[3 * i + 2], corner[3 * i]);
    float3 p = cross(to[i], b);
    float det = dot(a, p);
    out[4 * i] = det;
    if (fabsf(det) < 1e-6f)
        return;
    float3 t = minus(from[i], corner[3 * i]), q = cross(t, a);
    out[4 * i + 1] = dot(t, p) / det;
    out[4 * i + 2] = dot(to[i], q) / det;
    out[4 * i + 3] = dot(b, q) / det;
}

// A Kalman filter of position and speed, a track a thread.
extern "C" __global__ void kalman(const float *seen, float *state, unsigned tracks, unsigned steps, float dt, float q, float r)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= tracks)
        return;
    float x = 0, v = 0, a = 1, b = 0, d = 1;
    for (unsigned s = 0; s < steps; s++) {
        x += dt * v;
        float pa = a + 2 * dt * b + dt * dt * d + q, pb = b + dt * d, pd = d + q;
        float y = seen[s * tracks + i] - x, k0 = pa / (pa + r), k1 = pb / (pa + r);
        x += k0 * y;
        v += k1 * y;
        a = pa - k0 * pa;
        b = pb - k0 * pb;
        d = pd - k1 * pb;
    }
    state[5 * i] = x;
    state[5 * i + 1] = v;
    state[5 * i + 2] = a;
    state[5 * i + 3] = b;
    state[5 * i + 4] = d;
}

// A filter with feedback, a channel a thread.
extern "C" __global__ void biquad(const float *in, float *out, unsigned channels, unsigned n, float b0, float b1, float b2,
                                  float a1, float a2)
{
    unsigned c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels)
        return;
    float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (unsigned i = 0; i < n; i++) {
        float x = in[i * channels + c], y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
        out[i * channels + c] = y;
        x2 = x1;
        x1 = x;
        y2 = y1;
        y1 = y;
    }
}

// Julia's set: squares that a comparison needs too.
extern "C" __global__ void julia(unsigned *steps, unsigned width, unsigned height, float cx, float cy, unsigned most)
{
    unsigned px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float x = 3.0f * px / width - 1.5f, y = 3.0f * py / height - 1.5f;
    unsigned k = 0;
    for (; k < most; k++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = cy - 2 * x * y;
        x = xx - yy + cx;
    }
    steps[py * width + px] = k;
}

// Vectors turned by quaternions.
extern "C" __global__ void turn(const float4 *by, const float3 *in, float3 *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 q = by[i];
    float3 v = in[i], u = make_float3(q.x, q.y, q.z), t = cross(u, v);
    t = make_float3(2 * t.x, 2 * t.y, 2 * t.z);
    float3 w = cross(u, t);
    out[i] = make_float3(v.x + q.w * t.x + w.x, v.y + q.w * t.y + w.y, v.z + q.w * t.z + w.z);
}
