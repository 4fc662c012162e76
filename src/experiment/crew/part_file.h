/* Results that are already known, in a file next to the output: one line per item, written as soon as the item is done,
 * so that work that was killed goes on where it was. */
#ifndef EXPERIMENT_CREW_PART_FILE_H
#define EXPERIMENT_CREW_PART_FILE_H

#include "base/vec.h"
#include "gridcast/error.h"

/* What a file is of. */
typedef struct part_kind {
    const char *what; /* such as "experiment": the file begins with gridcast.experiment.part/1 */
    uint64_t hash;    /* of the work */
    uint64_t items;
    size_t words; /* of a result */
    int digits;   /* of a word, hexadecimal: it fits */
} part_kind;

typedef struct part_file {
    int fd;            /* -1: there is no file */
    char path[4096];   /* its name */
    part_kind kind;    /* of work */
    VEC(char) lines;   /* that are not yet written */
    int64_t synced_ns; /* when it was written to the disk last */
} part_file;

/* Takes a result of the file; false: it is not one, or is known. */
typedef bool part_take(void *data, uint64_t item, const uint64_t *words);

/* Opens OUTPUT.part, or creates it. Gives all results in it to `take`; *found: how many it took. */
gcast_status part_open(part_file *p, const char *output, const part_kind *kind, part_take *take, void *data,
                       uint64_t *found, gcast_error *err);
/* Adds a line. False without memory. */
bool part_add(part_file *p, uint64_t item, const uint64_t *words);
/* Writes the lines that were added; now and then, down to the disk. */
gcast_status part_flush(part_file *p, gcast_error *err);
void part_close(part_file *p, bool remove);

#endif
