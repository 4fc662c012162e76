/* The items of the launchers of a level, in gridcast.workload/1: a number, a list, a file or a generator. */
#ifndef FILES_WORKLOAD_LAUNCHES_READ_ITEMS_H
#define FILES_WORKLOAD_LAUNCHES_READ_ITEMS_H

#include "files/workload/launches/chain.h"

/* Reads `items` of a level into l, whose launchers are known; lists are in the reader's memory of launches. */
void native_items(const launch_chain *c, const node *level, gcast_launches *l);
/* Counts launchers of a level that take memory of their own; an error where there are too many in the file. */
void native_count_launchers(native_reader *r, const node *n, uint64_t launchers);

#endif
