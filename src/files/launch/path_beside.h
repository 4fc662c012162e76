/* Paths that a file gives: relative ones are from the folder of that file. */
#ifndef FILES_LAUNCH_PATH_BESIDE_H
#define FILES_LAUNCH_PATH_BESIDE_H

/* `path` as `file` gives it, from the current folder; for the caller to free. NULL without memory. */
char *path_beside(const char *file, const char *path);
/* Likewise of a file that is never standard input: "-" is a file of this name. */
char *path_beside_file(const char *file, const char *name);

#endif
