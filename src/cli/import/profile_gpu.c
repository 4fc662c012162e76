#include "cli/import/profile_gpu.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/say.h"
#include "gridcast/read.h"
#include "profile/devices.h"

/* Words that one of the two names may lack. */
static bool is_family(const char *word, size_t size)
{
    static const char *const families[] = {"nvidia", "geforce", "tesla", "quadro", "sxm"};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strlen(families[i]) == size && strncmp(families[i], word, size) == 0)
            return true;
    return false;
}

/* The next word of letters and digits, in lower case; its size, 0: there is none. */
static size_t next_word(const char **at, char word[32])
{
    size_t size = 0;
    while (**at && !isalnum((unsigned char)**at))
        ++*at;
    for (; isalnum((unsigned char)**at); ++*at)
        if (size + 1 < 32)
            word[size++] = (char)tolower((unsigned char)**at);
    word[size] = '\0';
    return size;
}

static bool has_word(const char *name, const char *word)
{
    char other[32];
    while (next_word(&name, other))
        if (strcmp(other, word) == 0)
            return true;
    return false;
}

/* How many words of the preset's title the name has; 0: it lacks one. */
static int words_in(const char *title, const char *name)
{
    char word[32];
    int count = 0;
    for (size_t size; (size = next_word(&title, word)) > 0;) {
        if (is_family(word, size))
            continue;
        if (!has_word(name, word))
            return 0;
        count++;
    }
    return count;
}

/* Letters and digits of a name, in lower case: "NVIDIA GeForce RTX 2080 Ti" has the preset's "rtx2080ti". */
static void squeeze(const char *name, char *out, size_t size)
{
    size_t used = 0;
    for (; *name && used + 1 < size; name++)
        if (isalnum((unsigned char)*name))
            out[used++] = (char)tolower((unsigned char)*name);
    out[used] = '\0';
}

/* Can the preset be meant? Asked before it is read. */
static bool may_be(const char *preset, const char *name)
{
    char part[64], whole[256];
    squeeze(preset, part, sizeof part);
    squeeze(name, whole, sizeof whole);
    return strstr(whole, part) != NULL;
}

gcast_status profile_gpu_find(const prof_gpu *told, gcast_gpu **gpu)
{
    int most = 0;
    gcast_error err;
    *gpu = NULL;
    for (size_t i = 0; told && told->name && i < gcast_preset_count(); i++) {
        gcast_gpu *preset;
        if (!may_be(gcast_preset_name(i), told->name))
            continue;
        if (gcast_gpu_preset(gcast_preset_name(i), &preset, &err) != GCAST_OK) {
            gcast_gpu_free(*gpu);
            *gpu = NULL;
            return say_error(&err);
        }
        int words = words_in(preset->title, told->name);
        if (words > most && told->sms <= preset->sms) {
            gcast_gpu_free(*gpu);
            *gpu = preset;
            most = words;
        } else {
            gcast_gpu_free(preset);
        }
    }
    return GCAST_OK;
}

/* Is it the name of a GPU of another maker? */
static bool is_other_maker(const char *name)
{
    static const char *const makers[] = {"amd", "radeon", "instinct", "intel", "apple"};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (has_word(name, makers[i]))
            return true;
    return false;
}

gcast_status profile_gpu_check(const prof_trace *t, const prof_gpu *told)
{
    if (told && told->name && is_other_maker(told->name))
        return say(GCAST_INPUT,
                   "the profile is of an %.100s, which is no NVIDIA GPU: rules and times of none like it are known",
                   told->name);
    for (size_t i = 0; i < t->call_count; i++)
        if (strncmp(t->calls[i].name, "hip", 3) == 0)
            return say(GCAST_INPUT,
                       "the profile has calls of HIP (%.60s), so it is of no NVIDIA GPU: rules and times of none "
                       "like it are known",
                       t->calls[i].name);
    return GCAST_OK;
}

gcast_status profile_gpu_ask(const prof_gpu *told)
{
    if (!told || !told->name)
        return say(GCAST_INPUT,
                   "the profile does not say which GPU it is of: --gpu NAME does, and gridcast gpus lists them");
    if (told->sms && told->cc_major)
        return say(GCAST_INPUT,
                   "the profile is of a %.100s, which is not among the presets: --gpu \"cc:%d.%d sms:%d\" stands for "
                   "it, or a GPU file",
                   told->name, told->cc_major, told->cc_minor, told->sms);
    return say(GCAST_INPUT, "the profile is of a %.100s, which is not among the presets: --gpu NAME names one for it",
               told->name);
}

gcast_status profile_gpu_ask_device(const prof_trace *t, int64_t asked)
{
    int64_t devices[16];
    char list[600] = "";
    size_t count = prof_devices(t, devices, 16), used = 0;
    for (size_t i = 0; i < count && used + 40 < sizeof list; i++) {
        const prof_gpu *gpu = prof_gpu_of(t, devices[i]);
        int n = snprintf(list + used, sizeof list - used, "%s%lld%s%.40s%s", i ? ", " : "", (long long)devices[i],
                         gpu && gpu->name ? " (" : "", gpu && gpu->name ? gpu->name : "", gpu && gpu->name ? ")" : "");
        used += n > 0 ? (size_t)n : 0;
    }
    if (asked != PROF_UNKNOWN)
        return say(GCAST_INPUT, "nothing ran on GPU %lld of the profile, but on %s", (long long)asked, list);
    return say(GCAST_INPUT, "the profile has several GPUs: --device N says which one: %s", list);
}
