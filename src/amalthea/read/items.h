/* Reads the items of activity graphs, in the style of every version. */
#ifndef AMALTHEA_READ_ITEMS_H
#define AMALTHEA_READ_ITEMS_H

#include "amalthea/read/reader.h"

/* Reads the items of a task or runnable, r->runnable or r->task, from its element or the activityGraph in it. */
bool items_of_graph(am_reader *r, xml_node *n, const am_item **items, size_t *count);

/* An item that refers to nothing. */
am_item item_new(am_item_kind kind, am_place at);

#endif
