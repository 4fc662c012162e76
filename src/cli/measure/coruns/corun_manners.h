/* Several launches at the same time: in streams, in green contexts, as persistent workers, and SM-centric on SMs of
 * their own. */
#ifndef CLI_MEASURE_CORUNS_CORUN_MANNERS_H
#define CLI_MEASURE_CORUNS_CORUN_MANNERS_H

#include "cli/measure/launches/launches.h"

/* Measures all launches together, and prints the result. Errors are printed. */
gcast_status launches_together(const launches *l);

#endif
