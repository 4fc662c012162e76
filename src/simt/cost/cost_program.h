/* Prepares a program for the cost model. */
#ifndef SIMT_COST_COST_PROGRAM_H
#define SIMT_COST_COST_PROGRAM_H

#include "simt/machine/machine.h"
#include "simt/program/program.h"

/* Fills *out; its arrays are in the memory of the program. */
gcast_status cost_prepare(program *p, cost_program *out, gcast_error *err);

#endif
