/* Writers: a run as a table, a file for other programs, or a picture. */
#ifndef GRIDCAST_REPORT_H
#define GRIDCAST_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gridcast/api.h"
#include "gridcast/error.h"
#include "gridcast/occupancy.h"
#include "gridcast/run.h"

GCAST_BEGIN_DECLS

struct gcast_explanation;

/* id, file name ending, text. The longest matching ending wins. */
#define GCAST_FORMAT_TABLE(X)                                                                                          \
    X(TABLE, ".txt", "table for people")                                                                               \
    X(CSV, ".csv", "one line per operation or block")                                                                  \
    X(JSON, ".json", "gridcast.run/1")                                                                                 \
    X(SVG, ".svg", "timeline")                                                                                         \
    X(PNG, ".png", "timeline")                                                                                         \
    X(PDF, ".pdf", "timeline")                                                                                         \
    X(HTML, ".html", "interactive timeline in one page")                                                               \
    X(TRACE, ".trace.json", "Chrome trace, opens in Perfetto")

typedef enum {
#define GCAST_X(id, ending, text) GCAST_FORMAT_##id,
    GCAST_FORMAT_TABLE(GCAST_X)
#undef GCAST_X
        GCAST_FORMATS
} gcast_format;
/* By the ending of a file for a run: CSV, JSON and traces with .gz behind it are to be gzipped. */
GCAST_API bool gcast_format_from_file(const char *name, gcast_format *f, bool *gzip);
/* Can this build write it (PNG and PDF need cairo)? */
GCAST_API bool gcast_format_available(gcast_format f);

/* Where bytes go. Return false on failure. */
typedef bool (*gcast_write_fn)(void *data, const char *bytes, size_t size);

#define GCAST_MIN_WIDTH 300
#define GCAST_MAX_WIDTH 16000

/* A job in the row of its task, in pictures of a run whose workload has no such task: the operations of a witness run
 * once. */
typedef struct gcast_report_job {
    const char *task;    /* its name */
    int row;             /* jobs of one number share a row */
    uint32_t job;        /* of the task, from 0 */
    int stream;          /* index in the workload's streams, for its colour */
    int64_t release_ns;  /* when it was released */
    int64_t deadline_ns; /* when it has to end */
    int64_t end_ns;      /* of its last operation; -1: not all of them ran */
} gcast_report_job;

/* A part of the time from a release to an end, in a row of pictures and a list below them. */
typedef struct gcast_report_wait {
    int64_t from_ns, to_ns;
    bool runs;           /* the operation ran; else it waited */
    const char *op;      /* the operation */
    const char *rule;    /* "X1" */
    const char *reason;  /* the rule in words */
    const char *holders; /* what it waited for; "": nothing of the run */
} gcast_report_wait;

#define GCAST_PAGE_BLOCKS 2000000 /* of a run in one page, one by one; above it the page has means */

typedef struct gcast_report_options {
    size_t size;            /* of the struct, as the caller was compiled */
    bool blocks;            /* CSV and JSON: with the blocks */
    int first_sm, last_sm;  /* pictures and traces; last -1: all */
    int64_t from_ns, to_ns; /* to -1: the end, or with tasks the horizon */
    int max_rows;           /* SM rows before neighbours share one; 0: 24 */
    int width;              /* of a picture in pixels (a PNG has twice as many); 0: 1000 */
    bool fold;      /* pictures of more than 16 SMs: draw SMs with equal contents, and rows past max_rows, as one */
    bool color;     /* table: ANSI colours */
    bool no_blocks; /* pictures and traces: operations only */
    bool gzip;      /* CSV, JSON and traces: gzipped */
    bool (*progress)(void *data, double fraction); /* may be NULL; false stops */
    void *progress_data;
    const gcast_report_job *jobs; /* pictures: in addition to those of the workload's tasks; NULL: none */
    size_t job_count;
    const gcast_report_wait *waits; /* pictures: in order of time; NULL: none */
    size_t wait_count;
    const char *waits_label; /* of their row: whose they are */
    const char *waits_title; /* of their list: what came of them */
    /* Pages: why an operation ended when it did; gcast_run_explain, or NULL: as far as its own times tell. */
    gcast_status (*explain)(const gcast_run *run, size_t run_op, struct gcast_explanation **out, gcast_error *err);
    /* Pages of runs whose blocks are not recorded: gives each block of the run to `take`, as each_block of
     * gcast_simulate_options does when the run is simulated again. NULL: such pages are without blocks. */
    gcast_status (*each_block)(void *data, bool (*take)(void *taker, const gcast_started_block *blocks, size_t count),
                               void *taker, gcast_error *err);
    void *each_block_data;
} gcast_report_options;

static inline gcast_report_options gcast_report_options_default(void)
{
    gcast_report_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.last_sm = -1;
    options.to_ns = -1;
    options.fold = true;
    return options;
}

GCAST_API gcast_status gcast_run_report(const gcast_run *run, gcast_format format, const gcast_report_options *options,
                                        gcast_write_fn write, void *data, gcast_error *err);

/* About how many bytes that would write, for CSV, JSON and traces: exactly where blocks are few, else from a part of
 * them. 0 for all other formats, whose size is bounded, however many blocks there are. */
GCAST_API gcast_status gcast_run_report_size(const gcast_run *run, gcast_format format,
                                             const gcast_report_options *options, uint64_t *bytes, gcast_error *err);

/* The queues at some times, as the examples of the rules show them: what is in the streams' queues, in those of the
 * execution engine and the copy engines, on copy engines and on SMs, after what happens at that time. Formats: TABLE,
 * SVG, PNG, PDF. All blocks must be recorded; not of workloads whose kernels launch kernels. */
GCAST_API gcast_status gcast_run_report_queues(const gcast_run *run, const int64_t *times_ns, size_t count,
                                               gcast_format format, bool color, gcast_write_fn write, void *data,
                                               gcast_error *err);

/* Two runs of one workload in one picture, the first above the second, from their
 * earliest starts on and to the same scale, or in one page. Formats: SVG, PNG, PDF,
 * HTML. The options' times are not used. */
GCAST_API gcast_status gcast_run_report_pair(const gcast_run *above, const gcast_run *below, gcast_format format,
                                             const gcast_report_options *options, gcast_write_fn write, void *data,
                                             gcast_error *err);

GCAST_END_DECLS

#endif
