// A step of n bodies that pull on each other: float4 tiles in shared memory, exact roots and quotients.
extern "C" __global__ void nbody(const float4 *body, float4 *speed, float dt, unsigned n)
{
    extern __shared__ float4 tile[];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? body[i] : make_float4(0, 0, 0, 0);
    float ax = 0, ay = 0, az = 0;
    for (unsigned first = 0; first < n; first += blockDim.x) {
        if (first + threadIdx.x < n)
            tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (unsigned k = 0; k < blockDim.x && first + k < n; k++) {
            float4 other = tile[k];
            float x = other.x - me.x, y = other.y - me.y, z = other.z - me.z;
            float far = x * x + y * y + z * z + 0.01f;
            float pull = other.w / (far * sqrtf(far));
            ax += x * pull;
            ay += y * pull;
            az += z * pull;
        }
        __syncthreads();
    }
    if (i < n) {
        float4 v = speed[i];
        speed[i] = make_float4(v.x + ax * dt, v.y + ay * dt, v.z + az * dt, v.w);
    }
}
