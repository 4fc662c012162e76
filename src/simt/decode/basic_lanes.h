/* Lane functions that hidden ops use: copies, selections, and the negation of a
 * predicate. */
#ifndef SIMT_DECODE_BASIC_LANES_H
#define SIMT_DECODE_BASIC_LANES_H

#include "simt/program/lanes.h"

/* d = a */
lane_function lanes_copy_32, lanes_copy_64, lanes_copy_predicate;
/* d = c ? a : b, with a predicate c */
lane_function lanes_select_32, lanes_select_64;
/* d = !a */
lane_function lanes_not_predicate;

#endif
