#include "papers/apps/data/dataset.h"

#include <stdlib.h>
#include <string.h>

#include "papers/apps/data/reference.h"

bool app_dataset_make(app_dataset *d, const app_input *in)
{
    memset(d, 0, sizeof *d);
    d->in = *in;
    switch (in->form) {
    case APP_FORM_CITATION:
        return app_graph_citation(&d->graph, in->of.citation.vertices, in->of.citation.mean_degree, in->seed);
    case APP_FORM_RMAT:
        return app_graph_rmat(&d->graph, in->of.rmat.scale, in->of.rmat.edge_factor, in->seed);
    case APP_FORM_JOIN_UNIFORM:
        return app_join_make(&d->join, APP_KEYS_UNIFORM, in->of.join.r_count, in->of.join.s_count, in->of.join.keys,
                             in->seed);
    case APP_FORM_JOIN_GAUSSIAN:
        return app_join_make(&d->join, APP_KEYS_GAUSSIAN, in->of.join.r_count, in->of.join.s_count, in->of.join.keys,
                             in->seed);
    case APP_FORM_MM:
        return app_matrix_make(&d->matrix, in->of.mm.rows, in->seed);
    case APP_FORM_SA:
        return app_reads_make(&d->reads, in->of.sa.bases, in->of.sa.reads, in->seed) && app_reads_index(&d->reads);
    case APP_FORM_AMR:
    case APP_FORM_MANDEL:
    case APP_FORMS:
        break;
    }
    return true;
}

void app_dataset_free(app_dataset *d)
{
    app_graph_free(&d->graph);
    app_join_free(&d->join);
    app_matrix_free(&d->matrix);
    app_reads_free(&d->reads);
}

size_t app_dataset_result_words(const app_dataset *d)
{
    const app_input *in = &d->in;
    switch (in->kind) {
    case APP_AMR:
        return (size_t)2 * in->of.amr.cells_per_side * in->of.amr.cells_per_side;
    case APP_BFS:
    case APP_SSSP:
    case APP_GC:
        return d->graph.vertices;
    case APP_JOIN:
        return (size_t)2 * d->join.r_count;
    case APP_MANDEL:
        return (size_t)in->of.mandel.side * in->of.mandel.side;
    case APP_MM:
        return d->matrix.rows;
    case APP_SA:
        return (size_t)2 * d->reads.reads;
    case APP_KINDS:
        break;
    }
    return 0;
}

static bool run_sa(const app_reads *r, uint32_t *result, app_rounds *rounds)
{
    uint64_t *best = (uint64_t *)malloc((size_t)r->reads * sizeof *best);
    bool done = best && app_sa(r, best, rounds);
    for (uint32_t i = 0; done && i < r->reads; i++) {
        result[i] = (uint32_t)best[i];
        result[r->reads + i] = (uint32_t)(best[i] >> 32);
    }
    free(best);
    return done;
}

bool app_dataset_run(const app_dataset *d, uint32_t *result, app_rounds *rounds)
{
    const app_input *in = &d->in;
    uint32_t *second = result + app_dataset_result_words(d) / 2; /* the second part of a result of two */
    switch (in->kind) {
    case APP_AMR:
        return app_amr(in->of.amr.cells_per_side, in->of.amr.levels, in->seed, result, second, rounds);
    case APP_BFS:
        return app_bfs(&d->graph, app_graph_source(&d->graph), result, rounds);
    case APP_SSSP:
        return app_sssp(&d->graph, app_graph_source(&d->graph), result, rounds);
    case APP_JOIN:
        return app_join_run(&d->join, result, second, rounds);
    case APP_MANDEL:
        return app_mandel(in->of.mandel.side, in->of.mandel.tile, in->of.mandel.max_dwell, result, rounds);
    case APP_GC:
        return app_colour(&d->graph, result, rounds);
    case APP_MM:
        return app_mm(&d->matrix, result, rounds);
    case APP_SA:
        return run_sa(&d->reads, result, rounds);
    case APP_KINDS:
        break;
    }
    return false;
}

static bool sa_rounds(const app_input *in, app_rounds *rounds)
{
    app_reads reads;
    bool done = app_reads_make(&reads, in->of.sa.bases, in->of.sa.reads, in->seed) && app_sa(&reads, NULL, rounds);
    app_reads_free(&reads);
    return done;
}

bool app_input_rounds(const app_input *in, app_rounds *rounds)
{
    if (in->kind == APP_MANDEL)
        return app_mandel(in->of.mandel.side, in->of.mandel.tile, in->of.mandel.max_dwell, NULL, rounds);
    if (in->kind == APP_SA)
        return sa_rounds(in, rounds);
    app_dataset data;
    bool made = app_dataset_make(&data, in);
    size_t words = app_dataset_result_words(&data);
    uint32_t *result = (uint32_t *)malloc((words ? words : 1) * sizeof *result);
    bool done = made && result && app_dataset_run(&data, result, rounds);
    free(result);
    app_dataset_free(&data);
    return done;
}
