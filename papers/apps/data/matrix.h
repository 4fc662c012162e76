/* A square sparse matrix in compressed rows, and a dense vector; arithmetic is modulo 2^32, so that sums are the same
 * in every order. */
#ifndef PAPERS_APPS_DATA_MATRIX_H
#define PAPERS_APPS_DATA_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define APP_MATRIX_MAX_ROW 2048u /* nonzeros of a row */

typedef struct app_matrix {
    uint32_t rows;     /* as many as columns */
    uint64_t nonzeros; /* entries of column and value */
    uint64_t *first;   /* by row, and one more: where its nonzeros begin */
    uint32_t *column;  /* of a nonzero; they ascend in a row */
    uint32_t *value;   /* of a nonzero */
    uint32_t *vector;  /* by column */
} app_matrix;

/* Row lengths follow a power law in 1..min(APP_MATRIX_MAX_ROW, rows): P(length >= n) is about 1 / sqrt(n). rows >= 1.
 * False: no memory, and *m is empty. */
bool app_matrix_make(app_matrix *m, uint32_t rows, uint64_t seed);
void app_matrix_free(app_matrix *m);

#ifdef __cplusplus
}
#endif

#endif
