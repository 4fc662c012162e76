/* The file to which a process records: frames of gridcast.record/1, collected in memory and written in pieces, so that
 * a program that is killed leaves the earlier pieces. Texts are put once and then have numbers. Any thread may call the
 * functions of the file. */
#ifndef RECORD_RAW_FILE_H
#define RECORD_RAW_FILE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/vec.h"
#include "profile/recorded/recorded_format.h"

typedef struct raw_file {
    pthread_mutex_t lock; /* protects the fields below except `fd` */
    atomic_int fd;        /* -1: no file is open */
    bool has_failed;      /* a write failed: nothing is written any more */
    uint64_t frames;      /* frames so far */
    size_t used;          /* bytes that wait to be written */
    uint8_t bytes[1 << 18];
} raw_file;

/* Creates a file in the folder, named after the process. A process has only one; forked children do not write to it. */
bool raw_open(raw_file *f, const char *folder);
void raw_put(raw_file *f, recorded_kind kind, const int64_t *fields, size_t count, const char *text, size_t size);
/* Writes the frames that wait. */
void raw_flush(raw_file *f);
/* Puts END and closes the file; later frames are left out. */
void raw_close(raw_file *f);

/* __cxa_demangle of the C++ library. */
typedef char *demangler(const char *name, char *buffer, size_t *size, int *status);

/* Names of kernels, functions and ranges that are in the file. */
typedef struct texts {
    hash_index index;
    VEC(char *) list;       /* the text with number i + 1 */
    VEC(uint32_t) readable; /* number of its demangled form; 0: not looked up yet */
    demangler *demangle;    /* NULL: there is none */
} texts;

/* Looks for a demangler. As this may open a library, do not call it while CUPTI hands out records. */
void texts_open(texts *t);
/* Finds the number of a text, or puts it into the file; 0 for NULL and without memory. */
uint32_t text_number(texts *t, raw_file *f, const char *words);
/* The number of the demangled form of a text; `number` itself if it has none, or without a demangler. */
uint32_t text_readable(texts *t, raw_file *f, uint32_t number);

#endif
