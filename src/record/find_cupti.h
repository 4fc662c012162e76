/* Where a libcupti may be. */
#ifndef RECORD_FIND_CUPTI_H
#define RECORD_FIND_CUPTI_H

#include <stdbool.h>

/* Does this one do? `name` is for dlopen: a path, or a name that the system finds; `loaded`: only where the program has
 * it already. */
typedef bool try_cupti(void *data, const char *name, bool loaded);

/* Tries, until one does: the one that the program has loaded, those that LD_LIBRARY_PATH and the system find, those
 * beside CUDA libraries that the program has loaded (as PyTorch's packages are), and those of toolkits. Newer ones come
 * first. `named` is the only one that is tried where it is not NULL. */
bool find_cupti(const char *named, try_cupti *try, void *data);

#endif
