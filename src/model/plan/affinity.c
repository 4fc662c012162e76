#include "model/plan/affinity.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/item_index.h"

/* Jobs that are related, directly or through others, are a component of the graph of jobs. A job without relations is a
 * component of its own. Components fill what is left of a cluster. */

typedef struct component {
    uint32_t size;   /* jobs in it */
    uint32_t lowest; /* its lowest job */
    uint32_t seed;   /* a job at its edge, far from the lowest */
} component;

typedef struct components {
    component *at;     /* larger ones first, then by their lowest job */
    uint32_t count;    /* of them */
    uint32_t *untaken; /* by component, and one more: the next component that is not taken, or a step towards it */
} components;

/* Searches a component breadth first from its lowest job, so that the last job found is far from that. */
static component explore(item_index *x, uint32_t lowest, bool *is_seen, uint32_t *queue)
{
    uint32_t end = 1;
    queue[0] = lowest;
    is_seen[lowest] = true;
    for (uint32_t i = 0; i < end; i++) {
        uint32_t count = item_index_find(x, queue[i]);
        for (uint32_t k = 0; k < count; k++)
            if (!is_seen[x->found[k].job]) {
                is_seen[x->found[k].job] = true;
                queue[end++] = x->found[k].job;
            }
    }
    return (component){.size = end, .lowest = lowest, .seed = queue[end - 1]};
}

static int compare_size(const void *a, const void *b)
{
    const component *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->lowest < y->lowest ? -1 : 1;
}

/* `queue` is scratch memory for all jobs. False without memory; must be freed also then. */
static bool components_find(components *c, item_index *x, uint32_t *queue)
{
    uint32_t jobs = x->data->jobs;
    bool *is_seen = calloc(jobs, sizeof *is_seen);
    *c = (components){.at = malloc(jobs * sizeof *c->at)};
    c->untaken = malloc(((size_t)jobs + 1) * sizeof *c->untaken);
    bool ok = is_seen && c->at && c->untaken;
    for (uint32_t j = 0; j < jobs && ok; j++)
        if (!is_seen[j])
            c->at[c->count++] = explore(x, j, is_seen, queue);
    for (uint32_t i = 0; i <= c->count && ok; i++)
        c->untaken[i] = i;
    if (ok)
        qsort(c->at, c->count, sizeof *c->at, compare_size);
    free(is_seen);
    return ok;
}

static void components_free(components *c)
{
    free(c->at);
    free(c->untaken);
}

/* The first component from i on that is not taken. Shortens the way for the next search. */
static uint32_t next_untaken(components *c, uint32_t i)
{
    while (c->untaken[i] != i) {
        c->untaken[i] = c->untaken[c->untaken[i]];
        i = c->untaken[i];
    }
    return i;
}

/* Takes the largest component of at most `capacity` jobs, or the largest of all where there is none; returns its seed.
 * At least one must be left. */
static uint32_t components_take(components *c, uint32_t capacity)
{
    uint32_t lo = 0, hi = c->count; /* components below lo are too large, from hi on they are not */
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (c->at[middle].size > capacity)
            lo = middle + 1;
        else
            hi = middle;
    }
    uint32_t i = next_untaken(c, lo);
    if (i == c->count)
        i = next_untaken(c, 0);
    c->untaken[i] = i + 1;
    return c->at[i].seed;
}

/* The frontier is a heap of the jobs related to placed ones. Its first has most in common with the jobs of the current
 * cluster; of equal ones, most in common with all placed jobs; of equal ones, the lowest number. */

typedef struct frontier {
    uint32_t count;         /* jobs in it */
    uint32_t *heap;         /* the jobs; children of i are 2 * i + 1 and 2 * i + 2 */
    uint32_t *slot;         /* by job: 1 + its place in heap; 0: it is not there */
    uint64_t *cluster_gain; /* by job: sum of scores with the jobs of the current cluster */
    uint64_t *total_gain;   /* by job: sum of scores with all placed jobs */
} frontier;

/* False without memory; must be freed also then. */
static bool frontier_create(frontier *f, uint32_t jobs)
{
    *f = (frontier){0};
    f->heap = malloc(jobs * sizeof *f->heap);
    f->slot = calloc(jobs, sizeof *f->slot);
    f->cluster_gain = calloc(jobs, sizeof *f->cluster_gain);
    f->total_gain = calloc(jobs, sizeof *f->total_gain);
    return f->heap && f->slot && f->cluster_gain && f->total_gain;
}

static void frontier_free(frontier *f)
{
    free(f->heap);
    free(f->slot);
    free(f->cluster_gain);
    free(f->total_gain);
}

static bool is_better(const frontier *f, uint32_t a, uint32_t b)
{
    if (f->cluster_gain[a] != f->cluster_gain[b])
        return f->cluster_gain[a] > f->cluster_gain[b];
    if (f->total_gain[a] != f->total_gain[b])
        return f->total_gain[a] > f->total_gain[b];
    return a < b;
}

static void put(frontier *f, uint32_t i, uint32_t job)
{
    f->heap[i] = job;
    f->slot[job] = i + 1;
}

static void sift_up(frontier *f, uint32_t i, uint32_t job)
{
    for (; i && is_better(f, job, f->heap[(i - 1) / 2]); i = (i - 1) / 2)
        put(f, i, f->heap[(i - 1) / 2]);
    put(f, i, job);
}

static void sift_down(frontier *f, uint32_t i, uint32_t job)
{
    for (uint64_t child; (child = 2 * (uint64_t)i + 1) < f->count; i = (uint32_t)child) {
        child += child + 1 < f->count && is_better(f, f->heap[child + 1], f->heap[child]);
        if (!is_better(f, f->heap[child], job))
            break;
        put(f, i, f->heap[child]);
    }
    put(f, i, job);
}

/* Adds a score to a job, which is added if it is not there yet. */
static void frontier_raise(frontier *f, uint32_t job, uint32_t score)
{
    f->cluster_gain[job] += score;
    f->total_gain[job] += score;
    sift_up(f, f->slot[job] ? f->slot[job] - 1 : f->count++, job);
}

/* Takes the best job out; there must be one. */
static uint32_t frontier_take(frontier *f)
{
    uint32_t job = f->heap[0];
    f->slot[job] = 0;
    if (--f->count)
        sift_down(f, 0, f->heap[f->count]);
    return job;
}

/* Begins another cluster. */
static void frontier_next_cluster(frontier *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        f->cluster_gain[f->heap[i]] = 0;
    for (uint32_t i = f->count / 2; i > 0; i--)
        sift_down(f, i - 1, f->heap[i - 1]);
}

/* Clusters grow greedily: from a seed, the job that has most in common with the cluster is next, until the cluster is
 * full. Then the next cluster begins at the border of those before it. Components that fit into what is left of a
 * cluster come before those that must be split. (Wu, Chen, Li, Shen and Vetter, ICS 2015, grow clusters from seeds,
 * too, and have the score and its minimum.) */

double gcast_job_data_affinity(const gcast_job_data *data, uint32_t a, uint32_t b)
{
    if (!data || !data->first || !data->item || a >= data->jobs || b >= data->jobs)
        return 0;
    uint32_t i = data->first[a], k = data->first[b], i_end = data->first[a + 1], k_end = data->first[b + 1];
    if (i > i_end || k > k_end)
        return 0;
    uint64_t both = 0, uses = (uint64_t)(i_end - i) + (k_end - k);
    while (i < i_end && k < k_end) {
        uint32_t x = data->item[i], y = data->item[k];
        both += x == y;
        i += x <= y;
        k += y <= x;
    }
    return uses ? (double)both / (double)(uses - both) : 0;
}

static void place(item_index *x, frontier *f, const uint32_t *cluster_of, uint32_t job)
{
    uint32_t count = item_index_find(x, job);
    for (uint32_t i = 0; i < count; i++)
        if (cluster_of[x->found[i].job] == UINT32_MAX)
            frontier_raise(f, x->found[i].job, x->found[i].score);
}

static void grow(item_index *x, frontier *f, components *c, const uint32_t *size, uint32_t clusters, uint32_t *order,
                 uint32_t *cluster_of)
{
    uint32_t placed = 0;
    memset(cluster_of, 0xff, x->data->jobs * sizeof *cluster_of);
    for (uint32_t k = 0; k < clusters; k++) {
        frontier_next_cluster(f);
        for (uint32_t left = size[k]; left > 0; left--) {
            uint32_t job = f->count ? frontier_take(f) : components_take(c, left);
            cluster_of[job] = k;
            order[placed++] = job;
            place(x, f, cluster_of, job);
        }
    }
}

/* Do clusters in the order of job numbers share more? `by_number` is scratch memory. */
static bool is_worse(item_index *x, const uint32_t *size, uint32_t clusters, const uint32_t *cluster_of,
                     uint32_t *by_number)
{
    uint64_t grown = 0, plain = 0;
    uint32_t job = 0;
    for (uint32_t c = 0; c < clusters; c++)
        for (uint32_t i = 0; i < size[c]; i++)
            by_number[job++] = c;
    for (uint32_t j = 0; j < x->data->jobs; j++) {
        uint32_t count = item_index_find(x, j);
        for (uint32_t i = 0; i < count; i++) {
            grown += cluster_of[x->found[i].job] == cluster_of[j] ? x->found[i].score : 0;
            plain += by_number[x->found[i].job] == by_number[j] ? x->found[i].score : 0;
        }
    }
    return grown < plain;
}

gcast_status affinity_order(const gcast_job_data *data, const uint32_t *size, uint32_t clusters, uint32_t *order,
                            gcast_error *err)
{
    item_index x = {0};
    components c = {0};
    frontier f = {0};
    uint32_t *cluster_of = malloc(data->jobs * sizeof *cluster_of);
    uint32_t *by_number = malloc(data->jobs * sizeof *by_number);
    bool ok = cluster_of && by_number && item_index_build(&x, data) && components_find(&c, &x, order) &&
              frontier_create(&f, data->jobs);
    if (ok) {
        grow(&x, &f, &c, size, clusters, order, cluster_of);
        if (is_worse(&x, size, clusters, cluster_of, by_number))
            for (uint32_t j = 0; j < data->jobs; j++)
                order[j] = j;
    }
    frontier_free(&f);
    components_free(&c);
    item_index_free(&x);
    free(cluster_of);
    free(by_number);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}
