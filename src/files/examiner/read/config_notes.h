/* Notes on what a configuration asks for that is not simulated as it stands; each is added once. */
#ifndef FILES_EXAMINER_READ_CONFIG_NOTES_H
#define FILES_EXAMINER_READ_CONFIG_NOTES_H

#include "files/examiner/read/state.h"

#define EXAMINER_NOTE_TABLE(X)                                                                                         \
    X(WARMUP, "do_warmup: the four unrecorded iterations are left out")                                                \
    X(CPU, "CPU walks do not use the GPU and are left out")                                                            \
    X(MPS, "mps_thread_percentage is left out")                                                                        \
    X(MASK, "sm_mask of a multikernel, stream_action or default-stream benchmark has no effect, as in the examiner")   \
    X(RACE, "timer_spin_default_stream with a stream_priority does not wait for its kernel, as in the examiner")       \
    X(MATRIX, "matrix_multiply with one-dimensional blocks has blocks of 32 x 1 threads, as in the examiner")

typedef enum {
#define X(id, text) EXAMINER_NOTE_##id,
    EXAMINER_NOTE_TABLE(X)
#undef X
        EXAMINER_NOTES
} examiner_note_id;

/* Adds a note to the workload, unless it has it. */
void examiner_note(examiner *x, const char *note);
void examiner_note_once(examiner *x, examiner_note_id note);

#endif
