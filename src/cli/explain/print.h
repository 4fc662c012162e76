/* What explain says of one operation or job, for people. */
#ifndef CLI_EXPLAIN_PRINT_H
#define CLI_EXPLAIN_PRINT_H

#include "base/text/text.h"
#include "cli/explain/state.h"

/* With `all` every wait, not only their sums. */
void explain_print(text *t, const explained *x, bool all);

#endif
