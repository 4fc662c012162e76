#include "profile/profile_gpus.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/api.h"
#include "gridcast/read.h"
#include "model/gpu.h"

/* Words that may be missing in one of the two names. */
static bool is_family(const char *word, size_t size)
{
    static const char *const families[] = {"nvidia", "geforce", "tesla", "quadro", "sxm"};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strlen(families[i]) == size && strncmp(families[i], word, size) == 0)
            return true;
    return false;
}

/* Reads the next word of letters and digits, in lower case. Returns its size; 0: there is none. */
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
static int matching_words(const char *title, const char *name)
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

/* Keeps letters and digits of a name, in lower case: "NVIDIA GeForce RTX 2080 Ti" contains the preset "rtx2080ti". */
static void squeeze(const char *name, char *out, size_t size)
{
    size_t used = 0;
    for (; *name && used + 1 < size; name++)
        if (isalnum((unsigned char)*name))
            out[used++] = (char)tolower((unsigned char)*name);
    out[used] = '\0';
}

/* Does the GPU's name contain that of the preset? Asked before the preset is read. */
static bool may_match(const char *preset, const char *name)
{
    char part[64], whole[256];
    squeeze(preset, part, sizeof part);
    squeeze(name, whole, sizeof whole);
    return strstr(whole, part) != NULL;
}

/* Finds the preset for the GPU's name, which is that of the driver. The preset has at least as many SMs: a process may
 * have a part of them (MPS). NULL: there is none. */
static gcast_status find_preset(const prof_gpu *recorded, gcast_gpu **gpu, gcast_error *err)
{
    int most = 0;
    *gpu = NULL;
    for (size_t i = 0; recorded && recorded->name && i < gcast_preset_count(); i++) {
        gcast_gpu *preset;
        if (!may_match(gcast_preset_name(i), recorded->name))
            continue;
        gcast_status status = gcast_gpu_preset(gcast_preset_name(i), &preset, err);
        if (status != GCAST_OK) {
            gcast_gpu_free(*gpu);
            *gpu = NULL;
            return status;
        }
        int words = matching_words(preset->title, recorded->name);
        if (words > most && recorded->sms <= preset->sms) {
            gcast_gpu_free(*gpu);
            *gpu = preset;
            most = words;
        } else {
            gcast_gpu_free(preset);
        }
    }
    return GCAST_OK;
}

/* Is it the name of a GPU that is not by NVIDIA? */
static bool is_other_maker(const char *name)
{
    static const char *const makers[] = {"amd", "radeon", "instinct", "intel", "apple"};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (has_word(name, makers[i]))
            return true;
    return false;
}

/* A profile of a GPU that is not by NVIDIA is an error, whatever the caller says. */
static gcast_status check_maker(const prof_trace *t, const prof_gpu *recorded, gcast_error *err)
{
    if (recorded && recorded->name && is_other_maker(recorded->name))
        return gcast_error_set(err, GCAST_INPUT, NULL,
                               "the profile is of an %.100s, but gridcast only knows NVIDIA GPUs", recorded->name);
    for (size_t i = 0; i < t->call_count; i++)
        if (strncmp(t->calls[i].name, "hip", 3) == 0)
            return gcast_error_set(err, GCAST_INPUT, NULL,
                                   "the profile has calls of HIP (%.60s), but gridcast only knows NVIDIA GPUs",
                                   t->calls[i].name);
    return GCAST_OK;
}

/* A GPU must be given; says what the profile says about it (NULL: nothing). */
static gcast_status ask_for_gpu(const prof_gpu *recorded, gcast_error *err)
{
    if (!recorded || !recorded->name)
        gcast_error_set(err, GCAST_INPUT, NULL, "the profile does not name its GPU");
    else if (recorded->sms && recorded->cc_major)
        gcast_error_set(
            err, GCAST_INPUT, NULL,
            "the profile is of a %.100s, which is not among the presets (\"cc:%d.%d sms:%d\" stands for it)",
            recorded->name, recorded->cc_major, recorded->cc_minor, recorded->sms);
    else
        gcast_error_set(err, GCAST_INPUT, NULL, "the profile is of a %.100s, which is not among the presets",
                        recorded->name);
    return hint_add(err, GCAST_HINT_GPU, GCAST_INPUT);
}

/* One of several GPUs must be named (`asked` is PROF_UNKNOWN), or nothing ran on the GPU `asked`. */
static gcast_status ask_for_device(const prof_trace *t, int64_t asked, gcast_error *err)
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
        return gcast_error_set(err, GCAST_INPUT, NULL,
                               "nothing ran on GPU %lld of the profile; operations ran on GPU %s", (long long)asked,
                               list);
    return hint_add(err, GCAST_HINT_DEVICE,
                    gcast_error_set(err, GCAST_INPUT, NULL, "the profile has several GPUs: %s", list));
}

static bool is_used(const prof_trace *t, int64_t device)
{
    for (size_t i = 0; i < t->op_count; i++)
        if (t->streams[t->ops[i].stream].device == device)
            return true;
    return false;
}

gcast_status profile_gpus_choose(const prof_trace *t, int64_t device, gcast_gpu **gpu, gcast_gpu **recorded_on,
                                 int *partition_sms, gcast_error *err)
{
    int64_t devices[2];
    size_t count = prof_devices(t, devices, 2);
    *recorded_on = NULL;
    *partition_sms = 0;
    if (count > 1 && device == PROF_UNKNOWN)
        return ask_for_device(t, PROF_UNKNOWN, err);
    if (device != PROF_UNKNOWN && count && !is_used(t, device))
        return ask_for_device(t, device, err);
    const prof_gpu *recorded = prof_gpu_of(t, device == PROF_UNKNOWN && count ? devices[0] : device);
    gcast_status status = check_maker(t, recorded, err);
    if (status == GCAST_OK)
        status = find_preset(recorded, recorded_on, err);
    if (status != GCAST_OK)
        return status;
    if (!*gpu && !*recorded_on)
        return count ? ask_for_gpu(recorded, err) : GCAST_OK;
    bool has_part = *recorded_on && recorded->sms && recorded->sms < (*recorded_on)->sms;
    *partition_sms = has_part && !*gpu ? recorded->sms : 0;
    if (!*gpu)
        status = gcast_gpu_copy(*recorded_on, gpu, err);
    return status == GCAST_OK && has_part ? gcast_gpu_partition(*recorded_on, recorded->sms, err) : status;
}
