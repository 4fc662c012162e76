/* A part file keeps results next to the output: one line per item, written as soon as the item is done, so that work
 * that was killed can continue. */
#ifndef CREW_PART_FILE_H
#define CREW_PART_FILE_H

#include "base/vec.h"
#include "gridcast/error.h"

/* The work that a file belongs to. */
typedef struct part_kind {
    const char *what; /* such as "mapping": the file begins with gridcast.mapping.part/1 */
    uint64_t hash;    /* identifies the work */
    uint64_t items;
    size_t words; /* words of a result */
    int digits;   /* hexadecimal digits of a word; every word must fit */
} part_kind;

typedef struct part_file {
    int fd;          /* -1: there is no file */
    char path[4096]; /* its name */
    part_kind kind;
    VEC(char) lines;   /* lines that are not written yet */
    int64_t synced_ns; /* time of the last fsync */
} part_file;

/* Takes a result of the file; false: it is not valid, or known already. */
typedef bool part_take(void *data, uint64_t item, const uint64_t *words);

/* Opens or creates OUTPUT.part, and gives all results in it to `take`. *found is the number that it took. */
gcast_status part_open(part_file *p, const char *output, const part_kind *kind, part_take *take, void *data,
                       uint64_t *found, gcast_error *err);
/* Adds a line. False without memory. */
bool part_add(part_file *p, uint64_t item, const uint64_t *words);
/* Writes the lines that were added; now and then with fsync. */
gcast_status part_flush(part_file *p, gcast_error *err);
void part_close(part_file *p, bool remove);

#endif
