/* Sums over the children of the oracle's run. */
#ifndef PROPERTY_ORACLE_SUMS_H
#define PROPERTY_ORACLE_SUMS_H

#include "property/oracle.h"

/* Adds what follows from the times of the children to the sums of the run. */
void oracle_sums(const gcast_workload *w, oracle_result *r);

#endif
