/* Spans placed in rows so that no two cover each other. */
#ifndef REPORT_RUN_PACKING_H
#define REPORT_RUN_PACKING_H

#include "report/run/span.h"

/* Both need spans in the order of their starts, take a span without length as 1 ns long, and are false without
 * memory. */

/* Sets place to a lane from 0, so that no two spans of a lane overlap, with the minimum number of lanes. */
bool lanes_colour(span *spans, size_t count, uint32_t *lanes);

/* Sets place to the lowest free offset at the start of the span, so that [place, place + share) of spans that overlap
 * in time do not overlap. *top is the maximum of place + share. Takes time in proportion to count times the number of
 * spans that overlap. */
bool lanes_pack(span *spans, size_t count, uint32_t *top);

#endif
