/* JOIN, MM and SA against obvious slow versions, and what their generators promise. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "papers/apps/data/reference.h"

/* A hash that goes on with these words. */
static uint64_t hash_words(uint64_t hash, const uint32_t *word, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        hash = app_mix(hash ^ word[i]);
    return hash;
}

static uint64_t hash_join(app_key_distribution distribution, uint64_t seed)
{
    app_join j;
    assert_true(app_join_make(&j, distribution, 500, 2000, 64, seed));
    uint64_t hash = hash_words(hash_words(1, j.r_key, 500), j.r_value, 500);
    hash = hash_words(hash_words(hash, j.s_first, 65), j.s_value, 2000);
    app_join_free(&j);
    return hash;
}

static void join(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        app_join j;
        uint32_t matches[300], sum[300];
        app_rounds rounds = {0};
        assert_true(app_join_make(&j, seed % 2 ? APP_KEYS_GAUSSIAN : APP_KEYS_UNIFORM, 300, 1000,
                                  1 + (uint32_t)seed * 7, seed));
        assert_true(app_join_run(&j, matches, sum, &rounds));
        assert_int_equal(rounds.count, 1);
        assert_int_equal(rounds.round[0].threads, 300);
        assert_int_equal(j.s_first[0], 0);
        assert_int_equal(j.s_first[j.keys], 1000);
        for (uint32_t r = 0; r < 300; r++) {
            uint32_t count = 0, total = 0;
            for (uint32_t key = 0; key < j.keys; key++) /* all tuples of S, with their keys */
                for (uint32_t s = j.s_first[key]; s < j.s_first[key + 1]; s++)
                    if (key == j.r_key[r]) {
                        count++;
                        total += app_hash(j.r_value[r], j.s_value[s]);
                    }
            assert_int_equal(matches[r], count);
            assert_int_equal(sum[r], total);
            assert_int_equal(rounds.round[0].items[r], count);
        }
        app_rounds_free(&rounds);
        app_join_free(&j);
    }
}

static app_totals join_totals(app_key_distribution distribution)
{
    app_join j;
    app_rounds rounds = {0};
    assert_true(app_join_make(&j, distribution, 4096, 65536, 1024, 1));
    uint32_t *result = malloc(2 * 4096 * sizeof *result);
    assert_true(app_join_run(&j, result, result + 4096, &rounds));
    app_totals totals = app_rounds_total(&rounds, 8);
    app_rounds_free(&rounds);
    app_join_free(&j);
    free(result);
    return totals;
}

static void gaussian_keys_have_peaks(void **state)
{
    (void)state;
    app_totals uniform = join_totals(APP_KEYS_UNIFORM), gaussian = join_totals(APP_KEYS_GAUSSIAN);
    assert_true(uniform.items > 60 * 4096 && uniform.items < 68 * 4096);
    assert_true(gaussian.largest > 5 * uniform.largest);
    assert_true(gaussian.items > 5 * uniform.items);
}

/* Mean and variance of the keys are those of the header: keys / 2 and (keys / 32)^2. */
static void gaussian_keys_are_normal(void **state)
{
    (void)state;
    app_join j;
    assert_true(app_join_make(&j, APP_KEYS_GAUSSIAN, 20000, 1, 4096, 9));
    double sum = 0, squares = 0;
    uint32_t within = 0;
    for (uint32_t i = 0; i < j.r_count; i++) {
        double deviation = (j.r_key[i] + 0.5 - 2048) / 128;
        sum += deviation;
        squares += deviation * deviation;
        within += deviation > -1 && deviation < 1;
        assert_in_range(j.r_key[i], 0, 4095);
    }
    assert_true(sum / 20000 > -0.03 && sum / 20000 < 0.03);
    assert_true(squares / 20000 > 0.96 && squares / 20000 < 1.04);
    assert_in_range(within, 0.66 * 20000, 0.71 * 20000);
    app_join_free(&j);
}

static uint64_t hash_matrix(uint64_t seed)
{
    app_matrix m;
    assert_true(app_matrix_make(&m, 300, seed));
    uint64_t hash = hash_words(m.nonzeros, m.column, m.nonzeros);
    hash = hash_words(hash_words(hash, m.value, m.nonzeros), m.vector, 300);
    app_matrix_free(&m);
    return hash;
}

static void mm(void **state)
{
    (void)state;
    for (uint32_t rows = 1; rows <= 200; rows += 33) {
        app_matrix m;
        app_rounds rounds = {0};
        uint32_t product[200];
        assert_true(app_matrix_make(&m, rows, rows));
        assert_true(app_mm(&m, product, &rounds));
        uint32_t *dense = calloc((size_t)rows * rows, sizeof *dense);
        for (uint32_t row = 0; row < rows; row++) {
            assert_true(m.first[row + 1] > m.first[row]);
            assert_int_equal(rounds.round[0].items[row], m.first[row + 1] - m.first[row]);
            for (uint64_t k = m.first[row]; k < m.first[row + 1]; k++) {
                assert_in_range(m.column[k], 0, rows - 1);
                assert_true(k == m.first[row] || m.column[k] > m.column[k - 1]);
                dense[(size_t)row * rows + m.column[k]] = m.value[k];
            }
        }
        for (uint32_t row = 0; row < rows; row++) {
            uint32_t expected = 0;
            for (uint32_t column = 0; column < rows; column++)
                expected += dense[(size_t)row * rows + column] * m.vector[column];
            assert_int_equal(product[row], expected);
        }
        assert_int_equal(app_rounds_total(&rounds, 0).items, m.nonzeros);
        free(dense);
        app_rounds_free(&rounds);
        app_matrix_free(&m);
    }
}

/* One row in sqrt(n) has at least n nonzeros; the shares are of those that may have up to 2,048. */
static void rows_follow_a_power_law(void **state)
{
    (void)state;
    app_matrix m;
    uint32_t at_least_16 = 0, at_least_256 = 0;
    assert_true(app_matrix_make(&m, 16384, 1));
    for (uint32_t row = 0; row < m.rows; row++) {
        uint64_t length = m.first[row + 1] - m.first[row];
        assert_in_range(length, 1, APP_MATRIX_MAX_ROW);
        at_least_16 += length >= 16;
        at_least_256 += length >= 256;
    }
    assert_in_range(at_least_16, 16384 * 0.21, 16384 * 0.25);    /* (1/4 - 1/45) / (1 - 1/45) = 0.233 */
    assert_in_range(at_least_256, 16384 * 0.035, 16384 * 0.048); /* (1/16 - 1/45) / (1 - 1/45) = 0.041 */
    app_matrix_free(&m);
}

static uint64_t hash_reads(uint64_t seed)
{
    app_reads r;
    uint64_t hash = seed != 0;
    assert_true(app_reads_make(&r, 2048, 16, seed) && app_reads_index(&r));
    for (uint32_t i = 0; i < 2048; i++)
        hash = app_mix(hash ^ r.genome[i]);
    for (uint32_t i = 0; i < 16 * APP_READ_BASES; i++)
        hash = app_mix(hash ^ r.read[i]);
    app_reads_free(&r);
    return hash;
}

/* Looks at every place of the genome. */
static uint64_t align(const app_reads *r, const uint8_t *read, uint32_t *places)
{
    uint64_t best = (uint64_t)(APP_READ_BASES + 1) << 32 | UINT32_MAX;
    *places = 0;
    for (uint32_t place = 0; place + APP_READ_BASES <= r->bases && *places < APP_MAX_PLACES; place++) {
        uint32_t mismatches = 0;
        if (memcmp(read, r->genome + place, APP_KMER) != 0)
            continue;
        ++*places;
        for (uint32_t i = 0; i < APP_READ_BASES; i++)
            mismatches += read[i] != r->genome[place + i];
        if (mismatches < best >> 32)
            best = (uint64_t)mismatches << 32 | place;
    }
    return best;
}

static void sa(void **state)
{
    (void)state;
    app_reads r;
    app_rounds rounds = {0}, rounds_alone = {0};
    uint64_t best[200];
    uint32_t without = 0, perfect = 0;
    assert_true(app_reads_make(&r, 100000, 200, 5));
    assert_true(app_sa(&r, NULL, &rounds_alone));
    assert_true(app_reads_index(&r));
    assert_true(app_sa(&r, best, &rounds));
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t places;
        assert_int_equal(best[i], align(&r, r.read + i * APP_READ_BASES, &places));
        assert_int_equal(rounds.round[0].items[i], places);
        assert_int_equal(rounds_alone.round[0].items[i], places);
        without += places == 0;
        perfect += best[i] >> 32 == 0;
    }
    /* Some reads have a wrong base in the first k-mer, and some none at all. */
    assert_in_range(without, 1, 100);
    assert_in_range(perfect, 1, 199);
    assert_true(app_rounds_total(&rounds, 8).largest > 40);
    app_rounds_free(&rounds);
    app_rounds_free(&rounds_alone);
    app_reads_free(&r);
}

/* Every place from which a read fits is in the index once, at its k-mer. */
static void places_are_indexed(void **state)
{
    (void)state;
    app_reads r;
    uint32_t places = 0;
    uint8_t seen[3000] = {0};
    assert_true(app_reads_make(&r, 3000, 1, 4) && app_reads_index(&r));
    for (uint32_t kmer = 0; kmer < APP_KMERS; kmer++)
        for (uint32_t i = r.kmer_first[kmer]; i < r.kmer_first[kmer + 1]; i++) {
            assert_true(r.place[i] + APP_READ_BASES <= r.bases);
            assert_int_equal(app_kmer_at(r.genome + r.place[i]), kmer);
            assert_true(i == r.kmer_first[kmer] || r.place[i - 1] < r.place[i]);
            assert_int_equal(seen[r.place[i]]++, 0);
            places++;
        }
    assert_int_equal(places, 3000 - APP_READ_BASES + 1);
    app_reads_free(&r);
}

/* No more than APP_MAX_PLACES places, the first ones: later ones are not looked at, even if they are better. */
static void places_are_limited(void **state)
{
    (void)state;
    app_reads r;
    uint64_t best;
    app_rounds rounds = {0};
    assert_true(app_reads_make(&r, 8192, 1, 1) && app_reads_index(&r));
    memset(r.kmer_first, 0, ((size_t)APP_KMERS + 1) * sizeof *r.kmer_first);
    memset(r.read, 0, APP_READ_BASES);
    memset(r.genome, 0, r.bases);
    r.genome[APP_READ_BASES - 1] = 1; /* places before it have one mismatch */
    for (uint32_t p = 0; p < 5000; p++)
        r.place[p] = p < APP_MAX_PLACES ? 0 : 1000;
    for (uint32_t k = 1; k <= APP_KMERS; k++)
        r.kmer_first[k] = 5000;
    assert_true(app_sa(&r, &best, &rounds));
    assert_int_equal(rounds.round[0].items[0], APP_MAX_PLACES);
    assert_int_equal(best, app_alignment(1, 0));
    app_rounds_free(&rounds);
    app_reads_free(&r);
}

static void same_seed_same_bytes(void **state)
{
    (void)state;
    assert_int_equal(hash_join(APP_KEYS_UNIFORM, 1), UINT64_C(0x4638fd0a37e4e3b1));
    assert_int_equal(hash_join(APP_KEYS_GAUSSIAN, 1), UINT64_C(0x99a361430eda500f));
    assert_int_not_equal(hash_join(APP_KEYS_GAUSSIAN, 1), hash_join(APP_KEYS_GAUSSIAN, 2));
    assert_int_equal(hash_matrix(1), UINT64_C(0x28ab666da36dd054));
    assert_int_not_equal(hash_matrix(1), hash_matrix(2));
    assert_int_equal(hash_reads(1), UINT64_C(0x88915d18053c6e57));
    assert_int_not_equal(hash_reads(1), hash_reads(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(join),
        cmocka_unit_test(gaussian_keys_have_peaks),
        cmocka_unit_test(gaussian_keys_are_normal),
        cmocka_unit_test(mm),
        cmocka_unit_test(rows_follow_a_power_law),
        cmocka_unit_test(sa),
        cmocka_unit_test(places_are_indexed),
        cmocka_unit_test(places_are_limited),
        cmocka_unit_test(same_seed_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
