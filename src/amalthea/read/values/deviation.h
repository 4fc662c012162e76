/* Values that vary: every kind of deviation, of numbers and of times. */
#ifndef AMALTHEA_READ_VALUES_DEVIATION_H
#define AMALTHEA_READ_VALUES_DEVIATION_H

#include "amalthea/read/reader.h"

typedef enum {
    DEVIATION_COUNT,  /* DiscreteValue...: whole numbers that are not below 0 */
    DEVIATION_TIME,   /* Time...: picoseconds that are not below 0 */
    DEVIATION_JITTER, /* the same, and below 0 too */
    DEVIATION_MILLI   /* ContinuousValue...: thousandths, lower ones rounded down and upper ones up */
} deviation_of;

/* Of the element itself. */
bool deviation_read(am_reader *r, xml_node *n, deviation_of of, am_value *value);
/* Of the child `name`; not given where there is none. */
bool deviation_child(am_reader *r, xml_node *n, const char *name, deviation_of of, am_value *value);

#endif
