#include "cli/completion/file_endings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gridcast/report.h"

/* Where the name ends with the start of an ending, which begins with a dot, it may end with all of it. */
static void offer_ending(const completion_line *l, const char *ending)
{
    const char *slash = strrchr(l->start, '/'), *dot = strchr(slash ? slash + 1 : l->start, '.');
    char name[1024];
    for (; dot; dot = strchr(dot + 1, '.')) {
        bool has_stem = dot > l->start && dot[-1] != '/';
        if (!has_stem || strncmp(dot, ending, strlen(dot)) != 0)
            continue;
        int length = snprintf(name, sizeof name, "%.*s%s", (int)(dot - l->start), l->start, ending);
        if (length > 0 && (size_t)length < sizeof name && access(name, F_OK) != 0) /* else it is offered as a file */
            offer(l, name);
        return;
    }
}

/* All formats of a run, more than a line of --help has room for. */
static void offer_formats(const completion_line *l)
{
    for (int i = 0; i < GCAST_FORMATS; i++) {
        char ending[64];
        gcast_format found;
        bool gzip;
        const char *plain = gcast_format_ending((gcast_format)i);
        if (!gcast_format_available((gcast_format)i))
            continue;
        offer_ending(l, plain);
        snprintf(ending, sizeof ending, "%s.gz", plain);
        if (gcast_format_from_file(ending, &found, &gzip))
            offer_ending(l, ending);
    }
}

void offer_endings(const completion_line *l, const char *text)
{
    if (strstr(text, ".trace.json")) {
        offer_formats(l);
        return;
    }
    for (const char *p = text; (p = strchr(p, '.')); p++) {
        char ending[32];
        size_t length = 1 + strspn(p + 1, "abcdefghijklmnopqrstuvwxyz.");
        bool is_word = (p == text || p[-1] == ' ') && length > 1 && length < sizeof ending;
        gcast_format format;
        if (!is_word)
            continue;
        snprintf(ending, sizeof ending, "%.*s", (int)length, p);
        if (gcast_format_from_name(ending, &format) && !gcast_format_available(format))
            continue;
        offer_ending(l, ending);
    }
}
