/* Makes a program of a module and a launch. */
#ifndef SIMT_PROGRAM_TRANSLATE_H
#define SIMT_PROGRAM_TRANSLATE_H

#include "simt/program/program.h"

/* Lays out memory, and decodes the kernel and all functions that it can reach. */
gcast_status decode_program(program *p, const gcast_launch *launch, gcast_error *err);

#endif
