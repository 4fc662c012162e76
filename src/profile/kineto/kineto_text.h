/* The text of a trace of Kineto: from its values to events. */
#ifndef PROFILE_KINETO_KINETO_TEXT_H
#define PROFILE_KINETO_KINETO_TEXT_H

#include "profile/trace.h"

typedef struct kineto_text kineto_text;

/* NULL without memory. The trace is the caller's. */
kineto_text *kineto_text_open(const char *file, prof_trace *t, gcast_error *err);
gcast_status kineto_text_feed(kineto_text *k, const char *bytes, size_t size);
/* After the last bytes: is it a trace, and does it hold operations of a GPU? */
gcast_status kineto_text_end(kineto_text *k);
void kineto_text_close(kineto_text *k);

#endif
