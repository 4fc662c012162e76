/* The files of a model: those that were named, and those of folders. */
#ifndef AMALTHEA_READ_FILES_MODEL_FILES_H
#define AMALTHEA_READ_FILES_MODEL_FILES_H

#include "amalthea/read/reader.h"

/* A file that was read already is not read again. */
bool files_open(am_reader *r, const char *const *paths, size_t count);
bool files_add_text(am_reader *r, const char *name, const char *text, size_t size);

/* For those who look for more files: parses a file and looks at its version, without adding it; NULL after an error. */
am_file *file_parse(am_reader *r, const char *path, const char *text, size_t size);
am_file *file_open(am_reader *r, const char *path);
bool file_add(am_reader *r, am_file *file);
void file_free(am_file *file);
/* Is this one of the files that were read, maybe by another path? */
bool file_is_read(const am_reader *r, const char *path);
/* The .amxmi files of a folder, sorted by name; the caller frees them and the list. */
typedef VEC(char *) path_list;
bool folder_files(am_reader *r, const char *folder, path_list *list);
void paths_free(path_list *list);

#endif
