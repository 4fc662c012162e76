/* Colours: one per stream, for any number of streams; shades for the kernels of a stream. */
#ifndef REPORT_CANVAS_PALETTE_H
#define REPORT_CANVAS_PALETTE_H

#include <stddef.h>
#include <stdint.h>

#define INK 0x222222u
#define FAINT 0x666666u

uint32_t palette_stream(size_t stream);
/* The colour of the `rank`-th kernel of a stream: a shade that the kernels beside it do not have. */
uint32_t palette_shade(uint32_t rgb, size_t rank);
/* The colour of text that is readable on this one. */
uint32_t palette_on(uint32_t rgb);
/* This colour, dark enough for text on white. */
uint32_t palette_dark(uint32_t rgb);

#endif
