/* A file that appears whole or not at all, whatever ends the process: it is written beside
 * its place under another name, which every signal that ends the process removes. One at a
 * time. */
#ifndef CLI_OUTPUT_WHOLE_FILE_H
#define CLI_OUTPUT_WHOLE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct whole_file {
    int folder;            /* a descriptor; -1: nothing is open */
    char temporary[48];    /* its name there */
    char target[PATH_MAX]; /* its place, links followed */
    const char *name;      /* the last part of that */
    bool replace;
} whole_file;

/* Where a file of this name is or will be: links are followed, also those to nothing. False: errno says why. */
bool whole_file_place(const char *path, char target[PATH_MAX]);
/* Its folder, in place of the whole. */
void whole_file_folder(char target[PATH_MAX]);
/* Are two names, of files that need not be there yet, of one? */
bool whole_file_same(const char *one, const char *other);
/* NULL: errno says why. Without `replace`, a file that is there is EEXIST, as is a link. */
FILE *whole_file_open(whole_file *f, const char *path, bool replace);
/* Once it is closed: into its place, which among several processes one gets, or away. */
bool whole_file_keep(whole_file *f);
void whole_file_drop(whole_file *f);

#endif
