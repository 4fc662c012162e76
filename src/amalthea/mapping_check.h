/* Reads a model again with the new text of one file, and checks that the places changed as they should, and nothing
 * else. */
#ifndef AMALTHEA_MAPPING_CHECK_H
#define AMALTHEA_MAPPING_CHECK_H

#include "amalthea/model.h"
#include "gridcast/error.h"
#include "model/system.h"

/* GCAST_INTERNAL where that is not so. `path` is the file with the new text. */
gcast_status mapping_check(const am_model *m, const sys_system *s, const sys_place *places, const char *path,
                           const char *bytes, size_t size, gcast_error *err);

/* Are the models equal in all but allocations and how tasks wait for events? */
bool same_but_places(const am_model *a, const am_model *b);
bool same_allocation(const am_allocation *a, const am_allocation *b);

#endif
