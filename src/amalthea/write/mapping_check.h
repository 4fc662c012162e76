/* Reads a model again with the new text of one file, and looks whether only the places changed, and as they should. */
#ifndef AMALTHEA_WRITE_MAPPING_CHECK_H
#define AMALTHEA_WRITE_MAPPING_CHECK_H

#include "amalthea/model.h"
#include "gridcast/error.h"
#include "model/system/system.h"

/* GCAST_INTERNAL where something else changed. */
gcast_status mapping_check(const am_model *m, const sys_system *s, const sys_place *places, const char *path,
                           const char *bytes, size_t size, gcast_error *err);

#endif
