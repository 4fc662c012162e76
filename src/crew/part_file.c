#include "crew/part_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/index.h"
#include "base/integers.h"

#define HEADER 128 /* more than the longest first line */
#define SYNC_NS INT64_C(2000000000)
#define ITEM_DIGITS 8
#define CHECK_DIGITS 8

/* Sets the error of an operation on the file, from errno. */
static gcast_status file_error(const part_file *p, gcast_error *err)
{
    return gcast_error_set(err, GCAST_RESOURCE, NULL, "%s: %s", p->path, strerror(errno));
}

/* Returns the length of the header. */
static size_t print_header(const part_file *p, char out[HEADER])
{
    int n = snprintf(out, HEADER, "gridcast.%s.part/1 %016" PRIx64 "\n", p->kind.what, p->kind.hash);
    return (size_t)n;
}

/* A line has the item, the words and a checksum, each followed by a space or the end of the line. */
static size_t line_length(const part_file *p)
{
    return ITEM_DIGITS + 1 + p->kind.words * ((size_t)p->kind.digits + 1) + CHECK_DIGITS + 1;
}

/* `out` has room for line_length() + 1 bytes. */
static void print_line(const part_file *p, uint64_t item, const uint64_t *words, char *out)
{
    size_t length = (size_t)snprintf(out, ITEM_DIGITS + 2, "%0*" PRIu64 " ", ITEM_DIGITS, item);
    for (size_t i = 0; i < p->kind.words; i++)
        length +=
            (size_t)snprintf(out + length, (size_t)p->kind.digits + 2, "%0*" PRIx64 " ", p->kind.digits, words[i]);
    uint64_t check = index_hash(out, length) ^ p->kind.hash;
    snprintf(out + length, CHECK_DIGITS + 2, "%0*" PRIx32 "\n", CHECK_DIGITS, (uint32_t)(check ^ check >> 32));
}

/* Reads a number of exactly `digits` characters; false: it is none, or no space follows. */
static bool read_number(const char **at, int digits, int base, uint64_t *number)
{
    char text[24] = "", *end;
    memcpy(text, *at, (size_t)digits);
    for (int i = 0; i < digits; i++)
        if (!isxdigit((unsigned char)text[i]))
            return false;
    *number = strtoull(text, &end, base);
    *at += digits;
    return *end == '\0' && *(*at)++ == ' ';
}

static bool read_line(const part_file *p, const char *line, uint64_t *item, uint64_t *words)
{
    bool ok = read_number(&line, ITEM_DIGITS, 10, item) && *item < p->kind.items;
    for (size_t i = 0; i < p->kind.words && ok; i++)
        ok = read_number(&line, p->kind.digits, 16, &words[i]);
    return ok;
}

/* Reads results. Damaged lines are skipped: their items are done again. */
static gcast_status read_lines(const part_file *p, const char *bytes, size_t size, part_take *take, void *data,
                               uint64_t *found, gcast_error *err)
{
    size_t length = line_length(p);
    uint64_t item = 0, *words = calloc(p->kind.words, sizeof *words);
    char *expected = malloc(length + 1);
    *found = 0;
    for (; words && expected && size >= length; bytes += length, size -= length) {
        if (!read_line(p, bytes, &item, words))
            continue;
        print_line(p, item, words, expected);
        if (memcmp(expected, bytes, length) == 0)
            *found += take(data, item, words);
    }
    bool ok = words && expected;
    free(words);
    free(expected);
    return ok ? GCAST_OK : gcast_error_set_memory(err);
}

static gcast_status read_bytes(const part_file *p, char **bytes, size_t *size, gcast_error *err)
{
    struct stat st;
    if (fstat(p->fd, &st) != 0)
        return file_error(p, err);
    *bytes = malloc((size_t)st.st_size + 1);
    *size = 0;
    if (!*bytes)
        return gcast_error_set_memory(err);
    while (*size < (size_t)st.st_size) {
        ssize_t n = read(p->fd, *bytes + *size, (size_t)st.st_size - *size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return file_error(p, err);
        if (n == 0)
            break;
        *size += (size_t)n;
    }
    return GCAST_OK;
}

static gcast_status write_all(const part_file *p, const char *bytes, size_t size, gcast_error *err)
{
    while (size) {
        ssize_t n = write(p->fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return file_error(p, err);
        bytes += n;
        size -= (size_t)n;
    }
    return GCAST_OK;
}

/* Reads the results of the file, and cuts off an incomplete last line. */
static gcast_status read_part(part_file *p, part_take *take, void *data, uint64_t *found, gcast_error *err)
{
    char *bytes = NULL, header[HEADER];
    size_t size = 0, kept = 0, header_size = print_header(p, header);
    gcast_status status = read_bytes(p, &bytes, &size, err);
    if (!bytes)
        return status;
    if (status == GCAST_OK && memcmp(bytes, header, min_size(size, header_size)) != 0)
        status = gcast_error_set(err, GCAST_INPUT, NULL, "%s: is of another %s or version; remove it to start anew",
                                 p->path, p->kind.what);
    if (status == GCAST_OK && size >= header_size) {
        status = read_lines(p, bytes + header_size, size - header_size, take, data, found, err);
        kept = size - (size - header_size) % line_length(p);
    }
    free(bytes);
    if (status == GCAST_OK && (ftruncate(p->fd, (off_t)kept) != 0 || lseek(p->fd, 0, SEEK_END) < 0))
        status = file_error(p, err);
    return status == GCAST_OK && kept == 0 ? write_all(p, header, header_size, err) : status;
}

/* The name is OUTPUT.part. If that is too long, it has the start of OUTPUT and a hash. */
static gcast_status name_part(part_file *p, const char *output, gcast_error *err)
{
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
    size_t length = strlen(name), max_length = NAME_MAX - sizeof ".part" + 1;
    int n = length <= max_length
                ? snprintf(p->path, sizeof p->path, "%s.part", output)
                : snprintf(p->path, sizeof p->path, "%.*s%.*s-%016" PRIx64 ".part", (int)(name - output), output,
                           (int)(max_length - 17), name, index_hash_text(name));
    if (n < 0 || (size_t)n >= sizeof p->path)
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "%s: name too long", output);
    return GCAST_OK;
}

/* Opens the file, and locks it against other processes. If another process removes the file at the same time, it tries
 * again. */
static gcast_status lock_part(part_file *p, gcast_error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat opened, named;
    for (;;) {
        p->fd = open(p->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (p->fd < 0)
            return file_error(p, err);
        if (fcntl(p->fd, F_SETLK, &lock) != 0)
            return errno == EACCES || errno == EAGAIN
                       ? gcast_error_set(err, GCAST_RESOURCE, NULL, "%s: another process writes it", p->path)
                       : file_error(p, err);
        if (fstat(p->fd, &opened) != 0)
            return file_error(p, err);
        if (stat(p->path, &named) == 0 && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
            return GCAST_OK;
        close(p->fd);
    }
}

gcast_status part_open(part_file *p, const char *output, const part_kind *kind, part_take *take, void *data,
                       uint64_t *found, gcast_error *err)
{
    *p = (part_file){.fd = -1, .kind = *kind};
    *found = 0;
    gcast_status status = name_part(p, output, err);
    if (status == GCAST_OK)
        status = lock_part(p, err);
    return status == GCAST_OK ? read_part(p, take, data, found, err) : status;
}

bool part_add(part_file *p, uint64_t item, const uint64_t *words)
{
    size_t length = line_length(p);
    if (p->fd < 0)
        return true;
    if (!vec_reserve(&p->lines, p->lines.count + length + 1))
        return false;
    print_line(p, item, words, p->lines.at + p->lines.count);
    p->lines.count += length;
    return true;
}

gcast_status part_flush(part_file *p, gcast_error *err)
{
    if (p->fd < 0 || !p->lines.count)
        return GCAST_OK;
    gcast_status status = write_all(p, p->lines.at, p->lines.count, err);
    p->lines.count = 0;
    int64_t now_ns = clock_now_ns();
    if (status == GCAST_OK && now_ns >= p->synced_ns + SYNC_NS) {
        p->synced_ns = now_ns;
        if (fsync(p->fd) != 0)
            status = file_error(p, err);
    }
    return status;
}

void part_close(part_file *p, bool remove)
{
    if (p->fd < 0)
        return;
    if (remove)
        unlink(p->path);
    else
        fsync(p->fd);
    close(p->fd);
    vec_free(&p->lines);
    p->fd = -1;
}
