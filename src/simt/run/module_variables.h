/* Variables of the module that the launch sets and reads. */
#ifndef SIMT_RUN_MODULE_VARIABLES_H
#define SIMT_RUN_MODULE_VARIABLES_H

#include "gridcast/launch.h"
#include "simt/program/program.h"

/* GCAST_INPUT: there is no such variable, or it has another size. */
gcast_status module_variables_in(program *p, const gcast_launch *l, gcast_error *err);
void module_variables_out(const program *p, gcast_launch *l);

#endif
