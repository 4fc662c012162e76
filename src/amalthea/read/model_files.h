/* Opens the files of a model: files that are named, those of folders, and those that references lead to. */
#ifndef AMALTHEA_READ_MODEL_FILES_H
#define AMALTHEA_READ_MODEL_FILES_H

#include "amalthea/read/reader.h"

/* Reads files and folders. A file that was read already is not read again. */
bool files_open(am_reader *r, const char *const *paths, size_t count);
/* Reads a file from memory. */
bool files_add_text(am_reader *r, const char *name, const char *text, size_t size);
/* Where references to other files cannot be resolved, reads the files of the same folder that define their targets. */
bool files_add_wanted(am_reader *r);

#endif
