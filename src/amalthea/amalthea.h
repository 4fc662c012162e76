/* Reads AMALTHEA models (.amxmi, schema 0.9.4 to 3.3.0), makes systems of them, and writes mappings back. */
#ifndef AMALTHEA_AMALTHEA_H
#define AMALTHEA_AMALTHEA_H

#include "amalthea/model.h"
#include "gridcast/error.h"
#include "model/system.h"
#include "model/system_given.h"

/* `paths` are files and folders; all .amxmi files of a folder are read. Where a reference goes to another file, the
 * others of the same folder are read too. */
gcast_status amalthea_read(const char *const *paths, size_t path_count, am_model **m, gcast_error *err);
/* One file from memory; for fuzzing. References to other files are errors. */
gcast_status amalthea_read_memory(const char *name, const char *text, size_t size, am_model **m, gcast_error *err);
void amalthea_free(am_model *m);

/* `given` says what the model does not, and may be NULL. The system keeps nothing of the model. */
gcast_status amalthea_system(const am_model *m, const gcast_gpu *gpu, const sys_given *given, sys_system **s,
                             gcast_error *err);

/* The file's text with other cores, priorities and ways of waiting for the tasks whose place differs from the system's;
 * all else is kept byte for byte. `path` is the file that has the mapping. */
gcast_status amalthea_write_mapping(const am_model *m, const sys_system *s, const sys_place *places, const char *path,
                                    char **text, size_t *size, gcast_error *err);

#endif
