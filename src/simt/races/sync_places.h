/* Addresses by which threads synchronize. */
#ifndef SIMT_RACES_SYNC_PLACES_H
#define SIMT_RACES_SYNC_PLACES_H

#include "simt/races/race_checker.h"

/* The thread that accesses such an address. */
typedef struct access_by {
    race_warp *warp;
    uint32_t lane;
    uint32_t block;    /* the low 32 bits of the block's number */
    const race_op *op; /* the access */
    uint32_t lanes;    /* lanes that acquire the value read: the lane, or all lanes that run in lockstep with it */
} access_by;

/* How a write changed the value. */
typedef enum {
    CHANGE_STORE,  /* a store */
    CHANGE_ATOMIC, /* an atomic that changed it */
    CHANGE_NOTHING /* an atomic that did not change it */
} place_change;

/* An operation of a lane on an mbarrier. */
typedef enum {
    MBARRIER_NEW,          /* made or invalidated it */
    MBARRIER_ARRIVES,      /* arrived */
    MBARRIER_LAST_ARRIVES, /* arrived, which completed the phase */
    MBARRIER_PASSES,       /* tested it: the phase is complete */
    MBARRIER_TESTS         /* tested it: the phase is not complete */
} mbarrier_event;

/* The place of an address; NULL: no thread has synchronized there. */
race_place *place_find(race_places *p, uint64_t address);
void places_free(race_checker *checker, race_places *p);

/* Accesses that are not plain. An atomic keeps what was released there before. */
void place_read(race_checker *checker, race_places *p, uint64_t address, const access_by *by);
void place_write(race_checker *checker, race_places *p, uint64_t address, const access_by *by, place_change change);
/* A plain write: nothing is released there any more. */
void place_overwrite(race_checker *checker, race_places *p, uint64_t address);
void place_barrier(race_checker *checker, race_places *p, uint64_t address, const access_by *by, mbarrier_event e);

#endif
