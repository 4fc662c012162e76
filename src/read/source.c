/* The text of a file: path or standard input, plain or gzip. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/vec.h"
#include "gridcast/read.h"

#define MAX_FILE ((size_t)1 << 30)

static gcast_status file_error(gcast_error *err, const char *path, const char *what)
{
    gcast_status status = gcast_fail(err, GCAST_INPUT, NULL, "%s", what);
    if (err)
        snprintf(err->file, sizeof err->file, "%s", path);
    return status;
}

gcast_status gcast_read_file(const char *path, char **data, size_t *size, gcast_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : *path ? path : "(a file without a name)";
    errno = 0;
    gzFile in = standard ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rb");
    if (!in)
        return file_error(err, name, errno ? strerror(errno) : "cannot be opened");
    VEC(char) bytes = {0};
    gcast_status status = GCAST_OK;
    for (;;) {
        if (!vec_reserve(&bytes, bytes.count + 65536)) {
            status = gcast_fail_memory(err);
            break;
        }
        errno = 0;
        int n = gzread(in, bytes.at + bytes.count, 65535);
        if (n < 0) {
            int code;
            const char *text = gzerror(in, &code);
            status = file_error(err, name, code == Z_ERRNO ? strerror(errno) : text);
            break;
        }
        bytes.count += (size_t)n;
        if (n == 0)
            break;
        if (bytes.count > MAX_FILE) {
            status = file_error(err, name, "larger than 1 GiB");
            break;
        }
    }
    if (gzclose(in) == Z_BUF_ERROR && status == GCAST_OK)
        status = file_error(err, name, "the gzip data ends early");
    if (status != GCAST_OK) {
        vec_free(&bytes);
        return status;
    }
    if (bytes.count >= 3 && memcmp(bytes.at, "\xef\xbb\xbf", 3) == 0) { /* some editors write a mark in front of UTF-8 */
        bytes.count -= 3;
        memmove(bytes.at, bytes.at + 3, bytes.count);
    }
    bytes.at[bytes.count] = '\0';
    *data = bytes.at;
    *size = bytes.count;
    return GCAST_OK;
}
