/* MANDEL: the Mandelbrot set by tiles. A thread computes the border of a tile; where all of it has the same dwell the
 * interior is filled, else an item is a pixel of the interior. */
#include "harness.cuh"

#include "papers/apps/data/mandelbrot.h"

struct mandel_picture {
    uint32_t side, tile, max_dwell;
    uint32_t *dwell; /* by pixel, row by row */
};

/* Pixel k of the interior of the tile whose corner is (x, y). */
static __device__ __forceinline__ void mandel_item(const mandel_picture &m, uint32_t x, uint32_t y, uint32_t k)
{
    uint32_t width = m.tile - 2, px = x + 1 + k % width, py = y + 1 + k / width;
    m.dwell[(size_t)py * m.side + px] = app_dwell(px, py, m.side, m.max_dwell);
}

template <int MODE>
__global__ void mandel_child(app_device run, mandel_picture m, uint32_t x, uint32_t y, uint32_t items)
{
    gridcast_child child = app_child_begin<MODE>(run);
    uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < items)
        mandel_item(m, x, y, k);
    app_child_end<MODE>(run, child);
}

/* Computes the border of a tile and fills its interior where it can: how many items are left. */
static __device__ uint32_t mandel_border(const mandel_picture &m, uint32_t x, uint32_t y)
{
    uint32_t least = UINT32_MAX, largest = 0;
    for (uint32_t i = 0; i < app_tile_border(m.tile); i++) {
        uint32_t px, py;
        app_tile_border_pixel(m.tile, i, &px, &py);
        uint32_t dwell = app_dwell(x + px, y + py, m.side, m.max_dwell);
        m.dwell[(size_t)(y + py) * m.side + x + px] = dwell;
        least = dwell < least ? dwell : least;
        largest = dwell > largest ? dwell : largest;
    }
    if (least != largest)
        return app_tile_interior(m.tile);
    for (uint32_t py = 1; py + 1 < m.tile; py++)
        for (uint32_t px = 1; px + 1 < m.tile; px++)
            m.dwell[(size_t)(y + py) * m.side + x + px] = least;
    return 0;
}

template <int MODE>
__global__ void mandel_parent(app_device run, mandel_picture m, uint32_t tiles, uint32_t child_threads)
{
    uint64_t entered = app_entered<MODE>();
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, items = 0, x = 0, y = 0;
    if (i < tiles) {
        uint32_t per_row = m.side / m.tile;
        x = i % per_row * m.tile;
        y = i / per_row * m.tile;
        items = mandel_border(m, x, y);
    }
    app_items<MODE>(
        run, entered, items,
        [&](uint32_t blocks) {
            if constexpr (app_launches<MODE>)
                mandel_child<MODE><<<blocks, child_threads, 0, cudaStreamFireAndForget>>>(run, m, x, y, items);
        },
        [&] {
            for (uint32_t k = 0; k < items; k++)
                mandel_item(m, x, y, k);
        });
}

struct mandel : app {
    mandel_picture m = {};
    app_shape shape = app_shape_of(APP_MANDEL);
    uint32_t tiles = 0;
    size_t pixels = 0;

    void upload(const app_dataset &data) override
    {
        m.side = data.in.of.mandel.side;
        m.tile = data.in.of.mandel.tile;
        m.max_dwell = data.in.of.mandel.max_dwell;
        pixels = (size_t)m.side * m.side;
        tiles = (m.side / m.tile) * (m.side / m.tile);
        m.dwell = device_array<uint32_t>(pixels);
    }

    void reset(cudaStream_t stream) override
    {
        check_cuda(cudaMemsetAsync(m.dwell, 0xff, pixels * sizeof *m.dwell, stream));
    }

    template <int MODE> void rounds(const app_device &device, app_clock &clock)
    {
        mandel_parent<MODE><<<blocks_for(tiles, shape.parent_threads), shape.parent_threads, 0, clock.stream>>>(
            device, m, tiles, shape.child_threads);
        check_cuda(cudaStreamSynchronize(clock.stream));
        clock.round();
    }

    void run(int mode, const app_device &device, app_clock &clock) override
    {
        APP_DISPATCH(mode, rounds, device, clock);
    }

    void result(uint32_t *words) override
    {
        check_cuda(cudaMemcpy(words, m.dwell, pixels * sizeof *words, cudaMemcpyDeviceToHost));
    }
};

int main(int argc, char **argv)
{
    mandel application;
    return app_main(argc, argv, "MANDEL", application);
}
