/* Inputs that name files. Paths in an input go from the folder of FUZZ_FILE, which does not exist, so that they lead
 * nowhere; a path from the root would lead somewhere. */
#ifndef FUZZ_PATHS_H
#define FUZZ_PATHS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#define FUZZ_FILE "no-such-folder/fuzz"

/* Does a string of a JSON text start with a slash, however it is escaped? */
static inline bool names_a_root_path(const uint8_t *data, size_t size)
{
    static const char *const starts[] = {"\"/", "\"\\/", "\"\\u002f"};
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; data[i] == '"' && k < sizeof starts / sizeof starts[0]; k++) {
            size_t length = strlen(starts[k]);
            if (length <= size - i && strncasecmp((const char *)data + i, starts[k], length) == 0)
                return true;
        }
    return false;
}

#endif
