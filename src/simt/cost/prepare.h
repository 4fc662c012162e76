/* A program as the cost model sees it. */
#ifndef SIMT_COST_PREPARE_H
#define SIMT_COST_PREPARE_H

#include "simt/program/cost_program.h"
#include "simt/program/program.h"

/* Fills *out; its arrays are in the memory of the program. */
gcast_status cost_prepare(program *p, cost_program *out, gcast_error *err);

#endif
