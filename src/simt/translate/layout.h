/* The memory of a program: parameters, variables and shared memory get their
 * places, and variables their initial values. */
#ifndef SIMT_TRANSLATE_LAYOUT_H
#define SIMT_TRANSLATE_LAYOUT_H

#include "simt/program/program.h"

/* Lays out the memory of the program whose functions are known. */
gcast_status layout_memory(program *p, const gcast_launch *launch, gcast_error *err);

#endif
