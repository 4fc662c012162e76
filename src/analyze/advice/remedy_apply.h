/* Changes that remedies make to a workload. */
#ifndef ANALYZE_ADVICE_REMEDY_APPLY_H
#define ANALYZE_ADVICE_REMEDY_APPLY_H

#include "gridcast/remedy.h"

/* Makes the change to a workload, which is the caller's own. */
gcast_status remedy_apply(gcast_workload *w, const gcast_change *c, gcast_error *err);
/* Gives the op blocks of `threads`, which is its own number doubled or halved some times; false: that cannot be done.
 */
bool remedy_reshape(gcast_op *op, int64_t threads);

#endif
