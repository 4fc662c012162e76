#include "report/gzip.h"

#define GZIP_WINDOW (15 + 16) /* the largest window, and the header of a gzip file */
#define MEMORY_LEVEL 8        /* zlib's default */

bool gzip_open(gzip *g, gcast_write_fn write, void *data)
{
    g->z = (z_stream){0};
    g->write = write;
    g->data = data;
    g->failed = false;
    g->open =
        deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
    return g->open;
}

/* Compresses the input and writes what comes out. */
static bool deflate_all(gzip *g, int flush)
{
    int result = Z_OK;
    do {
        g->z.next_out = g->out;
        g->z.avail_out = sizeof g->out;
        result = deflate(&g->z, flush);
        size_t size = sizeof g->out - g->z.avail_out;
        g->failed = g->failed || result == Z_STREAM_ERROR || (size && !g->write(g->data, (const char *)g->out, size));
    } while (!g->failed && g->z.avail_out == 0);
    return !g->failed;
}

bool gzip_write(void *data, const char *bytes, size_t size)
{
    gzip *g = data;
    while (size && !g->failed) {
        uInt n = size > 1 << 30 ? 1 << 30 : (uInt)size;
        g->z.next_in = (Bytef *)bytes;
        g->z.avail_in = n;
        deflate_all(g, Z_NO_FLUSH);
        bytes += n;
        size -= n;
    }
    return !g->failed;
}

bool gzip_close(gzip *g, bool finish)
{
    if (!g->open)
        return false;
    if (finish && !g->failed)
        deflate_all(g, Z_FINISH);
    deflateEnd(&g->z);
    g->open = false;
    return !g->failed;
}
