/* Races that were found; see races/found.c. */
#ifndef SIMT_RACES_FOUND_H
#define SIMT_RACES_FOUND_H

#include "simt/races/state.h"

/* A lane's access now, and the one that it met. */
typedef struct race_pair {
    const warp *w;
    uint32_t lane, op;
    race_record first;
    uint32_t first_lane;
    gcast_race_kind kind;
    bool shared;
    uint64_t address;
} race_pair;

void found_add(race_checker *k, const race_pair *p);

#endif
