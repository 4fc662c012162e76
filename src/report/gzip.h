/* A sink that gzips what is written to it and hands it on. */
#ifndef REPORT_GZIP_H
#define REPORT_GZIP_H

#include <zlib.h>

#include "gridcast/report.h"

typedef struct gzip {
    z_stream z;                 /* the state of zlib */
    gcast_write_fn write;       /* where compressed bytes go */
    void *data;                 /* for write */
    bool open;                  /* z is to be ended */
    bool failed;                /* zlib or write failed */
    unsigned char out[1 << 16]; /* compressed bytes */
} gzip;

/* False without memory. The output depends on the input only: it has no time and no file name. */
bool gzip_open(gzip *g, gcast_write_fn write, void *data);
/* A gcast_write_fn whose data is a gzip. */
bool gzip_write(void *g, const char *bytes, size_t size);
/* Writes what is left, if `finish`, and frees all. False where something could not be written. */
bool gzip_close(gzip *g, bool finish);

#endif
