/* Addresses by which threads synchronize; see races/place.c. */
#ifndef SIMT_RACES_PLACE_H
#define SIMT_RACES_PLACE_H

#include "simt/races/state.h"

/* Who accesses such an address. */
typedef struct access_by {
    race_warp *warp;   /* its warp */
    uint32_t lane;     /* its lane */
    uint32_t block;    /* the low 32 bits of its block's number */
    const race_op *op; /* the access */
    uint32_t lanes;    /* lanes that acquire what it reads: the lane, or all lanes that run in lockstep with it */
} access_by;

/* What a write did to the value. */
typedef enum {
    CHANGE_STORE,  /* a store */
    CHANGE_ATOMIC, /* an atomic that changed it */
    CHANGE_NOTHING /* an atomic that left it as it was */
} place_change;

/* What a lane did to an mbarrier. */
typedef enum {
    MBARRIER_NEW,          /* made or invalidated it */
    MBARRIER_ARRIVES,      /* arrived */
    MBARRIER_LAST_ARRIVES, /* arrived, which completed the phase */
    MBARRIER_PASSES,       /* tested it: the phase is complete */
    MBARRIER_TESTS         /* tested it: the phase is not complete */
} mbarrier_event;

/* The place of an address; NULL: nobody has synchronized there. */
race_place *place_find(race_places *p, uint64_t address);
void places_free(race_checker *k, race_places *p);

/* An access that is not plain. An atomic keeps what was released there before. */
void place_read(race_checker *k, race_places *p, uint64_t address, const access_by *by);
void place_write(race_checker *k, race_places *p, uint64_t address, const access_by *by, place_change change);
/* A plain write: nothing is released there any more. */
void place_overwrite(race_checker *k, race_places *p, uint64_t address);
void place_barrier(race_checker *k, race_places *p, uint64_t address, const access_by *by, mbarrier_event e);

#endif
