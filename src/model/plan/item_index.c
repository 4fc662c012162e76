#include "model/plan/item_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/integers.h"

#define MAX_COMPARED (UINT64_C(1) << 27)      /* comparisons of a user with a job, for all jobs together */
#define MAX_WINDOWED (UINT64_C(1) << 25)      /* with a window, where each costs more */
#define MIN_WINDOW 4                          /* users before and after a job that are always compared */
#define MIN_WINDOWED_PER_USE (2 * MIN_WINDOW) /* so that MAX_WINDOWED grows with the data */

static uint32_t user_count(const item_index *x, uint32_t item)
{
    return x->first[item + 1] - x->first[item];
}

/* Sorts the uses by item, then job. */
static uint64_t *sorted_uses(const gcast_job_data *data, uint32_t uses)
{
    uint64_t *keys = malloc(((size_t)uses + 1) * sizeof *keys);
    if (!keys)
        return NULL;
    for (uint32_t j = 0; j < data->jobs; j++)
        for (uint32_t i = data->first[j]; i < data->first[j + 1]; i++)
            keys[i] = (uint64_t)data->item[i] << 32 | j;
    qsort(keys, uses, sizeof *keys, compare_u64);
    return keys;
}

/* Items come in ascending order, here and in the list of each job. `next` is scratch memory: the next use by job. */
static void fill(item_index *x, const uint64_t *keys, uint32_t uses, uint32_t *next)
{
    memcpy(next, x->data->first, x->data->jobs * sizeof *next);
    for (uint32_t i = 0; i < uses; i++) {
        if (i == 0 || keys[i] >> 32 != keys[i - 1] >> 32)
            x->first[x->item_count++] = i;
        uint32_t job = (uint32_t)keys[i], use = next[job]++;
        x->item[use] = x->item_count - 1;
        x->place[use] = i - x->first[x->item_count - 1];
        x->user[i] = job;
    }
    x->first[x->item_count] = uses;
}

/* Comparisons for all jobs together. */
static uint64_t compared_count(const item_index *x, uint32_t window)
{
    uint64_t compared = 0;
    for (uint32_t t = 0; t < x->item_count; t++)
        compared += (uint64_t)user_count(x, t) * min_u64(user_count(x, t), 2 * (uint64_t)window + 1);
    return compared;
}

static void choose_window(item_index *x, uint32_t uses)
{
    x->window = x->data->jobs;
    if (compared_count(x, x->window) <= MAX_COMPARED)
        return;
    uint64_t limit = max_u64(MAX_WINDOWED, (uint64_t)uses * MIN_WINDOWED_PER_USE);
    uint32_t lo = MIN_WINDOW, hi = x->data->jobs; /* lo is within the limit or the minimum, hi is not */
    while (hi - lo > 1) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (compared_count(x, middle) <= limit)
            lo = middle;
        else
            hi = middle;
    }
    x->window = lo;
    x->is_windowed = true;
}

bool item_index_build(item_index *x, const gcast_job_data *data)
{
    uint32_t uses = data->first[data->jobs];
    size_t size = ((size_t)uses + 1) * sizeof(uint32_t), jobs = data->jobs;
    *x = (item_index){.data = data};
    uint64_t *keys = sorted_uses(data, uses);
    x->item = malloc(size);
    x->place = malloc(size);
    x->first = malloc(size);
    x->user = malloc(size);
    x->shared = calloc(jobs, sizeof *x->shared);
    x->found = malloc(jobs * sizeof *x->found);
    bool ok = keys && x->item && x->place && x->first && x->user && x->shared && x->found;
    if (ok) {
        fill(x, keys, uses, x->shared);
        memset(x->shared, 0, jobs * sizeof *x->shared);
        choose_window(x, uses);
        x->marked_by = calloc((size_t)x->item_count + 1, sizeof *x->marked_by);
    }
    free(keys);
    return ok && x->marked_by;
}

void item_index_free(item_index *x)
{
    free(x->item);
    free(x->place);
    free(x->first);
    free(x->user);
    free(x->shared);
    free(x->marked_by);
    free(x->found);
}

/* Counts in `shared`, for each job that is compared, the items through which it is found. Returns how many jobs are in
 * `found`, the job itself among them. */
static uint32_t count_shared(item_index *x, uint32_t job)
{
    uint32_t count = 0;
    for (uint32_t use = x->data->first[job]; use < x->data->first[job + 1]; use++) {
        uint32_t item = x->item[use], place = x->place[use];
        uint32_t begin = place - min_u32(place, x->window);
        uint32_t end = place + min_u32(x->window, user_count(x, item) - 1 - place) + 1;
        const uint32_t *users = x->user + x->first[item];
        for (uint32_t i = begin; i < end; i++)
            if (x->shared[users[i]]++ == 0)
                x->found[count++].job = users[i];
        x->marked_by[item] = job + 1;
    }
    return count;
}

static uint32_t count_marked(const item_index *x, uint32_t job, uint32_t by)
{
    uint32_t count = 0;
    for (uint32_t use = x->data->first[job]; use < x->data->first[job + 1]; use++)
        count += x->marked_by[x->item[use]] == by + 1;
    return count;
}

uint32_t item_index_find(item_index *x, uint32_t job)
{
    uint32_t candidates = count_shared(x, job), count = 0;
    uint64_t own = x->data->first[job + 1] - x->data->first[job];
    for (uint32_t i = 0; i < candidates; i++) {
        uint32_t other = x->found[i].job;
        uint64_t both = x->is_windowed ? count_marked(x, other, job) : x->shared[other];
        uint64_t either = own + x->data->first[other + 1] - x->data->first[other] - both;
        x->shared[other] = 0;
        if (other != job && both * MIN_SCORE_DIVISOR >= either)
            x->found[count++] = (related_job){other, (uint32_t)(both * SCORE_ONE / either)};
    }
    return count;
}
