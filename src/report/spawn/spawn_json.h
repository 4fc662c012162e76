/* Policies side by side, as gridcast.spawn/1. */
#ifndef REPORT_SPAWN_SPAWN_JSON_H
#define REPORT_SPAWN_SPAWN_JSON_H

#include "base/text/text.h"
#include "report/spawn/spawn_rows.h"

void spawn_json(const spawn_set *s, text *out);

#endif
