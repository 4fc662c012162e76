/* Races that were found; see races/found.c. */
#ifndef SIMT_RACES_FOUND_H
#define SIMT_RACES_FOUND_H

#include "simt/races/state.h"

/* An access, and an earlier one that is not ordered before it. */
typedef struct race_pair {
    const warp *w;        /* of the access now */
    uint32_t lane, op;    /* its lane and op */
    race_record first;    /* the earlier access */
    uint32_t first_lane;  /* its lane */
    gcast_race_kind kind; /* what kind of race it is */
    bool shared;          /* on shared memory */
    uint64_t address;     /* in its space */
} race_pair;

void found_add(race_checker *k, const race_pair *p);

#endif
