/* A record of a result is described once, as a list of its fields:
 *
 *     #define OP_FIELDS(FIELD, LINE)                                    \
 *         FIELD(text, label, true, op->label, "name of the operation")  \
 *         FIELD(ns, end_ns, o->end_ns >= 0, o->end_ns, "its end")       \
 *         LINE(list, blocks, o->blocks, put_blocks(j, o), "its blocks")
 *
 * A field has a type, a key, a condition for being written, a value, and a meaning in words. Condition and value are
 * expressions of the function that writes the record. LINE is a FIELD that begins a new line of JSON. The writer of
 * JSON, the columns of a CSV, and what `gridcast --schema` says follow from the list. */
#ifndef BASE_FIELDS_H
#define BASE_FIELDS_H

#include "base/json_out.h"

/* Writes the fields to the json_out `j`. */
#define PUT_FIELDS(LIST) LIST(FIELD_PUT, FIELD_PUT_LINE)
#define FIELD_PUT(type, key, when, value, means)                                                                       \
    if (when)                                                                                                          \
        json_put_##type(j, #key, value);
#define FIELD_PUT_LINE(type, key, when, value, means)                                                                  \
    if (when) {                                                                                                        \
        json_line(j);                                                                                                  \
        json_put_##type(j, #key, value);                                                                               \
    }
/* The same, as an object: alone, as an element of a list, as an element on a line of its own. */
#define PUT_DOCUMENT(LIST)                                                                                             \
    do {                                                                                                               \
        PUT_OBJECT(LIST);                                                                                              \
        text_char(j->out, '\n');                                                                                       \
    } while (0)
#define PUT_OBJECT(LIST)                                                                                               \
    do {                                                                                                               \
        json_begin(j, NULL, '{');                                                                                      \
        PUT_FIELDS(LIST)                                                                                               \
        json_end(j, '}');                                                                                              \
    } while (0)
#define PUT_ELEMENT(LIST)                                                                                              \
    do {                                                                                                               \
        json_line(j);                                                                                                  \
        PUT_OBJECT(LIST);                                                                                              \
    } while (0)
/* Defines a function that writes the fields, with these parameters behind `j`. */
#define FIELD_WRITER(name, LIST, ...)                                                                                  \
    static void name(json_out *j, __VA_ARGS__)                                                                         \
    {                                                                                                                  \
        PUT_FIELDS(LIST)                                                                                               \
    }

/* The types are text, name, bool, int, count, list and record, as in base/json_out.h, and these. */
#define json_put_ns json_put_int
#define json_put_object(j, key, call) (json_key(j, key), (call)) /* that another writer writes, with its brackets */
#define json_put_share(j, key, value) json_put_decimals(j, key, 6, value)
#define json_put_mean(j, key, value) json_put_decimals(j, key, 0, value)

/* Writes the fields as columns of a CSV to the text `out`; `is_first` is true before. Where a field is not written its
 * column is empty. COLUMNS is the line of their keys. */
#define PUT_COLUMNS(LIST) LIST(FIELD_PUT_COLUMN, FIELD_PUT_COLUMN)
#define COLUMNS(LIST) (&LIST(FIELD_COLUMN, FIELD_COLUMN)[1])
#define FIELD_COLUMN(type, key, when, value, means) "," #key
#define FIELD_PUT_COLUMN(type, key, when, value, means)                                                                \
    if (!is_first)                                                                                                     \
        text_char(out, ',');                                                                                           \
    is_first = false;                                                                                                  \
    if (when)                                                                                                          \
        csv_put_##type(out, value);
#define csv_put_name text_str
#define csv_put_count text_uint
#define csv_put_int csv_put_ns
#define csv_put_milli(out, value) ((value) == JSON_UNKNOWN ? (void)0 : text_milli(out, value))
#define csv_put_mean(out, value) (isnan(value) ? (void)0 : text_printf(out, "%.0f", value))

static inline void csv_put_text(text *out, const char *value)
{
    if (value)
        text_csv(out, value);
}

/* Times are mostly not below 0. */
static inline void csv_put_ns(text *out, int64_t value)
{
    (value < 0 ? text_int(out, value) : text_uint(out, (uint64_t)value));
}

/* What `gridcast --schema` prints of a field. */
typedef struct field {
    const char *key;   /* NULL: the end of the list */
    const char *type;  /* as in the list of fields */
    const char *when;  /* "true": it is always written */
    const char *means; /* in words */
} field;

/* A record of a format. */
typedef struct record {
    const char *path;    /* "": the whole document; "ops.blocks": what `blocks` in `ops` holds; NULL: the last record */
    const field *fields; /* of the record, in order */
} record;

#define FIELDS(LIST)                                                                                                   \
    {                                                                                                                  \
        LIST(FIELD_ROW, FIELD_ROW)                                                                                     \
        {                                                                                                              \
            NULL, NULL, NULL, NULL                                                                                     \
        }                                                                                                              \
    }
#define RECORD(path, LIST)                                                                                             \
    {                                                                                                                  \
        path, (const field[])FIELDS(LIST)                                                                              \
    }
#define FIELD_ROW(type, key, when, value, means) {#key, #type, #when, means},

#endif
