/* Recorded scenarios: gridcast.corpus/1, JSON lines, one scenario per line. */
#ifndef MODEL_SCENARIO_H
#define MODEL_SCENARIO_H

#include "gridcast/error.h"
#include "gridcast/run.h"
#include "gridcast/workload.h"

/* A workload and what a GPU did with it, once or several times. */
typedef struct gcast_scenario {
    const char *family;
    gcast_workload *workload;
    gcast_run **runs; /* measured or recorded, operation by operation as in the workload */
    size_t run_count;
    void *memory;
} gcast_scenario;

typedef struct gcast_corpus gcast_corpus;

gcast_status gcast_corpus_open(const char *path, gcast_corpus **corpus, gcast_error *err);
/* Reads a corpus from text, which is copied. */
gcast_status gcast_corpus_read(const char *text, size_t size, const char *file, gcast_corpus **corpus,
                               gcast_error *err);
void gcast_corpus_close(gcast_corpus *corpus);
/* The next scenario, for the caller to free; NULL after the last. */
gcast_status gcast_corpus_next(gcast_corpus *corpus, gcast_scenario **scenario, gcast_error *err);
void gcast_scenario_free(gcast_scenario *scenario);
/* A scenario as a line of a corpus, with its end, for the caller to free. The workload has a GPU, and its connections
 * are set. Runs have blocks, but for those that a profiler recorded. */
gcast_status gcast_scenario_write(const gcast_scenario *scenario, char **text, size_t *size, gcast_error *err);
/* How much of the file has been read, from 0 to 1. */
double gcast_corpus_done(const gcast_corpus *corpus);

#endif
