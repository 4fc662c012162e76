/* Colours: one per stream, for any number of streams; shades for the kernels of a stream; and those of a workload's
 * ops. */
#ifndef REPORT_CANVAS_PALETTE_H
#define REPORT_CANVAS_PALETTE_H

#include <stddef.h>
#include <stdint.h>

#include "gridcast/workload.h"

#define INK 0x222222u
#define FAINT 0x666666u

uint32_t palette_stream(size_t stream);
/* The colour of the `rank`-th kernel of a stream: a shade that the kernels beside it do not have. */
uint32_t palette_shade(uint32_t rgb, size_t rank);
/* The colour of text that is readable on this one. */
uint32_t palette_on(uint32_t rgb);
/* This colour, dark enough for text on white. */
uint32_t palette_dark(uint32_t rgb);

/* The colours of a workload's ops: the kernels of a stream have shades of its colour, and so have its copies. The first
 * kernel and the first copy have the colour itself. Child kernels have the colours after those of the streams. By op of
 * the workload, children last; 0 for ops that do not run on the GPU. free() it; NULL without memory. */
uint32_t *op_colours(const gcast_workload *w);

#endif
