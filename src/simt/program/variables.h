/* Where the variables of a program are. */
#ifndef SIMT_PROGRAM_VARIABLES_H
#define SIMT_PROGRAM_VARIABLES_H

#include "simt/program/program.h"

/* Gives a variable its place; false without memory, with the error set. */
bool place_variable(program *p, const ptx_var *v, uint64_t address, bool in_frame, gcast_error *err);
/* The place of a variable; NULL: it has none. */
const variable *find_variable(const program *p, const ptx_var *v);

#endif
