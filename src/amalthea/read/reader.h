/* What all parts of the reader share: the state of one reading, errors, and walks over elements. Functions that return
 * bool are false after an error, which is in `err` then. */
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
    const char *path; /* as given, or as found in a folder */
} am_file;

/* An element that needs another of the same kind: runnables that they call, event chains that they refer to. */
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
    size_t *runnable_items;   /* by runnable: its items, without those of runnables that it calls */
    int runnable;             /* whose items are being read; -1: items of `task` are */
    int task;                 /* whose items are being read, if `runnable` is -1 */
    size_t items;             /* of the runnable so far */
    VEC(am_unknown) unknown;  /* elements and attributes that were not used */
    hash_index unknown_index; /* index of `unknown` by description */
    gcast_error *err;
    gcast_status status; /* of the first error */
} am_reader;

bool reader_no_memory(am_reader *r);
/* An error about an element. */
bool reader_fail(am_reader *r, const xml_node *n, const char *format, ...) GCAST_PRINTF(3, 4);
/* Zeroed memory in the model; NULL after an error. */
void *reader_array(am_reader *r, size_t count, size_t size);
/* A copy of the text in the model, or NULL after an error; "" for NULL. */
const char *reader_keep(am_reader *r, const char *text);
am_place reader_place(am_reader *r, const xml_node *n);

#define MAX_EXPANDED ((size_t)1000000) /* items of a task, with those of all calls; parts of a chain */
#define MAX_NESTED ((size_t)200)       /* calls in calls, chains in chains */

/* Orders `count` elements so that each comes after those that it needs. A circle is an error at one of its needs:
 * "`what` in a circle". */
bool need_order(am_reader *r, const am_need *needs, size_t need_count, size_t count, const char *what, size_t *order);

/* Checks that runnables do not call each other in a circle, and that calls do not multiply or nest too much. */
bool check_calls(am_reader *r);

/* Each of these calls reads a part of the model. Some parts need others: read_model.c has the order. */

bool read_definitions(am_reader *r);
bool read_units(am_reader *r);
bool read_software(am_reader *r); /* labels, OS events, runnables, tasks, chains of processes */
bool read_stimuli(am_reader *r);
bool read_schedulers(am_reader *r); /* and semaphores */
bool read_mapping(am_reader *r);
bool read_events(am_reader *r);
bool read_chains(am_reader *r);
bool read_limits(am_reader *r);
bool read_affinities(am_reader *r);

/* Runs `read` for each symbol of a kind, with the slot of the array that has its number. */
typedef bool (*read_symbol)(am_reader *r, xml_node *n, const char *class, void *slot);
bool read_each(am_reader *r, am_symbol_kind kind, size_t size, read_symbol read, const void **array, size_t *count);

/* The elements with this tag in a part of every file, one after the other: start with n = NULL. */
xml_node *part_next(am_reader *r, const char *part, const char *tag, xml_node *n);

#endif
