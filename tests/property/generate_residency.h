/* Random workloads in which blocks wait for blocks, beside everything else that can wait, as text of
 * gridcast.workload/1. */
#ifndef PROPERTY_GENERATE_RESIDENCY_H
#define PROPERTY_GENERATE_RESIDENCY_H

#include <stdint.h>

/* For the caller to free. Most are valid; some are refused by the reader, or by the proof. */
char *generate_residency(uint64_t seed);

#endif
