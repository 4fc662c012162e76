/* Reads numbers of attributes; quantities with units: times, sizes, rates, frequencies; and values that vary. */
#ifndef AMALTHEA_READ_VALUES_H
#define AMALTHEA_READ_VALUES_H

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

/* Values that vary have a deviation of some kind, of a number or of a time. */

typedef enum {
    DEVIATION_COUNT,  /* DiscreteValue...: whole numbers that are not below 0 */
    DEVIATION_TIME,   /* Time...: picoseconds that are not below 0 */
    DEVIATION_JITTER, /* Time...: picoseconds that may be below 0 */
    DEVIATION_MILLI   /* ContinuousValue...: thousandths, lower ones rounded down and upper ones up */
} deviation_of;

/* Reads the child `name`; the value is not `given` where there is none. */
bool deviation_child(am_reader *r, xml_node *n, const char *name, deviation_of of, am_value *value);

#endif
