/* Calls the caller's function. */
#include "analyze/bound/bound_progress.h"

gcast_status bound_report_progress(const bound *b, double fraction, gcast_error *err)
{
    const gcast_analyze_options *o = b->options;
    if (o->progress && !o->progress(o->progress_data, fraction))
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "stopped");
    return GCAST_OK;
}
