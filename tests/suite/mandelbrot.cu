// Steps until a point leaves: neighbours in a warp loop differently long.
extern "C" __global__ void mandelbrot(unsigned *steps, unsigned width, unsigned height, unsigned most)
{
    unsigned px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float cx = 3.0f * px / width - 2.25f, cy = 2.5f * py / height - 1.25f, x = 0, y = 0;
    unsigned k = 0;
    while (k < most && x * x + y * y <= 4.0f) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        k++;
    }
    steps[py * width + px] = k;
}
