/* Clusters grow greedily: from a seed, the job that has most in common with the cluster is next, until the cluster is
 * full. Then the next cluster begins at the border of those before it. Components of related jobs that fit into the
 * rest of a cluster come before those that must be split. (Wu, Chen, Li, Shen and Vetter, ICS 2015, grow clusters from
 * seeds, too, and have the score and its minimum.) */
#include "model/plan/affinity/affinity.h"

#include <stdlib.h>
#include <string.h>

#include "model/plan/affinity/components.h"
#include "model/plan/affinity/frontier.h"
#include "model/plan/affinity/item_index.h"

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

/* Is more shared within clusters in the order of numbers? `by_number` is scratch memory. */
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
