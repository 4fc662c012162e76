/* Policies side by side, as tables. */
#ifndef REPORT_SPAWN_SPAWN_TABLE_H
#define REPORT_SPAWN_SPAWN_TABLE_H

#include "base/text/text.h"
#include "report/spawn/spawn_rows.h"

/* Of one comparison: a line per policy. Of several: a line each, with means. */
void spawn_table(const spawn_set *s, text *out);

#endif
