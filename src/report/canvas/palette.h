/* Colours: one for each stream, however many; shades for the kernels of one. */
#ifndef REPORT_CANVAS_PALETTE_H
#define REPORT_CANVAS_PALETTE_H

#include <stddef.h>
#include <stdint.h>

#define INK 0x222222u
#define FAINT 0x666666u

uint32_t palette_stream(size_t stream);
/* The `rank`-th kernel of a stream, in a shade its neighbours do not have. */
uint32_t palette_shade(uint32_t rgb, size_t rank);
/* Text that reads on this colour, and text in this colour that reads on white. */
uint32_t palette_on(uint32_t rgb);
uint32_t palette_dark(uint32_t rgb);

#endif
