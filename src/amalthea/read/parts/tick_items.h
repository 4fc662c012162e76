/* Items that take ticks. */
#ifndef AMALTHEA_READ_PARTS_TICK_ITEMS_H
#define AMALTHEA_READ_PARTS_TICK_ITEMS_H

#include "amalthea/read/reader.h"

/* Ticks: a default, and those of definitions of processing units. */
bool ticks_read(am_reader *r, xml_node *n, am_item *item);
/* Execution needs, which become ticks. */
bool needs_read(am_reader *r, xml_node *n, am_item *item);

#endif
