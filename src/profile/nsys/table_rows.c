#include "profile/nsys/table_rows.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/index.h"
#include "base/text.h"
#include "base/vec.h"

#define MAX_TEXT (1 << 20) /* limit of the bytes of a value: names of kernels are shorter */

typedef struct known_string {
    int64_t id;
    const char *text;
} known_string;

struct nsys_db {
    sqlite3 *sqlite;
    const char *file; /* for errors */
    gcast_error *err;
    gcast_status status;
    sqlite3_stmt *strings; /* finds a text by its id; NULL: not used yet */
    hash_index string_index;
    VEC(known_string) known; /* texts that were found */
    void *copy;              /* copy of a database in memory */
    uint64_t size;           /* bytes of the database */
    uint64_t rows;           /* rows that were read, of all tables */
};

/* A message of SQLite may quote the file: this makes it one line. */
static void one_line(const char *words, char *out, size_t size)
{
    size_t i = 0;
    for (; words[i] && i + 1 < size; i++)
        out[i] = iscntrl((unsigned char)words[i]) ? ' ' : words[i];
    out[i] = '\0';
}

static bool fail(nsys_db *db, int code)
{
    char words[201];
    if (db->status != GCAST_OK)
        return false;
    if (code == SQLITE_NOMEM) {
        db->status = gcast_error_set_memory(db->err);
    } else if (code == SQLITE_CANTOPEN) {
        db->status = prof_file_error(db->file, GCAST_INPUT, db->err, "cannot be opened");
    } else {
        one_line(sqlite3_errmsg(db->sqlite), words, sizeof words);
        db->status = prof_file_error(db->file, GCAST_INPUT, db->err, "is damaged: SQLite says \"%s\"", words);
    }
    return false;
}

bool nsys_db_no_memory(nsys_db *db)
{
    return fail(db, SQLITE_NOMEM);
}

gcast_status nsys_db_status(const nsys_db *db)
{
    return db->status;
}

/* A URI of the path, for a file that is only read and that nobody writes at the same time. NULL without memory. */
static char *uri_of(const char *path)
{
    text t;
    size_t size;
    text_open(&t, NULL, NULL);
    text_str(&t, "file:");
    for (const char *p = path; *p; p++) {
        if (isalnum((unsigned char)*p) || strchr("/._-", *p))
            text_char(&t, *p);
        else
            text_printf(&t, "%%%02x", (unsigned)(unsigned char)*p);
    }
    text_str(&t, "?mode=ro&immutable=1");
    return text_take(&t, &size);
}

static int open_file(nsys_db *db, const char *path)
{
    struct stat status;
    char *uri = uri_of(path);
    db->size = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : UINT64_MAX;
    int code = uri ? sqlite3_open_v2(uri, &db->sqlite, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) : SQLITE_NOMEM;
    free(uri);
    return code;
}

static int open_memory(nsys_db *db, const void *bytes, size_t size)
{
    int code = sqlite3_open_v2(":memory:", &db->sqlite, SQLITE_OPEN_READWRITE, NULL);
    db->copy = malloc(size + 1);
    if (code != SQLITE_OK || !db->copy)
        return code != SQLITE_OK ? code : SQLITE_NOMEM;
    memcpy(db->copy, bytes, size);
    db->size = size;
    return sqlite3_deserialize(db->sqlite, "main", db->copy, (sqlite3_int64)size, (sqlite3_int64)size,
                               SQLITE_DESERIALIZE_READONLY);
}

nsys_db *nsys_db_open(const char *file, const void *bytes, size_t size, gcast_error *err)
{
    nsys_db *db = calloc(1, sizeof *db);
    if (!db) {
        gcast_error_set_memory(err);
        return NULL;
    }
    db->file = file;
    db->err = err;
    int code = bytes ? open_memory(db, bytes, size) : open_file(db, file);
    if (code != SQLITE_OK) {
        fail(db, code);
        nsys_db_close(db);
        return NULL;
    }
    sqlite3_limit(db->sqlite, SQLITE_LIMIT_LENGTH, MAX_TEXT); /* a file may compute values */
    sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    return db;
}

void nsys_db_close(nsys_db *db)
{
    if (!db)
        return;
    sqlite3_finalize(db->strings);
    sqlite3_close(db->sqlite);
    index_free(&db->string_index);
    vec_free(&db->known);
    free(db->copy);
    free(db);
}

/* Is there a table with this name? Views and virtual tables do not count. */
static bool has_table(nsys_db *db, const char *table, bool *has)
{
    sqlite3_stmt *s = NULL;
    *has = false;
    int code = sqlite3_prepare_v2(
        db->sqlite, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1 AND rootpage > 0", -1, &s, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    *has = code == SQLITE_ROW;
    sqlite3_finalize(s);
    return code == SQLITE_ROW || code == SQLITE_DONE || fail(db, code);
}

static bool has_column(nsys_db *db, const char *table, const char *column, bool *has)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(db->sqlite, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2", -1, &s, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(s, 2, column, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    *has = code == SQLITE_ROW;
    sqlite3_finalize(s);
    return code == SQLITE_ROW || code == SQLITE_DONE || fail(db, code);
}

/* The text of a SELECT with NULL in the place of missing columns. NULL without memory. */
static char *select_text(const table_rows *rows, const char *const *columns)
{
    text t;
    size_t size;
    text_open(&t, NULL, NULL);
    text_str(&t, "SELECT ");
    for (size_t i = 0; i < rows->count; i++) {
        text_str(&t, i ? ", " : "");
        if (rows->has[i])
            text_printf(&t, "\"%s\"", columns[i]);
        else
            text_str(&t, "NULL");
    }
    text_printf(&t, " FROM \"%s\"", rows->table);
    return text_take(&t, &size);
}

bool table_open(nsys_db *db, const char *table, const char *const *columns, size_t count, table_rows *rows)
{
    bool has;
    *rows = (table_rows){.db = db, .table = table, .count = count};
    if (db->status != GCAST_OK || !has_table(db, table, &has))
        return false;
    if (!has)
        return true;
    for (size_t i = 0; i < count; i++)
        if (!has_column(db, table, columns[i], &rows->has[i]))
            return false;
    char *sql = select_text(rows, columns);
    sqlite3_stmt *s = NULL;
    int code = sql ? sqlite3_prepare_v2(db->sqlite, sql, -1, &s, NULL) : SQLITE_NOMEM;
    free(sql);
    rows->statement = s;
    return code == SQLITE_OK || fail(db, code);
}

/* A damaged file that uses pages repeatedly would have endless rows. In a valid one each row takes bytes of its own. */
static bool too_many_rows(nsys_db *db)
{
    if (++db->rows <= db->size)
        return false;
    db->status = prof_file_error(db->file, GCAST_INPUT, db->err, "is damaged: it has more rows than bytes");
    return true;
}

bool table_next(table_rows *rows)
{
    if (!rows->statement || rows->db->status != GCAST_OK)
        return false;
    int code = sqlite3_step(rows->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        fail(rows->db, code);
    return code == SQLITE_ROW && !too_many_rows(rows->db);
}

int64_t table_int(const table_rows *rows, size_t column)
{
    int type = sqlite3_column_type(rows->statement, (int)column);
    if (!rows->has[column] || (type != SQLITE_INTEGER && type != SQLITE_FLOAT))
        return PROF_UNKNOWN;
    return sqlite3_column_int64(rows->statement, (int)column);
}

const char *table_text(const table_rows *rows, size_t column, prof_trace *t)
{
    if (!rows->has[column] || sqlite3_column_type(rows->statement, (int)column) != SQLITE_TEXT)
        return NULL;
    const char *bytes = (const char *)sqlite3_column_text(rows->statement, (int)column);
    const char *kept = bytes ? prof_trace_text(t, bytes, strlen(bytes)) : NULL;
    if (!kept)
        nsys_db_no_memory(rows->db);
    return kept;
}

bool table_close(table_rows *rows)
{
    sqlite3_finalize(rows->statement);
    rows->statement = NULL;
    return rows->db->status == GCAST_OK;
}

/* Looks an id up in StringIds; *found is NULL if it is not there. */
static int ask_string(nsys_db *db, int64_t id, const char **found)
{
    bool has = false;
    *found = NULL;
    if (!db->strings && has_table(db, "StringIds", &has) && has) {
        int code = sqlite3_prepare_v2(db->sqlite, "SELECT value FROM StringIds WHERE id = ?1", -1, &db->strings, NULL);
        if (code != SQLITE_OK)
            return code;
    }
    if (!db->strings)
        return SQLITE_DONE;
    sqlite3_reset(db->strings);
    int code = sqlite3_bind_int64(db->strings, 1, id);
    if (code == SQLITE_OK)
        code = sqlite3_step(db->strings);
    if (code == SQLITE_ROW && sqlite3_column_type(db->strings, 0) == SQLITE_TEXT) {
        *found = (const char *)sqlite3_column_text(db->strings, 0);
        return *found ? SQLITE_ROW : SQLITE_NOMEM;
    }
    return code;
}

const char *nsys_string(nsys_db *db, int64_t id, prof_trace *t)
{
    uint64_t hash = index_hash(&id, sizeof id);
    for (index_probe p = index_start(&db->string_index, hash); index_next(&db->string_index, &p);)
        if (db->known.at[p.value].id == id)
            return db->known.at[p.value].text;
    const char *found;
    int code = ask_string(db, id, &found);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        fail(db, code);
        return NULL;
    }
    known_string s = {.id = id, .text = prof_trace_text(t, found ? found : "?", found ? strlen(found) : 1)};
    if (!s.text || !vec_push(&db->known, s) || !index_add(&db->string_index, hash, (uint32_t)(db->known.count - 1))) {
        nsys_db_no_memory(db);
        return NULL;
    }
    return s.text;
}
