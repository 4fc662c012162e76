/* CUPTI's callbacks, for data that its records lack: attributes of launches, and nodes and edges of graphs. */
#ifndef RECORD_CALLBACKS_H
#define RECORD_CALLBACKS_H

#include "record/recorder.h"

/* If CUPTI refuses a callback, the recording goes on without it, with a note in the file. */
void callbacks_start(recorder *s);

#endif
