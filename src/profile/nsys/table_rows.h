/* Reads the tables of an export by the names of their columns, as versions of Nsight Systems add columns in the middle,
 * and leave out tables that would be empty. Only this file uses SQLite. */
#ifndef PROFILE_NSYS_TABLE_ROWS_H
#define PROFILE_NSYS_TABLE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/reading.h"
#include "profile/trace.h"

#define TABLE_MAX_COLUMNS 32

typedef struct nsys_db nsys_db;

/* Opens a file, or if `bytes` is not NULL a database in memory. NULL: the error is set. */
nsys_db *nsys_db_open(const char *file, const void *bytes, size_t size, gcast_error *err);
void nsys_db_close(nsys_db *db);

/* A table whose rows are read one after the other. */
typedef struct table_rows {
    nsys_db *db;
    void *statement;             /* NULL: there is no such table, or no memory */
    const char *table;           /* its name */
    size_t count;                /* number of columns */
    bool has[TABLE_MAX_COLUMNS]; /* does the table have the column? */
} table_rows;

/* Opens a table to read `count` columns; the table may lack any of them. The rows are in the order of the file. False:
 * the error is set. */
bool table_open(nsys_db *db, const char *table, const char *const *columns, size_t count, table_rows *rows);
/* False after the last row, or if the error is set. */
bool table_next(table_rows *rows);
/* PROF_UNKNOWN if the column is missing, NULL, or no number. */
int64_t table_int(const table_rows *rows, size_t column);
/* A text that the trace holds; NULL: there is none, or no memory. */
const char *table_text(const table_rows *rows, size_t column, prof_trace *t);
/* Ends the reading of a table. False: the error is set. */
bool table_close(table_rows *rows);

/* The text with an id in StringIds; "?": there is none. Found texts are cached. NULL: the error is set. */
const char *nsys_string(nsys_db *db, int64_t id, prof_trace *t);
/* The status of the first error, or GCAST_OK. */
gcast_status nsys_db_status(const nsys_db *db);
/* Sets the error for lack of memory. Returns false. */
bool nsys_db_no_memory(nsys_db *db);

#endif
