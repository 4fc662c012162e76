/* The items of activity graphs, in the style of every version. */
#ifndef AMALTHEA_READ_PARTS_ITEMS_H
#define AMALTHEA_READ_PARTS_ITEMS_H

#include "amalthea/read/reader.h"

/* The items in an element; those of a task or runnable are in its activityGraph. r->runnable or r->task says whose. */
bool items_of_graph(am_reader *r, xml_node *n, const am_item **items, size_t *count);
bool items_in(am_reader *r, xml_node *n, const am_item **items, size_t *count);
/* An item that refers to nothing. */
am_item item_new(am_item_kind kind, am_place at);

#endif
