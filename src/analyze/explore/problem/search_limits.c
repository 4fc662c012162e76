/* Reading the clock and asking the caller take time, so they are done after several states only, or in the midst of a
 * state where one takes long. */
#include "analyze/explore/problem/search_limits.h"

#include <inttypes.h>
#include <stdio.h>

#define DEFAULT_BYTES (UINT64_C(1) << 31)
#define CHECK_INTERVAL 64 /* states from one check of all limits to the next */

bool explore_in_time(explore_problem *p)
{
    return !limit_passed(&p->limit) || explore_refuse(p, "it takes too long");
}

static bool check_all(explore_problem *p, uint64_t bytes, double fraction)
{
    uint64_t max_states = explore_max_states(p);
    uint64_t max_bytes = p->options->max_bytes ? p->options->max_bytes : DEFAULT_BYTES;
    const char *search = p->by_events ? "event by event, " : "";
    if (p->out->a.states > max_states)
        snprintf(p->text, sizeof p->text, "%sthere are more than %" PRIu64 " states", search, max_states);
    else if (bytes > max_bytes)
        snprintf(p->text, sizeof p->text, "%sits states take more than %" PRIu64 " bytes", search, max_bytes);
    else if (p->options->progress && !p->options->progress(p->options->progress_data, fraction))
        snprintf(p->text, sizeof p->text, "it was stopped");
    else
        return explore_in_time(p);
    return explore_refuse(p, p->text);
}

bool explore_within_limits(explore_problem *p, uint64_t checks, uint64_t bytes, double fraction)
{
    if (checks % CHECK_INTERVAL == 0)
        return check_all(p, bytes, fraction);
    return !p->is_large || explore_in_time(p);
}
