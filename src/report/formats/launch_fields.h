/* Counts of child launches, of the gcast_launch_stats `s`, that runs and comparisons of policies have. */
#ifndef REPORT_FORMATS_LAUNCH_FIELDS_H
#define REPORT_FORMATS_LAUNCH_FIELDS_H

#include "base/fields.h"

#define LAUNCH_COUNT_FIELDS(FIELD, LINE)                                                                               \
    FIELD(count, child_blocks, true, s->child_blocks, "their blocks")                                                  \
    FIELD(count, items, true, s->items, "items of the launchers that decided")                                         \
    FIELD(count, offloaded, true, s->offloaded, "of these, items that children did")                                   \
    FIELD(count, kept, true, s->kept, "launchers that did their items themselves")                                     \
    FIELD(count, refused, true, s->refused, "of these, launchers that the full pool refused")                          \
    FIELD(count, early, true, s->early, "launches by SPAWN before it had measured a child")                            \
    FIELD(count, max_live, true, s->max_live, "most children at a time")                                               \
    FIELD(count, max_pool, true, s->max_pool, "most children in the pool of pending launches")

#endif
