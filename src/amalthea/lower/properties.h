/* Custom properties and parameters: found by key, and read as numbers, sizes and times. */
#ifndef AMALTHEA_LOWER_PROPERTIES_H
#define AMALTHEA_LOWER_PROPERTIES_H

#include "amalthea/model.h"

/* The property with this key, whatever its case; NULL: there is none. */
const am_property *property_find(const am_property *properties, size_t count, const char *key);
/* A whole number that is not negative. False where it is not one, here and in the next. */
bool property_number(const am_property *p, int64_t *value);
/* One number, or the least and the most. */
bool property_range(const am_property *p, int64_t *least, int64_t *most);
/* One to three numbers of at least 1, with blanks, commas or "x" between them; the others are 1. */
bool property_dim3(const am_property *p, uint32_t out[3]);
/* A size such as 8KiB, 8 KiB, 8K or 8192. */
bool property_size(const am_property *p, int64_t *bytes);
/* A time such as 50000us, with a micro sign too, and a blank before the unit or none; rounded down to ns. */
bool property_time(const am_property *p, int64_t *ns);

#endif
