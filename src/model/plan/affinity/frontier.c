#include "model/plan/affinity/frontier.h"

#include <stdlib.h>

bool frontier_create(frontier *f, uint32_t jobs)
{
    *f = (frontier){0};
    f->heap = malloc(jobs * sizeof *f->heap);
    f->slot = calloc(jobs, sizeof *f->slot);
    f->cluster_gain = calloc(jobs, sizeof *f->cluster_gain);
    f->total_gain = calloc(jobs, sizeof *f->total_gain);
    return f->heap && f->slot && f->cluster_gain && f->total_gain;
}

void frontier_free(frontier *f)
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

void frontier_raise(frontier *f, uint32_t job, uint32_t score)
{
    f->cluster_gain[job] += score;
    f->total_gain[job] += score;
    sift_up(f, f->slot[job] ? f->slot[job] - 1 : f->count++, job);
}

uint32_t frontier_take(frontier *f)
{
    uint32_t job = f->heap[0];
    f->slot[job] = 0;
    if (--f->count)
        sift_down(f, 0, f->heap[f->count]);
    return job;
}

void frontier_next_cluster(frontier *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        f->cluster_gain[f->heap[i]] = 0;
    for (uint32_t i = f->count / 2; i > 0; i--)
        sift_down(f, i - 1, f->heap[i - 1]);
}
