/* What the files of the reader share: the state of one reading, and errors. Functions that return bool are false after
 * an error, which is in `err` then. */
#ifndef AMALTHEA_READ_READER_H
#define AMALTHEA_READ_READER_H

#include "amalthea/model.h"
#include "amalthea/read/symbols.h"
#include "amalthea/xml/xml_tree.h"
#include "base/vec.h"

typedef struct am_file {
    xml_tree tree;
    int version;      /* 94 for 0.9.4 becomes 904; 2.1.0 is 20100 */
    uint32_t crc;     /* of its bytes: CRC-32 */
    const char *path; /* as it was given, or of the folder's entry */
} am_file;

/* A runnable or a chain of events that needs another of its kind. */
typedef struct am_need {
    size_t from, to; /* indices */
    xml_node *at;
} am_need;

typedef struct am_reader {
    am_model *m;
    arena *memory; /* of the model */
    VEC(am_file *) files;
    am_symbols symbols;
    VEC(am_need) calls;       /* of runnables by runnables */
    VEC(am_need) task_calls;  /* of runnables by tasks */
    size_t *runnable_items;   /* how many items each has, those of its calls not counted */
    int runnable;             /* whose items are being read; -1: those of a task */
    int task;                 /* or of this task */
    size_t items;             /* of it so far */
    VEC(am_unknown) unknown;  /* what nobody asked for */
    hash_index unknown_index; /* of it, by what it is */
    gcast_error *err;
    gcast_status status; /* of the first error */
} am_reader;

bool reader_no_memory(am_reader *r);
/* An error about an element. */
bool reader_fail(am_reader *r, const xml_node *n, const char *format, ...) GCAST_PRINTF(3, 4);
/* Memory in the model; NULL after an error. Zeroed. */
void *reader_array(am_reader *r, size_t count, size_t size);
/* A copy of the text in the model, or NULL after an error; "" for NULL. */
const char *reader_keep(am_reader *r, const char *text);
am_place reader_place(am_reader *r, const xml_node *n);

#endif
