/* Where something of an AMALTHEA model was read. */
#ifndef AMALTHEA_AM_PLACE_H
#define AMALTHEA_AM_PLACE_H

typedef struct am_place {
    const char *file;
    int line;
} am_place;

#endif
