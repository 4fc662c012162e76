/* What can be referred to: every element that has a name, by its class and name. */
#ifndef AMALTHEA_READ_SYMBOLS_H
#define AMALTHEA_READ_SYMBOLS_H

#include "amalthea/xml/xml_tree.h"
#include "base/index.h"
#include "base/vec.h"

/* kind, name in messages */
#define AM_SYMBOL_TABLE(X)                                                                                             \
    X(TASK, "task")                                                                                                    \
    X(RUNNABLE, "runnable")                                                                                            \
    X(LABEL, "label")                                                                                                  \
    X(OS_EVENT, "OS event")                                                                                            \
    X(STIMULUS, "stimulus")                                                                                            \
    X(DEFINITION, "definition of hardware")                                                                            \
    X(FEATURE, "feature of hardware")                                                                                  \
    X(UNIT, "unit of hardware")                                                                                        \
    X(DOMAIN, "frequency domain")                                                                                      \
    X(SCHEDULER, "scheduler")                                                                                          \
    X(SCHEDULER_DEFINITION, "definition of a scheduler")                                                               \
    X(PARAMETER, "definition of a parameter")                                                                          \
    X(SEMAPHORE, "semaphore")                                                                                          \
    X(EVENT, "event")                                                                                                  \
    X(CHAIN, "chain of events")                                                                                        \
    X(PROCESS_CHAIN, "chain of processes")                                                                             \
    X(OTHER, "element without meaning for times")

typedef enum {
#define X(id, name) SYMBOL_##id,
    AM_SYMBOL_TABLE(X)
#undef X
        SYMBOL_KINDS
} am_symbol_kind;

typedef struct am_symbol {
    const char *class; /* such as "Task" */
    const char *name;  /* decoded, behind the names of its containers, with SYMBOL_IN between */
    am_symbol_kind kind;
    xml_node *node; /* its number is the index among its kind */
    size_t count;   /* in the first of a class and name: how many symbols have both */
    size_t second;  /* in the first: index of the second, if there are several */
} am_symbol;

#define SYMBOL_IN '\x1f' /* no name in XML has this character */

typedef struct am_symbols {
    VEC(am_symbol) all; /* in the order of the files */
    hash_index index;   /* by class and name, only the first of equal ones */
    size_t counts[SYMBOL_KINDS];
    arena memory;
} am_symbols;

/* Adds the symbols of a file; false without memory. */
bool symbols_add(am_symbols *s, xml_tree *tree);
/* Returns how many symbols have this class and name; sets the first, and the second if there are several. */
size_t symbols_find(const am_symbols *s, const char *class, const char *name, const am_symbol **first,
                    const am_symbol **second);
void symbols_free(am_symbols *s);
const char *symbol_kind_name(am_symbol_kind kind);
/* A symbol's name for people, with / between names; cut to fit. */
void symbol_show(const char *name, char *out, size_t size);

/* Decodes a name of a reference: %2F is /, + is a space, and / stands between names. `out` has the size of `from` and
 * one more; false where it is not such a name. */
bool symbol_decode(const char *from, size_t size, char *out);

#endif
