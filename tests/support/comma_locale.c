#include "support/comma_locale.h"

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/gridcast-locale-XXXXXX";

static bool has_comma(const char *name)
{
    char text[16] = "";
    if (setlocale(LC_NUMERIC, name))
        snprintf(text, sizeof text, "%.1f", 1.5);
    setlocale(LC_NUMERIC, "C");
    return strcmp(text, "1,5") == 0;
}

/* LC_NUMERIC as glibc's localedef writes it: a magic number, the number of items, their offsets, and the items: decimal
 * point, thousands separator, grouping, the first two as wide characters, and the character set. */
static bool write_file(const char *path)
{
    struct {
        uint32_t magic, count, at[6];
        char point[4], thousands[4], grouping[4];
        uint32_t wide_point, wide_thousands;
        char set[8];
    } file = {.magic = UINT32_C(0x20031115) ^ LC_NUMERIC,
              .count = 6,
              .at = {32, 36, 40, 44, 48, 52},
              .point = ",",
              .thousands = "",
              .grouping = {127},
              .wide_point = ',',
              .set = "UTF-8"};
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(&file, sizeof file, 1, out) == 1;
    return out && fclose(out) == 0 && ok;
}

static bool make(void)
{
    char path[80];
    if (!mkdtemp(folder))
        return false;
    snprintf(path, sizeof path, "%s/comma", folder);
    bool ok = mkdir(path, 0777) == 0;
    snprintf(path, sizeof path, "%s/comma/LC_NUMERIC", folder);
    return ok && write_file(path) && setenv("LOCPATH", folder, 1) == 0;
}

const char *comma_locale_make(void)
{
    static const char *const installed[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < sizeof installed / sizeof installed[0]; i++)
        if (has_comma(installed[i]))
            return installed[i];
    return make() && has_comma("comma") ? "comma" : NULL;
}

void comma_locale_end(void)
{
    char path[80];
    setlocale(LC_NUMERIC, "C");
    snprintf(path, sizeof path, "%s/comma/LC_NUMERIC", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/comma", folder);
    rmdir(path);
    rmdir(folder);
}
