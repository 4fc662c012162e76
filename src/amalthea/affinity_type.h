/* Constraints on where tasks of an AMALTHEA model run together. */
#ifndef AMALTHEA_AFFINITY_TYPE_H
#define AMALTHEA_AFFINITY_TYPE_H

#include <stdbool.h>
#include <stddef.h>

#include "amalthea/am_place.h"

typedef struct am_affinity {
    bool together;     /* ProcessPairingConstraint; else ProcessSeparationConstraint */
    const int *tasks;  /* in tasks[] */
    const int *groups; /* for each of them */
    size_t task_count;
    const int *units; /* the cores that it is about: in units[]; none: all */
    size_t unit_count;
    am_place at;
} am_affinity;

typedef struct am_affinities {
    const am_affinity *at;
    size_t count;
} am_affinities;

#endif
