/* How long a launch takes, interpolated between measured times of it. */
#ifndef ANALYZE_CORUN_SAMPLED_TIMES_H
#define ANALYZE_CORUN_SAMPLED_TIMES_H

#include "gridcast/launch_file.h"

/* The launch must have times. What was measured is given back exactly. Between two numbers of SMs the time is linear in
 * 1 / SMs, beyond them too, but there more SMs gain at least nothing and at most in proportion. Between two numbers of
 * workers it is linear in workers. With fewer than were measured it grows in proportion; with more it stays. */
double sampled_time_ns(const gcast_launch_file *launch, uint32_t workers, uint32_t sms);

#endif
