/* Generator of genomes and reads. A genome is made of stretches: unique ones, copies of the members of a few families
 * with changed bases (transposons), and tandem repeats of a short unit (microsatellites). The first two make many
 * k-mers occur some hundred times, the last make a few occur thousands of times. */
#include "papers/apps/data/reads.h"

#include <stdlib.h>
#include <string.h>

#define FAMILIES 16u
#define FAMILY_BASES 512u /* of the longest family */

typedef struct genome_maker {
    app_random random;
    uint8_t family[FAMILIES][FAMILY_BASES]; /* the originals of copies */
    uint32_t length[FAMILIES];              /* bases of a family */
} genome_maker;

static void make_families(genome_maker *maker)
{
    for (uint32_t f = 0; f < FAMILIES; f++) {
        maker->length[f] = 64 + app_random_below(&maker->random, FAMILY_BASES - 64);
        for (uint32_t i = 0; i < FAMILY_BASES; i++)
            maker->family[f][i] = (uint8_t)app_random_below(&maker->random, 4);
    }
}

/* Replaces the base by a random one, in one of `one_in` cases. */
static uint8_t mutate(genome_maker *maker, uint8_t base, uint32_t one_in)
{
    return app_random_below(&maker->random, one_in) ? base : (uint8_t)app_random_below(&maker->random, 4);
}

/* Writes one stretch of at most `space` bases; returns its length. */
static uint32_t write_stretch(genome_maker *maker, uint8_t *to, uint32_t space)
{
    app_random *random = &maker->random;
    uint32_t what = app_random_below(random, 16), length, i;
    if (what < 7) { /* a copy; the first families have most copies */
        uint32_t f = app_random_below(random, 1 + app_random_below(random, FAMILIES));
        length = maker->length[f] < space ? maker->length[f] : space;
        for (i = 0; i < length; i++)
            to[i] = mutate(maker, maker->family[f][i], 16);
    } else if (what < 8) { /* a tandem repeat */
        uint32_t unit = 1 + app_random_below(random, 3);
        length = 24 + app_random_below(random, 104);
        length = length < space ? length : space;
        for (i = 0; i < length; i++)
            to[i] = i < unit ? (uint8_t)app_random_below(random, 4) : mutate(maker, to[i - unit], 64);
    } else {
        length = 64 + app_random_below(random, 448);
        length = length < space ? length : space;
        for (i = 0; i < length; i++)
            to[i] = (uint8_t)app_random_below(random, 4);
    }
    return length;
}

/* The number of the k-mer at place p, from that of the one before it. */
static uint32_t kmer_after(uint32_t kmer, const app_reads *r, uint32_t p)
{
    return (kmer << 2 | r->genome[p + APP_KMER - 1]) % APP_KMERS;
}

/* Sets kmer_first: by k-mer, the number of places of all k-mers before it. */
static void count_places(app_reads *r)
{
    uint32_t places = r->bases - APP_READ_BASES + 1, kmer = app_kmer_at(r->genome) >> 2;
    for (uint32_t p = 0; p < places; p++)
        r->kmer_first[(kmer = kmer_after(kmer, r, p)) + 1]++;
    for (uint32_t k = 0; k < APP_KMERS; k++)
        r->kmer_first[k + 1] += r->kmer_first[k];
}

bool app_reads_index(app_reads *r)
{
    uint32_t places = r->bases - APP_READ_BASES + 1, kmer = app_kmer_at(r->genome) >> 2;
    r->place = (uint32_t *)malloc((size_t)r->bases * sizeof(uint32_t));
    if (!r->place) {
        app_reads_free(r);
        return false;
    }
    /* kmer_first[k] runs to the end of its range, where the next range begins: then all move by one. */
    for (uint32_t p = 0; p < places; p++)
        r->place[r->kmer_first[kmer = kmer_after(kmer, r, p)]++] = p;
    memmove(r->kmer_first + 1, r->kmer_first, (size_t)APP_KMERS * sizeof *r->kmer_first);
    r->kmer_first[0] = 0;
    return true;
}

static void make_reads(app_reads *r, genome_maker *maker)
{
    for (uint32_t i = 0; i < r->reads; i++) {
        uint32_t from = app_random_below(&maker->random, r->bases - APP_READ_BASES + 1);
        for (uint32_t k = 0; k < APP_READ_BASES; k++)
            r->read[(size_t)i * APP_READ_BASES + k] = mutate(maker, r->genome[from + k], 48);
    }
}

bool app_reads_make(app_reads *r, uint32_t bases, uint32_t reads, uint64_t seed)
{
    genome_maker *maker = (genome_maker *)malloc(sizeof *maker);
    memset(r, 0, sizeof *r);
    r->bases = bases;
    r->reads = reads;
    r->genome = (uint8_t *)calloc(bases, 1);
    r->read = (uint8_t *)malloc((size_t)(reads ? reads : 1) * APP_READ_BASES);
    r->kmer_first = (uint32_t *)calloc((size_t)APP_KMERS + 1, sizeof(uint32_t));
    bool made = maker && r->genome && r->read && r->kmer_first;
    if (made) {
        maker->random = app_random_of(seed, 5);
        make_families(maker);
        for (uint32_t written = 0; written < bases;)
            written += write_stretch(maker, r->genome + written, bases - written);
        count_places(r);
        make_reads(r, maker);
    } else {
        app_reads_free(r);
    }
    free(maker);
    return made;
}

void app_reads_free(app_reads *r)
{
    free(r->genome);
    free(r->read);
    free(r->kmer_first);
    free(r->place);
    memset(r, 0, sizeof *r);
}
