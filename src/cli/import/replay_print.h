/* A replay as text and as JSON. */
#ifndef CLI_IMPORT_REPLAY_PRINT_H
#define CLI_IMPORT_REPLAY_PRINT_H

#include "base/text/text.h"
#include "profile/replay/replay.h"

/* Spans, errors by name, where errors begin, and kernels that slow each other down. */
void replay_table(text *out, const prof_replay *r);
/* All of it, as gridcast.replay/1. */
void replay_json(text *out, const char *name, const prof_replay *r);
/* How much longer the replay is, in thousandths of a percent. */
int64_t replay_off(const prof_replay *r);

#endif
