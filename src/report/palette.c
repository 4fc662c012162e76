#include "report/palette.h"

/* The first ten stay apart for colour-blind readers (after Paul Tol's bright
 * and muted schemes); further ones step round the hues by the golden angle. */
static const uint32_t first[] = {0x4477aa, 0xee7755, 0x228833, 0xccbb44, 0x66ccee,
                                 0xaa3377, 0x44aa99, 0x882255, 0x999933, 0x6655bb};

#define FIRST (sizeof first / sizeof first[0])
#define HUES 1536         /* six edges of the colour cube, 256 steps each */
#define GOLDEN_ANGLE 587u /* of HUES */

static uint32_t mix(uint32_t a, uint32_t b, uint32_t part_b /* of 256 */)
{
    uint32_t out = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        uint32_t x = a >> shift & 255, y = b >> shift & 255;
        out |= (x * (256 - part_b) + y * part_b) / 256 << shift;
    }
    return out;
}

static uint32_t hue(uint32_t h)
{
    uint32_t up = h % 256, down = 255 - up;
    switch (h / 256 % 6) {
    case 0:
        return 0xff0000 | up << 8;
    case 1:
        return down << 16 | 0x00ff00;
    case 2:
        return 0x00ff00 | up;
    case 3:
        return down << 8 | 0x0000ff;
    case 4:
        return up << 16 | 0x0000ff;
    default:
        return 0xff0000 | down;
    }
}

uint32_t palette_stream(size_t stream)
{
    if (stream < FIRST)
        return first[stream];
    uint32_t n = (uint32_t)(stream - FIRST);
    return mix(hue(n % HUES * GOLDEN_ANGLE % HUES), n / 2 % 2 ? 0x404040 : 0xb0b0b0, 110);
}

uint32_t palette_shade(uint32_t rgb, size_t rank)
{
    static const uint32_t white[] = {0, 96, 48, 128}; /* of 256 */
    return mix(rgb, 0xffffff, white[rank % 4]);
}

/* Luminance by the usual weights, of 256. */
static uint32_t luminance(uint32_t rgb)
{
    return ((rgb >> 16 & 255) * 54 + (rgb >> 8 & 255) * 183 + (rgb & 255) * 19) / 256;
}

uint32_t palette_on(uint32_t rgb)
{
    return luminance(rgb) < 140 ? 0xffffff : INK;
}

uint32_t palette_dark(uint32_t rgb)
{
    return mix(rgb, 0x000000, luminance(rgb) > 120 ? 110 : 30);
}
