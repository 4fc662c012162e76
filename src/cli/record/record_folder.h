/* The folder in which the processes of a program record, each to a file of its own. */
#ifndef CLI_RECORD_RECORD_FOLDER_H
#define CLI_RECORD_RECORD_FOLDER_H

#include <limits.h>
#include <stddef.h>

#include "gridcast/error.h"

typedef struct record_folder {
    char path[PATH_MAX]; /* "": none */
    char **files;        /* paths, in the order of their names */
    size_t count;
    size_t unwritten; /* further files, of processes that were killed before they wrote anything */
} record_folder;

/* A new folder among the temporary files ($TMPDIR). Errors are printed. */
gcast_status record_folder_create(record_folder *f);
/* Fills `files`, and counts those without contents. What others put there is left out. */
gcast_status record_folder_list(record_folder *f);
/* Removes the folder with its files; where it stays, a line says so. */
void record_folder_remove(record_folder *f);

#endif
