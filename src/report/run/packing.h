/* Rows in which nothing covers anything else, whatever the spans are. */
#ifndef REPORT_RUN_PACKING_H
#define REPORT_RUN_PACKING_H

#include "report/run/span.h"

/* All of these want spans by start. A span without length counts as 1 ns long.
 * They are false without memory. */

/* place = a lane from 0, no two spans of a lane overlapping; the fewest lanes
 * there can be. */
bool lanes_colour(span *spans, size_t count, uint32_t *lanes);

/* place = an offset, so that [place, place + share) of spans that overlap in
 * time never overlap: the lowest free offset at its start. *top is the highest
 * place + share. Time grows with count times the spans that run at once. */
bool lanes_pack(span *spans, size_t count, uint32_t *top);

#endif
