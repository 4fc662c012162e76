/* Results are widened by every state that a search comes to. */
#include "analyze/explore/problem/results.h"

#define LARGE 1000 /* jobs and slots of a state, or blocks that are counted one by one */

/* A step takes long where a state has many jobs and slots, or where many blocks are counted one by one. */
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
