/* Files with the items of launchers: whole numbers, separated by white space or commas; # starts a comment, which ends
 * with the line. */
#ifndef FILES_WORKLOAD_LAUNCHES_ITEMS_TEXT_H
#define FILES_WORKLOAD_LAUNCHES_ITEMS_TEXT_H

#include "base/vec.h"
#include "gridcast/error.h"

typedef VEC(uint32_t) item_list;

/* Adds the numbers of a text to the list, `max` at most. An error has line and column. */
gcast_status items_text_read(const char *text, size_t size, uint64_t max, item_list *items, gcast_error *err);

#endif
