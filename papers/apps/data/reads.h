/* A genome with repeats, short reads of it, and the index of its k-mers: where each sequence of APP_KMER bases is. A
 * base is a byte, 0..3. */
#ifndef PAPERS_APPS_DATA_READS_H
#define PAPERS_APPS_DATA_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "papers/apps/data/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

#define APP_READ_BASES 64u                      /* of a read */
#define APP_KMER 12u                            /* bases of a k-mer */
#define APP_KMERS (UINT32_C(1) << 2 * APP_KMER) /* different k-mers */
#define APP_MAX_PLACES 4096u                    /* with which a read is compared */
#define APP_NO_PLACE UINT32_MAX                 /* of a read whose first k-mer is nowhere in the genome */

typedef struct app_reads {
    uint32_t bases;       /* of the genome */
    uint8_t *genome;      /* by place */
    uint32_t reads;       /* number of reads */
    uint8_t *read;        /* APP_READ_BASES each */
    uint32_t *kmer_first; /* by k-mer, and one more: where its places begin in place */
    uint32_t *place;      /* ascending for a k-mer; a read fits into the genome from each of them; NULL: no index */
} app_reads;

/* Makes genome and reads, without the index. bases >= 1024. False: no memory, and *r is empty. */
bool app_reads_make(app_reads *r, uint32_t bases, uint32_t reads, uint64_t seed);
/* Makes the index, which takes longer than the rest. False: no memory, and *r is empty. */
bool app_reads_index(app_reads *r);
void app_reads_free(app_reads *r);

#ifdef __cplusplus
}
#endif

/* The number of the k-mer that begins here. */
APP_BOTH static inline uint32_t app_kmer_at(const uint8_t *bases)
{
    uint32_t kmer = 0;
    for (uint32_t i = 0; i < APP_KMER; i++)
        kmer = kmer << 2 | bases[i];
    return kmer;
}

/* The number of places with which a read is compared that begins with this k-mer: the first places of the k-mer. */
APP_BOTH static inline uint32_t app_kmer_places(const uint32_t *kmer_first, uint32_t kmer)
{
    uint32_t places = kmer_first[kmer + 1] - kmer_first[kmer];
    return places < APP_MAX_PLACES ? places : APP_MAX_PLACES;
}

/* Mismatches of a read and the genome from a place on. */
APP_BOTH static inline uint32_t app_mismatches(const uint8_t *read, const uint8_t *genome_there)
{
    uint32_t mismatches = 0;
    for (uint32_t i = 0; i < APP_READ_BASES; i++)
        mismatches += read[i] != genome_there[i];
    return mismatches;
}

/* A place and its mismatches as one number: the smaller one is the better place. */
APP_BOTH static inline uint64_t app_alignment(uint32_t mismatches, uint32_t place)
{
    return (uint64_t)mismatches << 32 | place;
}

#endif
