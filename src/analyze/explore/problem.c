/* Results and limits of both searches. */
#include "analyze/explore/problem.h"

#include <inttypes.h>
#include <stdio.h>

#define LARGE 1000 /* jobs and slots of a state, or blocks of a job that are counted one by one */
#define DEFAULT_BYTES (UINT64_C(1) << 31)
#define CHECK_INTERVAL 64 /* states between two checks of all limits */

/* A state takes long if it has many jobs and slots, or if a job has many blocks that are counted one by one. */
static bool is_large(const explore_problem *p)
{
    uint64_t size = p->job_count + p->slot_total;
    for (uint32_t i = 0; i < p->job_count; i++)
        if (p->jobs[i].each_ns)
            size = max_u64(size, p->jobs[i].block_count);
    return size > LARGE;
}

bool explore_make_results(explore_problem *p)
{
    p->is_large = is_large(p);
    p->min_response = arena_alloc_array(&p->memory, p->w->op_count + 1, sizeof *p->min_response);
    p->max_response = arena_alloc_array(&p->memory, p->w->op_count + 1, sizeof *p->max_response);
    p->max_end = arena_alloc_array(&p->memory, (size_t)p->job_count + 1, sizeof *p->max_end);
    if (!p->min_response || !p->max_response || !p->max_end)
        return false;
    for (size_t i = 0; i < p->w->op_count; i++) {
        p->min_response[i] = INT64_MAX;
        p->max_response[i] = -1;
    }
    return true;
}

bool explore_in_time(explore_problem *p)
{
    return !limit_passed(&p->limit) || explore_refuse(p, "it reached its time limit");
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
    /* Reading the clock and asking the caller take time, so not every state does both. */
    if (checks % CHECK_INTERVAL == 0)
        return check_all(p, bytes, fraction);
    return !p->is_large || explore_in_time(p);
}
