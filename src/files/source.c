/* gcast_file_read: the text of a file or of standard input, plain or gzip (RFC 1952). A gzip file may have several
 * members, whose texts follow each other, and nothing after the last. Also paths in files. */
#include "files/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/api.h"
#include "base/vec.h"
#include "gridcast/read.h"

#define MAX_FILE ((size_t)1 << 30)
#define CHUNK 65536
#define GZIP_WINDOW (15 + 16) /* inflateInit2: the largest window, gzip headers only */

typedef VEC(char) byte_list;

static gcast_status file_error(gcast_error *err, const char *path, const char *message)
{
    gcast_status status = gcast_error_set(err, GCAST_INPUT, NULL, "%s", message);
    if (err)
        snprintf(err->file, sizeof err->file, "%s", path);
    return status;
}

/* Sets the error in errno. If the process lacks memory or descriptors, it is not an error of the file. */
static gcast_status system_error(gcast_error *err, const char *path)
{
    int reason = errno;
    gcast_status status = file_error(err, path, strerror(reason));
    if (reason == ENOMEM || reason == EMFILE || reason == ENFILE) {
        status = GCAST_RESOURCE;
        if (err)
            err->code = status;
    }
    return status;
}

/* Reads up to the end of `in`, and leaves room for a NUL. */
static gcast_status read_all(FILE *in, const char *name, byte_list *bytes, gcast_error *err)
{
    for (;;) {
        if (!vec_reserve(bytes, bytes->count + CHUNK + 1))
            return gcast_error_set_memory(err);
        errno = 0;
        size_t n = fread(bytes->at + bytes->count, 1, CHUNK, in);
        bytes->count += n;
        if (ferror(in))
            return system_error(err, name);
        if (n == 0)
            return GCAST_OK;
        if (bytes->count > MAX_FILE)
            return file_error(err, name, "larger than 1 GiB");
    }
}

static bool is_gzip(const unsigned char *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/* Decompresses all members of a gzip file. */
static gcast_status inflate_all(z_stream *z, const char *name, byte_list *text, gcast_error *err)
{
    for (;;) {
        if (!vec_reserve(text, text->count + CHUNK + 1))
            return gcast_error_set_memory(err);
        z->next_out = (unsigned char *)text->at + text->count;
        z->avail_out = CHUNK;
        int code = inflate(z, Z_NO_FLUSH);
        text->count += CHUNK - z->avail_out;
        if (code == Z_MEM_ERROR)
            return gcast_error_set_memory(err);
        if (code == Z_BUF_ERROR)
            return file_error(err, name, "the gzip data ends early");
        if (code != Z_OK && code != Z_STREAM_END)
            return file_error(err, name, "the gzip data is damaged");
        if (text->count > MAX_FILE)
            return file_error(err, name, "larger than 1 GiB");
        if (code == Z_STREAM_END && !z->avail_in)
            return GCAST_OK;
        if (code == Z_STREAM_END && (!is_gzip(z->next_in, z->avail_in) || inflateReset(z) != Z_OK))
            return file_error(err, name, "there are other bytes after the gzip data");
    }
}

static gcast_status gunzip(byte_list *bytes, const char *name, gcast_error *err)
{
    z_stream z = {.next_in = (unsigned char *)bytes->at, .avail_in = (uInt)bytes->count};
    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
        return gcast_error_set_memory(err);
    byte_list text = {0};
    gcast_status status = inflate_all(&z, name, &text, err);
    inflateEnd(&z);
    vec_free(bytes);
    *bytes = text;
    return status;
}

static FILE *open_standard(void)
{
    int fd = dup(STDIN_FILENO);
    FILE *in = fd >= 0 ? fdopen(fd, "rb") : NULL;
    int reason = errno == EINVAL ? EBADF : errno; /* EINVAL: it is open, but not for reading */
    if (fd >= 0 && !in)
        close(fd);
    errno = reason;
    return in;
}

gcast_status gcast_file_read(const char *path, char **data, size_t *size, gcast_error *err)
{
    if (data)
        *data = NULL;
    if (!path || !data || !size)
        return argument_missing(err);
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : *path ? path : "(a file without a name)";
    FILE *in = standard ? open_standard() : fopen(path, "rb");
    if (!in)
        return system_error(err, name);
    byte_list bytes = {0};
    gcast_status status = read_all(in, name, &bytes, err);
    fclose(in);
    if (status == GCAST_OK && is_gzip((unsigned char *)bytes.at, bytes.count))
        status = gunzip(&bytes, name, err);
    if (status != GCAST_OK) {
        vec_free(&bytes);
        return status;
    }
    if (bytes.count >= 3 && memcmp(bytes.at, "\xef\xbb\xbf", 3) == 0) { /* some editors write a byte order mark */
        bytes.count -= 3;
        memmove(bytes.at, bytes.at + 3, bytes.count);
    }
    bytes.at[bytes.count] = '\0';
    *data = bytes.at;
    *size = bytes.count;
    return GCAST_OK;
}

char *path_beside(const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    size_t folder = slash && path[0] != '/' ? (size_t)(slash - file) + 1 : 0, length = strlen(path);
    char *joined = malloc(folder + length + 1);
    if (!joined)
        return NULL;
    memcpy(joined, file, folder);
    memcpy(joined + folder, path, length + 1);
    return joined;
}

char *path_beside_file(const char *file, const char *name)
{
    return path_beside(file, strcmp(name, "-") == 0 ? "./-" : name);
}
