/* One scenario of a corpus, operation by operation. */
#ifndef CLI_VERIFY_OPS_H
#define CLI_VERIFY_OPS_H

#include "base/text/text.h"
#include "cli/command.h"

/* Starts and ends as predicted and as measured, both from the first start on. */
void put_ops(text *t, const gcast_run *predicted, const gcast_run *measured, bool legend);

#endif
