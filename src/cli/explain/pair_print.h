/* What explain says of two operations, for people. */
#ifndef CLI_EXPLAIN_PAIR_PRINT_H
#define CLI_EXPLAIN_PAIR_PRINT_H

#include "base/text/text.h"
#include "cli/explain/state.h"

/* With `all` every wait, not only the longest. */
void pair_print(text *t, const paired *x, bool all);

#endif
