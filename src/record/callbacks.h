/* Callbacks of CUPTI for what its records do not say: attributes of launches, and the nodes and edges of graphs. */
#ifndef RECORD_CALLBACKS_H
#define RECORD_CALLBACKS_H

#include "record/recorder.h"

/* What CUPTI refuses is a note in the file: the recording goes on without it. */
void callbacks_start(recorder *s);

#endif
