/* Changes as text. */
#include "change/change_text.h"

#include <limits.h>
#include <string.h>

#include "base/units.h"
#include "model/workload/workload.h"

static const struct {
    const char *name, *form;
} kinds[] = {
#define X(id, name, form) {name, form},
    CHANGE_TABLE(X) CHANGE_SEARCH_TABLE(X)
#undef X
};

const char *change_kind_name(change_kind kind)
{
    return (unsigned)kind < CHANGE_KINDS ? kinds[kind].name : "?";
}

bool change_names(const change *c, const gcast_op *op)
{
    size_t length = strlen(c->name);
    return strcmp(op->label, c->name) == 0 ||
           (workload_label_stem(op->label) == length && strncmp(op->label, c->name, length) == 0);
}

/* Words that stand for numbers. */
typedef struct word {
    const char *text; /* NULL ends a list */
    int64_t value;
} word;

static const word merge_words[] = {{"all", CHANGE_ALL}, {NULL, 0}};
static const word split_words[] = {{"all", CHANGE_ALL}, {"labels", CHANGE_LABELS}, {"hosts", CHANGE_HOSTS}, {NULL, 0}};
static const word blocks_words[] = {
    {"half", CHANGE_HALF}, {"quarter", CHANGE_QUARTER}, {"wave", CHANGE_WAVE}, {NULL, 0}};
static const word carveout_words[] = {
    {"most", GCAST_OP_CARVEOUT_MOST}, {"driver", GCAST_OP_CARVEOUT_DRIVER}, {NULL, 0}};
static const word no_words[] = {{NULL, 0}};

static const word *words_of(change_kind kind)
{
    switch (kind) {
    case CHANGE_MERGE:
        return merge_words;
    case CHANGE_SPLIT:
        return split_words;
    case CHANGE_BLOCKS:
        return blocks_words;
    case CHANGE_CARVEOUT:
        return carveout_words;
    default:
        return no_words;
    }
}

/* The value of a word, or of a decimal number up to INT_MAX; false: it is neither. */
static bool read_value(const char *at, size_t length, const word *list, int64_t *value)
{
    int64_t number = 0;
    for (; list->text; list++)
        if (strlen(list->text) == length && strncmp(at, list->text, length) == 0) {
            *value = list->value;
            return true;
        }
    for (size_t i = 0; i < length; i++) {
        if (at[i] < '0' || at[i] > '9' || number > INT_MAX / 10)
            return false;
        number = 10 * number + (at[i] - '0');
    }
    *value = number;
    return length > 0 && number <= INT_MAX;
}

/* The form of the text behind the = of a kind. */
typedef enum { FORM_NONE, FORM_NUMBER, FORM_PAIR, FORM_NAME, FORM_NAMED_NUMBER, FORM_NAMED_OR_NUMBER, FORM_TIME } form;

static form form_of(change_kind kind)
{
    static const form forms[CHANGE_WRITTEN_KINDS] = {
        [CHANGE_CONNECTIONS] = FORM_NUMBER,    [CHANGE_MERGE] = FORM_PAIR,
        [CHANGE_SPLIT] = FORM_NUMBER,          [CHANGE_MOVE] = FORM_NAME,
        [CHANGE_PRIORITY] = FORM_NUMBER,       [CHANGE_SMS] = FORM_NUMBER,
        [CHANGE_RESERVE] = FORM_PAIR,          [CHANGE_CONFINE] = FORM_NAMED_NUMBER,
        [CHANGE_BLOCKS] = FORM_NAMED_NUMBER,   [CHANGE_CARVEOUT] = FORM_NAMED_OR_NUMBER,
        [CHANGE_GRAPHS] = FORM_NONE,           [CHANGE_LAUNCHES] = FORM_TIME,
        [CHANGE_PAUSES] = FORM_NUMBER,         [CHANGE_LATENCY] = FORM_NUMBER,
        [CHANGE_SCALE] = FORM_NAMED_OR_NUMBER, [CHANGE_GPU] = FORM_NAME};
    return forms[kind];
}

static char separator_of(change_kind kind)
{
    return kind == CHANGE_MERGE ? '+' : ':';
}

/* Reads NAME:VALUE, where the name may have colons too, or VALUE where a name is not needed. False: it is neither. */
static bool read_named(const char *at, bool name_needed, size_t *name_length, change *c)
{
    const char *colon = strrchr(at, ':');
    const char *value = colon ? colon + 1 : at;
    *name_length = colon ? (size_t)(colon - at) : 0;
    return (*name_length > 0 || (!colon && !name_needed)) &&
           read_value(value, strlen(value), words_of(c->kind), &c->value);
}

static bool read_pair(const char *at, change *c)
{
    const char *between = strchr(at, separator_of(c->kind));
    if (!between)
        return c->kind == CHANGE_MERGE && read_value(at, strlen(at), words_of(c->kind), &c->value) &&
               c->value == CHANGE_ALL;
    return read_value(at, (size_t)(between - at), no_words, &c->value) &&
           read_value(between + 1, strlen(between + 1), no_words, &c->other);
}

/* Reads the text behind the =, NULL without one. *name_length: of the name at its start. */
static bool read_form(const char *at, size_t *name_length, change *c)
{
    *name_length = 0;
    if (form_of(c->kind) == FORM_NONE)
        return !at;
    if (form_of(c->kind) == FORM_TIME) {
        c->value = CHANGE_DEFAULT;
        return !at || (units_parse_time(at, &c->value) && c->value <= WORKLOAD_MAX_NS);
    }
    if (!at)
        return false;
    switch (form_of(c->kind)) {
    case FORM_NUMBER:
        return read_value(at, strlen(at), words_of(c->kind), &c->value);
    case FORM_PAIR:
        return read_pair(at, c);
    case FORM_NAME:
        *name_length = strlen(at);
        return *name_length > 0;
    default:
        return read_named(at, form_of(c->kind) == FORM_NAMED_NUMBER, name_length, c);
    }
}

gcast_status change_parse(const char *words, arena *memory, change *c, gcast_error *err)
{
    const char *equals = strchr(words, '=');
    size_t length = equals ? (size_t)(equals - words) : strlen(words), name_length;
    for (int k = 0; k < CHANGE_WRITTEN_KINDS; k++) {
        if (strlen(kinds[k].name) != length || strncmp(words, kinds[k].name, length) != 0)
            continue;
        *c = (change){.kind = (change_kind)k};
        if (!read_form(equals ? equals + 1 : NULL, &name_length, c))
            return gcast_error_set(err, GCAST_USAGE, NULL, "the change is %s, not %.200s", kinds[k].form, words);
        char *name = name_length ? arena_alloc(memory, name_length + 1) : NULL;
        if (name_length && !name)
            return gcast_error_set_memory(err);
        if (name)
            memcpy(name, equals + 1, name_length);
        c->name = name;
        return GCAST_OK;
    }
    return gcast_error_set(err, GCAST_USAGE, NULL, "there is no change %.100s", words);
}

static void write_value(const change *c, text *t)
{
    for (const word *w = words_of(c->kind); w->text; w++)
        if (w->value == c->value) {
            text_str(t, w->text);
            return;
        }
    text_int(t, c->value);
}

static void write_time(int64_t ns, text *t)
{
    char time[40];
    units_format_time(ns, time, sizeof time);
    text_str(t, time);
}

void change_write(const change *c, text *t)
{
    text_str(t, change_kind_name(c->kind));
    if (form_of(c->kind) == FORM_NONE || (form_of(c->kind) == FORM_TIME && c->value < 0))
        return;
    text_char(t, '=');
    if (form_of(c->kind) == FORM_TIME) {
        write_time(c->value, t);
        return;
    }
    if (c->name)
        text_str(t, c->name);
    if (form_of(c->kind) == FORM_NAME)
        return;
    if (c->name)
        text_char(t, ':');
    write_value(c, t);
    if (form_of(c->kind) == FORM_PAIR && c->value != CHANGE_ALL) {
        text_char(t, separator_of(c->kind));
        text_int(t, c->other);
    }
}
