/* How far long work is, in words. */
#include <stdio.h>

#include "base/text/number.h"
#include "cli/output/progress.h"

/* "12 s", "3 min", "5 h", "2 d": two digits say enough. */
static void put_duration(char *out, size_t size, double seconds)
{
    static const struct {
        const char *name;
        double value, up_to;
    } units[] = {{"s", 1, 100}, {"min", 60, 100 * 60}, {"h", 3600, 100 * 3600}, {"d", 86400, 0}};
    int u = 0;
    while (units[u].up_to > 0 && seconds >= units[u].up_to)
        u++;
    double n = seconds / units[u].value + 0.5;
    number_print(out, size, "%.0f %s", n < 1e6 ? (double)(int)n : 1e6, units[u].name);
}

void progress_line(char *out, size_t size, const char *what, double fraction, double elapsed, double most)
{
    char percent[16] = "", time[32], rest[48] = "";
    double left = -1;
    if (fraction >= 0)
        snprintf(percent, sizeof percent, " %d %%,", fraction < 1 ? (int)(fraction * 100) : 100);
    if (fraction > 0)
        left = fraction < 1 ? elapsed * (1 - fraction) / fraction : 0;
    bool bounded = most >= 0 && (left < 0 || left > most);
    if (bounded)
        left = most;
    if (left >= 0) {
        put_duration(time, sizeof time, left);
        snprintf(rest, sizeof rest, "%s%s left", bounded ? "at most " : "", time);
    } else {
        put_duration(time, sizeof time, elapsed);
        snprintf(rest, sizeof rest, "%s so far", time);
    }
    snprintf(out, size, "%s:%s %s", what, percent, rest);
}
