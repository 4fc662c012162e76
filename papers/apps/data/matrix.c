/* Generator of sparse matrices. */
#include "papers/apps/data/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "papers/apps/data/hash.h"

/* Draws 1 / u^2 of a uniform u, again while it is too long. */
static uint32_t draw_length(app_random *random, uint32_t max)
{
    for (;;) {
        uint64_t u = 1 + app_random_below(random, UINT32_C(1) << 20);
        uint64_t length = (UINT64_C(1) << 40) / (u * u);
        if (length <= max)
            return (uint32_t)length;
    }
}

/* Fills a row of n nonzeros: the columns are one from each of n equal parts. */
static void fill_row(app_matrix *m, uint32_t row, app_random *random)
{
    uint64_t begin = m->first[row], count = m->first[row + 1] - begin;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t lo = (uint32_t)(i * m->rows / count), hi = (uint32_t)((i + 1) * m->rows / count);
        m->column[begin + i] = lo + app_random_below(random, hi - lo);
        m->value[begin + i] = (uint32_t)app_random_next(random);
    }
}

bool app_matrix_make(app_matrix *m, uint32_t rows, uint64_t seed)
{
    app_random random = app_random_of(seed, 4);
    uint32_t max = rows < APP_MATRIX_MAX_ROW ? rows : APP_MATRIX_MAX_ROW;
    memset(m, 0, sizeof *m);
    m->rows = rows;
    m->first = (uint64_t *)calloc((size_t)rows + 1, sizeof(uint64_t));
    m->vector = (uint32_t *)malloc((size_t)rows * sizeof(uint32_t));
    if (m->first) {
        for (uint32_t row = 0; row < rows; row++)
            m->first[row + 1] = m->first[row] + draw_length(&random, max);
        m->nonzeros = m->first[rows];
        m->column = (uint32_t *)malloc((size_t)m->nonzeros * sizeof(uint32_t));
        m->value = (uint32_t *)malloc((size_t)m->nonzeros * sizeof(uint32_t));
    }
    if (!m->first || !m->vector || !m->column || !m->value) {
        app_matrix_free(m);
        return false;
    }
    for (uint32_t row = 0; row < rows; row++) {
        m->vector[row] = (uint32_t)app_random_next(&random);
        fill_row(m, row, &random);
    }
    return true;
}

void app_matrix_free(app_matrix *m)
{
    free(m->first);
    free(m->column);
    free(m->value);
    free(m->vector);
    memset(m, 0, sizeof *m);
}
