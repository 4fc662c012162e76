/* Applications of one round whose threads each go through a range: the matches of a tuple, the nonzeros of a row, the
 * places of a read. */
#include "apps/data/reference.h"

bool app_join_run(const app_join *j, uint32_t *matches, uint32_t *sum, app_rounds *rounds)
{
    app_round *round = rounds ? app_rounds_add(rounds, j->r_count) : NULL;
    if (rounds && !round)
        return false;
    for (uint32_t i = 0; i < j->r_count; i++) {
        uint32_t begin = j->s_first[j->r_key[i]], end = j->s_first[j->r_key[i] + 1];
        sum[i] = 0;
        for (uint32_t k = begin; k < end; k++)
            sum[i] += app_match_hash(j->r_value[i], j->s_value[k]);
        matches[i] = end - begin;
        if (round)
            round->items[i] = end - begin;
    }
    return true;
}

bool app_mm(const app_matrix *m, uint32_t *product, app_rounds *rounds)
{
    app_round *round = rounds ? app_rounds_add(rounds, m->rows) : NULL;
    if (rounds && !round)
        return false;
    for (uint32_t row = 0; row < m->rows; row++) {
        product[row] = 0;
        for (uint64_t k = m->first[row]; k < m->first[row + 1]; k++)
            product[row] += m->value[k] * m->vector[m->column[k]];
        if (round)
            round->items[row] = (uint32_t)(m->first[row + 1] - m->first[row]);
    }
    return true;
}

static uint64_t best_place(const app_reads *r, const uint8_t *read, const uint32_t *place, uint32_t places)
{
    uint64_t best = app_alignment(APP_READ_BASES + 1, APP_NO_PLACE);
    for (uint32_t k = 0; k < places; k++) {
        uint64_t alignment = app_alignment(app_mismatches(read, r->genome + place[k]), place[k]);
        if (alignment < best)
            best = alignment;
    }
    return best;
}

bool app_sa(const app_reads *r, uint64_t *best, app_rounds *rounds)
{
    app_round *round = rounds ? app_rounds_add(rounds, r->reads) : NULL;
    if (rounds && !round)
        return false;
    for (uint32_t i = 0; i < r->reads; i++) {
        const uint8_t *read = r->read + (uint64_t)i * APP_READ_BASES;
        uint32_t kmer = app_kmer_at(read), places = app_kmer_places(r->kmer_first, kmer);
        if (best)
            best[i] = best_place(r, read, r->place + r->kmer_first[kmer], places);
        if (round)
            round->items[i] = places;
    }
    return true;
}
