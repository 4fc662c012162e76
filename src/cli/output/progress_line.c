#include "cli/output/progress_line.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/number.h"

/* Such as "12 s", "3 min", "5 h" or "2 d", in the first unit that needs no more than two digits. */
static void put_duration(char *out, size_t size, double seconds)
{
    static const struct {
        const char *name;
        double seconds, below; /* seconds per unit; the unit is used below this time, 0: always */
    } units[] = {{"s", 1, 100}, {"min", 60, 100 * 60}, {"h", 3600, 100 * 3600}, {"d", 86400, 0}};
    int u = 0;
    while (units[u].below > 0 && seconds >= units[u].below)
        u++;
    double n = seconds / units[u].seconds + 0.5;
    number_print(out, size, "%.0f %s", n < 1e6 ? (double)(int)n : 1e6, units[u].name);
}

void progress_line(char *out, size_t size, const char *activity, double fraction, double elapsed_s, double max_left_s)
{
    char percent[16] = "", time[32], remaining[48] = "";
    double left_s = -1; /* below 0: not known */
    if (fraction >= 0)
        snprintf(percent, sizeof percent, " %d %%,", fraction < 1 ? (int)(fraction * 100) : 100);
    if (fraction > 0)
        left_s = fraction < 1 ? elapsed_s * (1 - fraction) / fraction : 0;
    bool is_bound = max_left_s >= 0 && (left_s < 0 || left_s > max_left_s);
    if (is_bound)
        left_s = max_left_s;
    if (left_s >= 0) {
        put_duration(time, sizeof time, left_s);
        snprintf(remaining, sizeof remaining, "%s%s left", is_bound ? "at most " : "", time);
    } else {
        put_duration(time, sizeof time, elapsed_s);
        snprintf(remaining, sizeof remaining, "%s so far", time);
    }
    snprintf(out, size, "%s:%s %s", activity, percent, remaining);
}
