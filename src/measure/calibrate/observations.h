/* What the runs of a calibration show: samples of each reading, the orders of SMs, and the reach of SMs. */
#ifndef MEASURE_CALIBRATE_OBSERVATIONS_H
#define MEASURE_CALIBRATE_OBSERVATIONS_H

#include "gridcast/calibrate.h"
#include "measure/calibrate/reach.h"
#include "measure/calibrate/samples.h"

typedef struct observations {
    samples readings[GCAST_READINGS]; /* by gcast_reading_id */
    VEC(int) orders;                  /* the SM of each block, launch by launch */
    reach_sums reach;                 /* hand-overs by SM */
} observations;

static inline void observations_free(observations *o)
{
    for (size_t i = 0; i < GCAST_READINGS; i++)
        vec_free(&o->readings[i]);
    vec_free(&o->orders);
    reach_free(&o->reach);
}

#endif
