/* Numbers of attributes, and quantities with units: times, sizes, rates, frequencies. */
#ifndef AMALTHEA_READ_VALUES_QUANTITY_H
#define AMALTHEA_READ_VALUES_QUANTITY_H

#include "amalthea/read/reader.h"

/* The attribute as a number, or `missing` where it is not there. */
bool quantity_integer(am_reader *r, xml_node *n, const char *name, int64_t missing, int64_t *out);
bool quantity_real(am_reader *r, xml_node *n, const char *name, double missing, double *out);
bool quantity_bool(am_reader *r, xml_node *n, const char *name, bool missing, bool *out);

/* The element itself (value and unit) as picoseconds; one below 0 is an error unless `below_zero`. */
bool quantity_time(am_reader *r, xml_node *n, bool below_zero, int64_t *ps);
/* The child `name` of the element, or `missing` where it is not there. */
bool quantity_child_time(am_reader *r, xml_node *n, const char *name, int64_t missing, int64_t *ps);
/* Bits of the child `name`; -1 where it is not there. */
bool quantity_child_size(am_reader *r, xml_node *n, const char *name, int64_t *bits);
/* Bits per second; 0 where it is not there. */
bool quantity_child_rate(am_reader *r, xml_node *n, const char *name, double *bits_per_s);
/* Hz; 0 where it is not there. */
bool quantity_child_frequency(am_reader *r, xml_node *n, const char *name, double *hz);

#endif
