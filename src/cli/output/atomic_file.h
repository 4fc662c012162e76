/* A file that appears complete or not at all, whatever ends the process: it is written under a
 * temporary name in the same folder and then renamed; every signal that ends the process
 * removes it first. Only one can be open at a time. */
#ifndef CLI_OUTPUT_ATOMIC_FILE_H
#define CLI_OUTPUT_ATOMIC_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct atomic_file {
    int folder;            /* a descriptor of the folder; -1: no file is open */
    char temporary[48];    /* the name in the folder while it is written */
    char target[PATH_MAX]; /* the final path, with links resolved */
    const char *name;      /* the last part of target */
    bool replace;          /* a file that exists is overwritten */
} atomic_file;

/* The path of the file itself, with links resolved, also those to files that do not exist. False: errno says why. */
bool atomic_file_resolve(const char *path, char target[PATH_MAX]);
/* Cuts a path to that of its folder. */
void atomic_file_cut_to_folder(char target[PATH_MAX]);
/* Do two paths, of files that need not exist yet, name the same file? */
bool atomic_file_same(const char *path_a, const char *path_b);
/* NULL: errno says why; it is EEXIST where a file or a link of this name exists and `replace` is false. */
FILE *atomic_file_open(atomic_file *f, const char *path, bool replace);
/* Once the file is closed: renames it to its final name. Of several processes that create the same file, one succeeds.
 * False: it is removed, and errno says why. */
bool atomic_file_keep(atomic_file *f);
/* Removes it. */
void atomic_file_drop(atomic_file *f);

#endif
