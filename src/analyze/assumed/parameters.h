/* Assumed numbers of a GPU that can lengthen responses, and how far each is moved. */
#ifndef ANALYZE_ASSUMED_PARAMETERS_H
#define ANALYZE_ASSUMED_PARAMETERS_H

#include "change/variant.h"
#include "gridcast/analyze.h"

#define ASSUMED_TIMES 10 /* the largest factor */
#define ASSUMED_MAX 40   /* most of these numbers; a count appears twice, downward and upward */
#define ASSUMED_VALUES 6 /* most values to try of one number, besides bisection */

/* Lists the assumed numbers that matter for the workload; returns how many. */
size_t assumed_parameters(const gcast_workload *w, const gcast_gpu *gpu, gcast_assumed found[ASSUMED_MAX]);
/* The value of a number other than a count, moved by a factor from 2 to ASSUMED_TIMES: multiplied, divided if it moves
 * downward, or that many microseconds if it is 0; limited to its range. */
int64_t assumed_moved(const gcast_assumed *p, int times);
/* The values to try, the farthest first; returns how many. *all, for a count: other values change nothing. */
size_t assumed_values(const gcast_workload *w, const gcast_assumed *p, int64_t values[ASSUMED_VALUES], bool *all);
/* A value of two digits between the limit, which held, and one that failed; the limit itself if there is none. */
int64_t assumed_between(const gcast_assumed *p, int64_t failed);
/* Sets a number of the GPU, and the other one of its pair if it has an effect only with that. */
void assumed_put(variant *v, const char *field, int64_t value);
/* The same, so that results of bound hold for all values between, too. A longer stream gap can shorten responses if it
 * was below the hand-over or the copy gap, so these are moved with it. */
void assumed_set(variant *v, const char *field, int64_t value);
/* The same for all of these but counts, each at its limit. */
void assumed_set_limits(variant *v, const gcast_assumed *p, size_t count);
/* Moves all assumed numbers but counts by a factor; false: there are none. */
bool assumed_move_all(const gcast_workload *w, variant *v, int times);

#endif
