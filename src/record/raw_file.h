/* The file that a process records to: frames of gridcast.record/1, collected in memory and written out in pieces, so
 * that a program that is killed leaves what was written before. Any thread may call these. */
#ifndef RECORD_RAW_FILE_H
#define RECORD_RAW_FILE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/recorded/recorded_format.h"

typedef struct raw_file {
    pthread_mutex_t lock; /* of all that follows but `fd` */
    atomic_int fd;        /* -1: none is open */
    bool has_failed;      /* a write failed, and nothing is written any more */
    uint64_t frames;      /* that were put */
    size_t used;          /* bytes that wait to be written */
    uint8_t bytes[1 << 18];
} raw_file;

/* A new file in the folder, named after the process; one a process, as children that it forks must leave it alone. */
bool raw_open(raw_file *f, const char *folder);
void raw_put(raw_file *f, recorded_kind kind, const int64_t *fields, size_t count, const char *text, size_t size);
/* Hands to the system what waits. */
void raw_flush(raw_file *f);
/* Puts END and closes it; frames that come later are left out. */
void raw_close(raw_file *f);

#endif
