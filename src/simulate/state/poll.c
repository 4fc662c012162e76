#include "simulate/state/poll.h"

void sim_report_progress(sim *s)
{
    double part = s->blocks_total ? (double)s->blocks_dispatched / (double)s->blocks_total : 1;
    if (part > 1) /* workers that repair are not counted beforehand */
        part = 1;
    if (s->options->progress && !s->options->progress(s->options->progress_data, part) && s->status == GCAST_OK)
        s->status = gcast_error_set(s->err, GCAST_RESOURCE, NULL, "stopped");
}
