#define _GNU_SOURCE /* RTLD_DEFAULT */

#include "record/raw_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILES_OF_PID 1000 /* a process that executes another program keeps its pid and needs another file */

static raw_file *of_process; /* for leave_to_parent, as pthread_atfork has no user data */

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

/* Runs in a forked child, which shares the file, and whose lock may be held by a thread that it does not have. */
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
        write_out(f); /* from here on, a process that is killed leaves a valid recording */
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

uint32_t text_number(texts *t, raw_file *f, const char *words)
{
    if (!words)
        return 0;
    size_t size = strlen(words);
    uint64_t hash = index_hash(words, size);
    for (index_probe p = index_start(&t->index, hash); index_next(&t->index, &p);)
        if (strcmp(t->list.at[p.value], words) == 0)
            return p.value + 1;
    char *copy = t->list.count < INT32_MAX ? strdup(words) : NULL;
    if (!copy || !vec_push(&t->list, copy)) {
        free(copy);
        return 0;
    }
    if (!vec_push(&t->readable, 0) || !index_add(&t->index, hash, (uint32_t)(t->list.count - 1))) {
        t->readable.count = --t->list.count;
        free(copy);
        return 0;
    }
    const int64_t fields[TEXT_COUNT] = {[TEXT_ID] = (int64_t)t->list.count};
    raw_put(f, RECORDED_TEXT, fields, TEXT_COUNT, words, size);
    return (uint32_t)t->list.count;
}

/* Takes the demangler of the program's C++ library, or of the system's, as a program in C has none. */
void texts_open(texts *t)
{
    union {
        void *found;
        demangler *function;
    } d = {.found = dlsym(RTLD_DEFAULT, "__cxa_demangle")};
    void *library = d.found ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library)
        d.found = dlsym(library, "__cxa_demangle");
    t->demangle = d.function;
}

uint32_t text_readable(texts *t, raw_file *f, uint32_t number)
{
    if (!number || strncmp(t->list.at[number - 1], "_Z", 2) != 0)
        return number;
    if (t->readable.at[number - 1])
        return t->readable.at[number - 1];
    int status = -1;
    char *words = t->demangle ? t->demangle(t->list.at[number - 1], NULL, NULL, &status) : NULL;
    uint32_t readable = words && status == 0 ? text_number(t, f, words) : 0;
    free(words);
    t->readable.at[number - 1] = readable ? readable : number;
    return t->readable.at[number - 1];
}
