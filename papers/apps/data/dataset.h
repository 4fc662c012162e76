/* Generates the data of an input of any form, and runs its application on the CPU. */
#ifndef PAPERS_APPS_DATA_DATASET_H
#define PAPERS_APPS_DATA_DATASET_H

#include "papers/apps/data/graph.h"
#include "papers/apps/data/input.h"
#include "papers/apps/data/matrix.h"
#include "papers/apps/data/reads.h"
#include "papers/apps/data/reference.h"
#include "papers/apps/data/relations.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct app_dataset {
    app_input in; /* its form says which of the following is there (AMR and MANDEL need none) */
    app_graph graph;
    app_join join;
    app_matrix matrix;
    app_reads reads;
} app_dataset;

/* False: no memory, and *d is empty. */
bool app_dataset_make(app_dataset *d, const app_input *in);
void app_dataset_free(app_dataset *d);

/* The result as words of 32 bits: BFS, SSSP distance; GC colour; JOIN matches, then sums; AMR descendants, then
 * checksums; MANDEL dwell; MM product; SA places, then mismatches. */
size_t app_dataset_result_words(const app_dataset *d);
/* Runs the application on the CPU (reference.h); `result` has app_dataset_result_words words, `rounds` may be NULL.
 * False: no memory. */
bool app_dataset_run(const app_dataset *d, uint32_t *result, app_rounds *rounds);
/* Finds only the rounds of the application, without the result and the whole dataset where they are not needed. False:
 * no memory. */
bool app_input_rounds(const app_input *in, app_rounds *rounds);

#ifdef __cplusplus
}
#endif

#endif
