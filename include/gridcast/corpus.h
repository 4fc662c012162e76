/* Recorded scenarios: gridcast.corpus/1, JSON lines, one scenario per line. */
#ifndef GRIDCAST_CORPUS_H
#define GRIDCAST_CORPUS_H

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/run.h"
#include "gridcast/workload.h"

GCAST_BEGIN_DECLS

/* A workload and what a GPU did with it, once or several times. */
typedef struct gcast_scenario {
    const char *family;
    gcast_workload *workload;
    gcast_run **runs; /* measured or recorded, operation by operation as in the workload */
    size_t run_count;
    void *memory;
} gcast_scenario;

typedef struct gcast_corpus gcast_corpus;

GCAST_API gcast_status gcast_corpus_open(const char *path, gcast_corpus **corpus, gcast_error *err);
/* Reads a corpus from text, which is copied. */
GCAST_API gcast_status gcast_corpus_read(const char *text, size_t size, const char *file, gcast_corpus **corpus,
                                         gcast_error *err);
GCAST_API void gcast_corpus_close(gcast_corpus *corpus);
/* The next scenario, for the caller to free; NULL after the last. */
GCAST_API gcast_status gcast_corpus_next(gcast_corpus *corpus, gcast_scenario **scenario, gcast_error *err);
GCAST_API void gcast_scenario_free(gcast_scenario *scenario);
/* A scenario as a line of a corpus, with its end, for the caller to free. The workload has a GPU, and its connections
 * are set. Runs have blocks, but for those that a profiler recorded. */
GCAST_API gcast_status gcast_scenario_write(const gcast_scenario *scenario, char **text, size_t *size,
                                            gcast_error *err);
/* How much of the file has been read, from 0 to 1. */
GCAST_API double gcast_corpus_done(const gcast_corpus *corpus);

GCAST_END_DECLS

#endif
