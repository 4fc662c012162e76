/* Where an op is in the source that the PTX was compiled from. */
#ifndef SIMT_PROGRAM_SOURCE_PLACE_H
#define SIMT_PROGRAM_SOURCE_PLACE_H

#include "simt/program/program.h"

/* The source file of an op; NULL: not known. */
const char *source_file_of(const program *p, const op *o);
/* " (file:line)" for messages, or "". */
void source_place(const program *p, const op *o, char *out, size_t size);

#endif
