#include "report/canvas/palette.h"

#include <stdlib.h>

#include "model/workload/workload.h"

/* Chosen one after the other from 2,900 colours: each is as far as possible from the ones before it and from the
 * background, for people with normal sight and for those with no red, green or blue cones (after Machado, Oliveira and
 * Fernandes, 2009). Streams beyond these get the same colours, darker or lighter. */
static const uint32_t stream_colours[] = {0x4477aa, 0xee8866, 0x226644, 0x88ddff, 0x33aaaa, 0x774466,
                                          0x777711, 0xbb6677, 0x8899ff, 0x99ccaa, 0xeedd66, 0x773300,
                                          0x2244aa, 0x889911, 0xee99cc, 0xbb3355, 0x99eeaa, 0x880077,
                                          0x009988, 0xee6699, 0x7777dd, 0xaa7755, 0x995588, 0xaa1133};

#define COLOURS (sizeof stream_colours / sizeof stream_colours[0])

static uint32_t mix(uint32_t a, uint32_t b, uint32_t part_b /* of 256 */)
{
    uint32_t out = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        uint32_t x = a >> shift & 255, y = b >> shift & 255;
        out |= (x * (256 - part_b) + y * part_b) / 256 << shift;
    }
    return out;
}

uint32_t palette_stream(size_t stream)
{
    /* a colour to mix with, and its part of 256 */
    static const uint32_t tints[][2] = {{0x000000, 0}, {0x000000, 70}, {0xffffff, 70}, {0x000000, 120}};
    const uint32_t *tint = tints[stream / COLOURS % 4];
    return mix(stream_colours[stream % COLOURS], tint[0], tint[1]);
}

uint32_t palette_shade(uint32_t rgb, size_t rank)
{
    static const uint32_t white_parts[] = {0, 96, 48, 128}; /* of 256 */
    return mix(rgb, 0xffffff, white_parts[rank % 4]);
}

/* Luminance of 0 to 255, by the weights of sRGB in 256ths. */
static uint32_t luminance(uint32_t rgb)
{
    return ((rgb >> 16 & 255) * 54 + (rgb >> 8 & 255) * 183 + (rgb & 255) * 19) / 256;
}

uint32_t palette_on(uint32_t rgb)
{
    return luminance(rgb) < 118 ? 0xffffff : INK;
}

uint32_t palette_dark(uint32_t rgb)
{
    return mix(rgb, 0x000000, luminance(rgb) > 120 ? 110 : 30);
}

uint32_t *op_colours(const gcast_workload *w)
{
    size_t(*rank)[2] = calloc(w->stream_count + 1, sizeof *rank);
    uint32_t *colours = calloc(w->op_count + w->child_count + 1, sizeof *colours);
    if (!rank || !colours) {
        free(rank);
        free(colours);
        return NULL;
    }
    for (size_t i = 0; i < w->op_count; i++) {
        size_t stream = w->ops[i].stream < 0 ? 0 : (size_t)w->ops[i].stream;
        if (gcast_kind_on_gpu(w->ops[i].kind))
            colours[i] = palette_shade(palette_stream(stream), rank[stream][w->ops[i].kind == GCAST_KIND_KERNEL]++);
    }
    for (size_t i = 0; i < w->child_count; i++)
        colours[w->op_count + i] = palette_stream(w->stream_count + i);
    free(rank);
    return colours;
}
