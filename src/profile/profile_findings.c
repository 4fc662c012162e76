#include "profile/profile_findings.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

bool findings_add(prof_findings *f, const char *words, const char *place, uint64_t count)
{
    if (!count)
        return true;
    for (size_t i = 0; i < f->list.count; i++)
        if (strcmp(f->list.at[i].text, words) == 0) {
            f->list.at[i].count += count;
            return true;
        }
    prof_finding x = {.count = count, .text = arena_strdup(&f->memory, words)};
    if (place)
        x.place = arena_strdup(&f->memory, place);
    return x.text && (!place || x.place) && vec_push(&f->list, x);
}

/* "{copy}" becomes "1 copy" or "2 copies". */
static void put_count(text *t, const prof_finding *f, const char *open, const char *close)
{
    size_t size = (size_t)(close - open - 1);
    text_printf(t, "%llu ", (unsigned long long)f->count);
    if (f->count == 1)
        text_bytes(t, open + 1, size);
    else if (close[-1] == 'y')
        text_printf(t, "%.*sies", (int)size - 1, open + 1);
    else
        text_printf(t, "%.*s%s", (int)size, open + 1, strchr("sh", close[-1]) ? "es" : "s");
}

void finding_print(const prof_finding *f, char *out, size_t size)
{
    const char *open = strchr(f->text, '{'), *close = open ? strchr(open, '}') : NULL;
    char buffer[4096];
    text t;
    text_open_in(&t, NULL, NULL, buffer, sizeof buffer);
    text_bytes(&t, f->text, open ? (size_t)(open - f->text) : strlen(f->text));
    if (close)
        put_count(&t, f, open, close);
    text_str(&t, close ? close + 1 : "");
    if (f->place)
        text_printf(&t, " (%s%.200s)", f->count > 1 ? "first: " : "", f->place);
    snprintf(out, size, "%.*s", (int)t.used, buffer);
}

void findings_free(prof_findings *f)
{
    vec_free(&f->list);
    arena_free(&f->memory);
}
