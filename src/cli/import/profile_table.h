/* What a profile holds, for those who choose a part of it. */
#ifndef CLI_IMPORT_PROFILE_TABLE_H
#define CLI_IMPORT_PROFILE_TABLE_H

#include "base/text/text.h"
#include "profile/trace.h"

/* GPUs with what ran on them, host threads, and names of ranges. */
void profile_table(text *out, const prof_trace *t);

#endif
