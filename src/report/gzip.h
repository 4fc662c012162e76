/* Bytes on their way out, gzipped. */
#ifndef REPORT_GZIP_H
#define REPORT_GZIP_H

#include <zlib.h>

#include "gridcast/report.h"

typedef struct gzip {
    z_stream z;
    gcast_write_fn write;
    void *data;
    bool open, failed;
    unsigned char out[1 << 16];
} gzip;

/* False without memory. The same bytes go in, the same come out: no time and no name are in them. */
bool gzip_open(gzip *g, gcast_write_fn write, void *data);
/* A gcast_write_fn whose data is a gzip. */
bool gzip_write(void *g, const char *bytes, size_t size);
/* What is left, unless `finish` is false; false where anything could not be written. */
bool gzip_close(gzip *g, bool finish);

#endif
