#include "profile/reading.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

gcast_status prof_file_error(const char *file, gcast_status code, gcast_error *err, const char *format, ...)
{
    char message[sizeof err->message];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    gcast_error_set(err, code, NULL, "%s", message);
    if (err)
        snprintf(err->file, sizeof err->file, "%s", file);
    return code;
}

gcast_status prof_system_error(const char *file, int error_number, gcast_error *err)
{
    bool is_resource = error_number == ENOMEM || error_number == EMFILE || error_number == ENFILE;
    return prof_file_error(file, is_resource ? GCAST_RESOURCE : GCAST_INPUT, err, "%s", strerror(error_number));
}

typedef struct call_name {
    const char *start; /* prefix of the name behind "cuda" or "cu" */
    prof_call_kind kind;
} call_name;

/* The first match counts. */
static const call_name call_names[] = {
    {"LaunchHostFunc", PROF_CALL_OTHER},
    {"Launch", PROF_CALL_LAUNCH},
    {"GraphLaunch", PROF_CALL_GRAPH_LAUNCH},
    {"Memcpy", PROF_CALL_COPY},
    {"Memset", PROF_CALL_MEMSET},
    {"StreamSynchronize", PROF_CALL_STREAM_SYNC},
    {"DeviceSynchronize", PROF_CALL_DEVICE_SYNC},
    {"ThreadSynchronize", PROF_CALL_DEVICE_SYNC},
    {"CtxSynchronize", PROF_CALL_DEVICE_SYNC},
    {"EventSynchronize", PROF_CALL_EVENT_SYNC},
    {"EventRecord", PROF_CALL_EVENT_RECORD},
    {"StreamWaitEvent", PROF_CALL_STREAM_WAIT},
    {"MallocAsync", PROF_CALL_OTHER}, /* stream-ordered: the host does not wait */
    {"MallocFromPoolAsync", PROF_CALL_OTHER},
    {"MemAllocAsync", PROF_CALL_OTHER},
    {"MemAllocFromPoolAsync", PROF_CALL_OTHER},
    {"Malloc", PROF_CALL_MALLOC},
    {"HostAlloc", PROF_CALL_MALLOC},
    {"MemAlloc", PROF_CALL_MALLOC},
    {"MemHostAlloc", PROF_CALL_MALLOC},
    {"FreeAsync", PROF_CALL_OTHER},
    {"MemFreeAsync", PROF_CALL_OTHER},
    {"Free", PROF_CALL_FREE},
    {"MemFree", PROF_CALL_FREE},
};

prof_call_kind call_kind_of(const char *name)
{
    if (strncmp(name, "cuda", 4) == 0)
        name += 4;
    else if (strncmp(name, "cu", 2) == 0)
        name += 2;
    else
        return PROF_CALL_OTHER;
    for (size_t i = 0; i < sizeof call_names / sizeof call_names[0]; i++)
        if (strncmp(name, call_names[i].start, strlen(call_names[i].start)) == 0)
            return call_names[i].kind;
    return PROF_CALL_OTHER;
}

bool call_is_synchronous(const char *name)
{
    return strstr(name, "Async") == NULL;
}

/* A number with an exponent, which no profiler is known to write, is read as a double. */
static bool parse_exponent(const char *text, size_t size, int digits, int64_t *value)
{
    char copy[64];
    if (size >= sizeof copy)
        return false;
    memcpy(copy, text, size);
    copy[size] = '\0';
    char *end;
    double x = number_parse(copy, &end);
    for (int i = 0; i < digits; i++)
        x *= 10;
    if (!(x > -(double)DECIMAL_MAX && x < (double)DECIMAL_MAX))
        return false;
    *value = (int64_t)x;
    return true;
}

bool decimal_parse(const char *text, size_t size, int digits, int64_t *value, bool *is_whole)
{
    const char *p = text, *end = text + size;
    bool negative = p < end && *p == '-';
    int left = digits; /* digits of the fraction that still count */
    bool in_fraction = false;
    int64_t x = 0;
    *is_whole = true;
    if (memchr(text, 'e', size) || memchr(text, 'E', size))
        return parse_exponent(text, size, digits, value);
    for (p += negative; p < end; p++) {
        if (*p == '.') {
            in_fraction = true;
            continue;
        }
        *is_whole = *is_whole && (!in_fraction || *p == '0');
        if (in_fraction && left-- <= 0)
            continue;
        if (*p < '0' || *p > '9' || x > (DECIMAL_MAX - 9) / 10)
            return false;
        x = 10 * x + (*p - '0');
    }
    for (; left > 0; left--) {
        if (x > DECIMAL_MAX / 10)
            return false;
        x *= 10;
    }
    *value = negative ? -x : x;
    return true;
}
