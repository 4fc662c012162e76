/* Reads a file of gridcast.record/1 frame by frame, and checks sizes before it trusts them. */
#ifndef PROFILE_RECORDED_FRAMES_H
#define PROFILE_RECORDED_FRAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gridcast/error.h"
#include "profile/recorded/recorded_format.h"

typedef struct frame {
    unsigned kind; /* a recorded_kind, or an unknown one */
    size_t count;  /* number of fields */
    int64_t fields[RECORDED_MAX_FIELDS];
    const char *text; /* ends in NUL, and may contain others */
    size_t text_size; /* without the last NUL */
} frame;

typedef struct frame_reader {
    const char *file; /* for errors */
    FILE *in;         /* NULL: `bytes` is read */
    const uint8_t *bytes;
    uint64_t size;    /* bytes in all; 0: unknown */
    uint64_t at;      /* bytes that were read */
    uint64_t whole;   /* bytes up to the end of the last complete frame */
    bool is_cut;      /* the file ends in the middle of a frame */
    char *text;       /* text of the last frame */
    size_t text_room; /* size of `text` */
} frame_reader;

typedef enum { FRAME_READ, FRAME_NONE, FRAME_FAILED } frame_result;

/* Does a file with these first bytes hold such a recording, of any version? */
bool frames_recognise(const void *head, size_t size);
/* Opens a file, or memory if `bytes` is not NULL, and checks the first bytes. */
gcast_status frames_open(frame_reader *r, const char *file, const void *bytes, size_t size, gcast_error *err);
/* FRAME_NONE at the end, even in the middle of a frame; FRAME_FAILED: the error is set. */
frame_result frames_next(frame_reader *r, frame *f, gcast_error *err);
void frames_close(frame_reader *r);

/* A field; RECORDED_UNKNOWN: the frame lacks it. */
static inline int64_t frame_field(const frame *f, size_t field)
{
    return field < f->count ? f->fields[field] : RECORDED_UNKNOWN;
}

#endif
