/* Reads what a user adds to an AMALTHEA model, from gridcast.amalthea/1 (docs/formats.md). */
#ifndef FILES_GIVEN_FILE_H
#define FILES_GIVEN_FILE_H

#include "gridcast/error.h"
#include "model/system_given.h"

/* *g is NULL on failure; free it with given_free. `file` is for errors. */
gcast_status given_read(const char *text, size_t size, const char *file, sys_given **g, gcast_error *err);
/* Reads a file; - is standard input. */
gcast_status given_load(const char *path, sys_given **g, gcast_error *err);

#endif
