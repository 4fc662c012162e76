/* A file that appears complete or not at all, whatever ends the process: it is written under a temporary name in the
 * same folder and then renamed. A signal that ends the process removes it first. Only one can be open at a time. */
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
/* The length of the part of a path that names its folder, with the slash; 0: there is none. */
size_t path_folder_length(const char *path);
/* Cuts a path to that of its folder. */
void atomic_file_cut_to_folder(char target[PATH_MAX]);
/* Do two paths, of files that need not exist yet, name the same file? */
bool atomic_file_same(const char *path_a, const char *path_b);
/* Opens the file under its temporary name. NULL: errno says why; EEXIST: a file or a link of this name exists, and
 * `replace` is false. */
FILE *atomic_file_open(atomic_file *f, const char *path, bool replace);
/* Renames the file, which is closed by now, to its final name. If several processes create the same file, one succeeds.
 * False: the file is removed, and errno says why. */
bool atomic_file_keep(atomic_file *f);
/* Removes the file under its temporary name. */
void atomic_file_drop(atomic_file *f);

#endif
