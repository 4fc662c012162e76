#include "record/raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static raw_file *of_process; /* what a child of fork must leave alone; pthread_atfork hands nothing over */

#define MAX_FILES_OF_PID 1000 /* a process that executes another program keeps its number */

static void write_out(raw_file *f)
{
    size_t done = 0;
    while (done < f->used && !f->has_failed) {
        ssize_t n = write(f->fd, f->bytes + done, f->used - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            f->has_failed = true;
    }
    f->used = 0;
}

static void put_bytes(raw_file *f, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size) {
        size_t room = sizeof f->bytes - f->used, n = size < room ? size : room;
        memcpy(f->bytes + f->used, at, n);
        f->used += n;
        at += n;
        size -= n;
        if (f->used == sizeof f->bytes)
            write_out(f);
    }
}

static void put_little_endian(uint8_t *to, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static void put_frame(raw_file *f, recorded_kind kind, const int64_t *fields, size_t count, const char *text,
                      size_t size)
{
    static const uint8_t padding[8];
    uint8_t head[RECORDED_HEAD_SIZE + 8 * RECORDED_MAX_FIELDS];
    put_little_endian(head, kind, 2);
    put_little_endian(head + 2, count, 2);
    put_little_endian(head + 4, size, 4);
    for (size_t i = 0; i < count; i++)
        put_little_endian(head + RECORDED_HEAD_SIZE + 8 * i, (uint64_t)fields[i], 8);
    put_bytes(f, head, RECORDED_HEAD_SIZE + 8 * count);
    put_bytes(f, text, size);
    put_bytes(f, padding, (8 - size % 8) % 8);
    f->frames++;
}

/* A child has a copy of the file, and the lock as another thread may have left it. */
static void leave_to_parent(void)
{
    of_process->fd = -1;
}

bool raw_open(raw_file *f, const char *folder)
{
    char path[4096], magic[RECORDED_MAGIC_SIZE] = RECORDED_MAGIC;
    int fd = -1;
    for (int i = 0; fd < 0 && i < MAX_FILES_OF_PID; i++) {
        int n = snprintf(path, sizeof path, "%s/%ld.%03d.gridcast-record", folder, (long)getpid(), i);
        if (n < 0 || (size_t)n >= sizeof path)
            return false;
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            return false;
    }
    f->fd = fd;
    of_process = f;
    pthread_atfork(NULL, NULL, leave_to_parent);
    if (fd >= 0) {
        put_bytes(f, magic, sizeof magic);
        write_out(f); /* a process that is killed from here on leaves a recording */
    }
    return fd >= 0;
}

void raw_put(raw_file *f, recorded_kind kind, const int64_t *fields, size_t count, const char *text, size_t size)
{
    if (f->fd < 0)
        return;
    size = size > RECORDED_MAX_TEXT ? RECORDED_MAX_TEXT : size;
    pthread_mutex_lock(&f->lock);
    if (f->fd >= 0)
        put_frame(f, kind, fields, count, text, size);
    pthread_mutex_unlock(&f->lock);
}

void raw_flush(raw_file *f)
{
    if (f->fd < 0)
        return;
    pthread_mutex_lock(&f->lock);
    if (f->fd >= 0)
        write_out(f);
    pthread_mutex_unlock(&f->lock);
}

void raw_close(raw_file *f)
{
    if (f->fd < 0)
        return;
    pthread_mutex_lock(&f->lock);
    int fd = f->fd;
    const int64_t end[END_COUNT] = {[END_FRAMES] = (int64_t)f->frames};
    put_frame(f, RECORDED_END, end, END_COUNT, "", 0);
    write_out(f);
    f->fd = -1;
    close(fd);
    pthread_mutex_unlock(&f->lock);
}
