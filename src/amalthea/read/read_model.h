/* Reads the files of a model once more, one of them with other text. */
#ifndef AMALTHEA_READ_READ_MODEL_H
#define AMALTHEA_READ_READ_MODEL_H

#include "amalthea/model.h"
#include "gridcast/error.h"

/* `path` is one of the files of the model. */
gcast_status amalthea_read_again(const am_model *m, const char *path, const char *bytes, size_t size, am_model **again,
                                 gcast_error *err);

#endif
