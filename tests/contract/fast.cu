// As compiled with -use_fast_math: a quotient is a product with a reciprocal, and ptxas fuses that too.
extern "C" __global__ void shade(const float3 *normal, const float3 *light, float *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 a = normal[i], b = light[i];
    float d = a.x * b.x + a.y * b.y + a.z * b.z, l = b.x * b.x + b.y * b.y + b.z * b.z;
    out[4 * i] = 0.1f + d / l;
    out[4 * i + 1] = l - d / 3.7f;
    out[4 * i + 2] = d / l - b.x / b.y;
    out[4 * i + 3] = 1.0f / (1.0f + d / (1.0f + l)) + d;
}
