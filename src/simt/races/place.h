/* Places that threads order themselves by; see races/place.c. */
#ifndef SIMT_RACES_PLACE_H
#define SIMT_RACES_PLACE_H

#include "simt/races/races.h"
#include "simt/races/state.h"

typedef struct access_by {
    race_warp *warp;
    uint32_t lane, block; /* the block's number, as far as 32 bits tell */
    const race_op *op;
    uint32_t lanes; /* who comes to know: the lane, or all that are in step with it */
} access_by;

race_place *place_find(race_places *p, uint64_t address);
race_place *place_make(race_checker *k, race_places *p, uint64_t address);
/* Nothing is handed on there any more. */
void place_clear(race_checker *k, race_place *x);
void places_free(race_checker *k, race_places *p);

typedef enum { CHANGE_STORE, CHANGE_ATOMIC, CHANGE_NOTHING /* by an atomic that left the value */ } place_change;

/* An access that orders: not a plain one. An atomic goes on with what was handed on before. */
void place_read(race_checker *k, race_places *p, uint64_t address, const access_by *by);
void place_write(race_checker *k, race_places *p, uint64_t address, const access_by *by, place_change change);
/* A plain write. */
void place_overwrite(race_checker *k, race_places *p, uint64_t address);
/* An mbarrier. */
void place_barrier(race_checker *k, race_places *p, uint64_t address, const access_by *by, mbarrier_event e);

#endif
