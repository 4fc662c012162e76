/* Paths in files: a relative path counts from the folder of the file that contains it. */
#ifndef FILES_SOURCE_H
#define FILES_SOURCE_H

/* Turns a path that `file` contains into a path from the current folder. The caller frees it; NULL without memory. */
char *path_beside(const char *file, const char *path);
/* The same for files that are never standard input: "-" is the name of a file. */
char *path_beside_file(const char *file, const char *name);

#endif
