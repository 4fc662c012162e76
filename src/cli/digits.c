#include "cli/digits.h"

#include <errno.h>
#include <stdlib.h>

bool read_digits(const char **at, uint64_t *number)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *number = strtoull(*at, &end, 10);
    *at = end;
    return !errno;
}
