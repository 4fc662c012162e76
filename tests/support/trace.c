#include "support/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "support/sample_run.h"
#include "support/support.h"

json_t *trace_events(const gcast_run *run, const gcast_report_options *o)
{
    json_error_t err;
    sample_text t = sample_report(run, GCAST_FORMAT_TRACE, o);
    json_t *root = json_loadb(t.data, t.size, JSON_REJECT_DUPLICATES, &err);
    if (!root)
        print_error("%d:%d: %s\n", err.line, err.column, err.text);
    assert_non_null(root);
    free(t.data);
    json_t *list = json_incref(json_object_get(root, "traceEvents"));
    json_decref(root);
    return list;
}

const char *trace_word(json_t *e, const char *key)
{
    const char *s = json_string_value(json_object_get(e, key));
    return s ? s : "";
}

int64_t trace_number(json_t *e, const char *key)
{
    return json_integer_value(json_object_get(e, key));
}

int64_t trace_ns(json_t *e, const char *key)
{
    double us = json_number_value(json_object_get(e, key));
    assert_true(us >= 0);
    return (int64_t)(us * 1000 + 0.5);
}

typedef struct slice {
    int64_t pid, tid, start, end;
    size_t place; /* in the file */
} slice;

static int order(const void *a, const void *b)
{
    const slice *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

/* Processes and threads that have a name; tid 0 is the process. */
typedef struct names {
    VEC(slice) at;
} names;

static void collect_names(json_t *list, names *n)
{
    size_t i;
    json_t *e;
    json_array_foreach(list, i, e)
    {
        const char *name = trace_word(e, "name");
        if (strcmp(name, "thread_name") != 0 && strcmp(name, "process_name") != 0)
            continue;
        assert_true(trace_word(json_object_get(e, "args"), "name")[0] != '\0');
        slice s = {.pid = trace_number(e, "pid"), .tid = trace_number(e, "tid"), .place = i};
        assert_true(vec_push(&n->at, s));
    }
    if (n->at.count)
        qsort(n->at.at, n->at.count, sizeof *n->at.at, order);
    for (i = 1; i < n->at.count; i++) /* nothing has two */
        assert_false(n->at.at[i].pid == n->at.at[i - 1].pid && n->at.at[i].tid == n->at.at[i - 1].tid);
}

static bool is_named(const names *n, int64_t pid, int64_t tid)
{
    size_t lo = 0, hi = n->at.count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        const slice *s = &n->at.at[middle];
        if (s->pid < pid || (s->pid == pid && s->tid < tid))
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < n->at.count && n->at.at[lo].pid == pid && n->at.at[lo].tid == tid;
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = words; (p = strstr(p, word)); p += length)
        if ((p == words || p[-1] == ' ') && (p[length] == ' ' || !p[length]))
            return true;
    return false;
}

/* The keys of an event, by its phase, as the Trace Event Format documents them; all of them must be there, but for a
 * thread in metadata of a process. */
static void assert_fields(json_t *e)
{
    static const struct {
        const char *phase, *keys;
    } kinds[] = {
        {"X", "ph name cat pid tid ts dur args"}, {"M", "ph name pid tid args"},         {"C", "ph name pid ts args"},
        {"s", "ph name cat id pid tid ts"},       {"f", "ph bp name cat id pid tid ts"},
    };
    size_t kind = 0, known = 0;
    const char *key;
    json_t *value;
    while (kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind].phase, trace_word(e, "ph")) != 0)
        kind++;
    assert_true(kind < sizeof kinds / sizeof *kinds);
    json_object_foreach(e, key, value)
    {
        bool is_time = strcmp(key, "ts") == 0 || strcmp(key, "dur") == 0;
        bool is_number = strcmp(key, "pid") == 0 || strcmp(key, "tid") == 0 || strcmp(key, "id") == 0;
        bool is_object = strcmp(key, "args") == 0;
        assert_true(has_word(kinds[kind].keys, key));
        assert_true(is_time     ? json_is_number(value)
                    : is_number ? json_is_integer(value)
                    : is_object ? json_is_object(value)
                                : json_is_string(value));
        if (is_time) /* importers cut at whole nanoseconds */
            assert_int_equal((int64_t)(json_number_value(value) * 1000.0), trace_ns(e, key));
        known++;
    }
    size_t expected = 1;
    for (const char *p = kinds[kind].keys; *p; p++)
        expected += *p == ' ';
    assert_true(known == expected || (*kinds[kind].phase == 'M' && known == expected - 1));
}

void trace_assert_tracks(json_t *list)
{
    VEC(slice) slices = {0};
    VEC(int64_t) open = {0}; /* ends of the slices that the next one may be in */
    size_t i;
    json_t *e;
    names named = {0};
    collect_names(list, &named);
    json_array_foreach(list, i, e)
    {
        assert_fields(e);
        if (strcmp(trace_word(e, "ph"), "X") != 0)
            continue;
        assert_true(trace_number(e, "tid") >= 1);
        slice s = {trace_number(e, "pid"), trace_number(e, "tid"), trace_ns(e, "ts"),
                   trace_ns(e, "ts") + trace_ns(e, "dur"), i};
        assert_true(s.end >= s.start);
        assert_true(vec_push(&slices, s));
    }
    if (slices.count)
        qsort(slices.at, slices.count, sizeof *slices.at, order);
    for (i = 0; i < slices.count; i++) {
        const slice *s = &slices.at[i];
        if (!i || s->pid != s[-1].pid || s->tid != s[-1].tid) {
            open.count = 0;
            assert_true(is_named(&named, s->pid, s->tid));
            assert_true(is_named(&named, s->pid, 0));
        } else
            assert_true(s->place > s[-1].place); /* in the file, too, a thread's times do not go back */
        while (open.count && open.at[open.count - 1] <= s->start)
            open.count--;
        assert_true(!open.count || s->end <= open.at[open.count - 1]);
        assert_true(vec_push(&open, s->end));
    }
    vec_free(&named.at);
    vec_free(&open);
    vec_free(&slices);
}

typedef struct arrow {
    int64_t id, ns;
    bool start;
} arrow;

static int by_id(const void *a, const void *b)
{
    const arrow *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return y->start - x->start;
}

void trace_assert_flows(json_t *list)
{
    VEC(arrow) arrows = {0};
    size_t i;
    json_t *e;
    json_array_foreach(list, i, e)
    {
        bool start = strcmp(trace_word(e, "ph"), "s") == 0;
        if (!start && strcmp(trace_word(e, "ph"), "f") != 0)
            continue;
        assert_string_equal(trace_word(e, "bp"), start ? "" : "e");
        assert_true(vec_push(&arrows, ((arrow){trace_number(e, "id"), trace_ns(e, "ts"), start})));
    }
    if (arrows.count)
        qsort(arrows.at, arrows.count, sizeof *arrows.at, by_id);
    assert_int_equal(arrows.count % 2, 0);
    for (i = 0; i < arrows.count; i += 2) {
        const arrow *a = &arrows.at[i];
        assert_true(a[0].start && !a[1].start && a[0].id == a[1].id && a[0].ns <= a[1].ns);
        assert_true(i + 2 == arrows.count || a[2].id != a[0].id);
    }
    vec_free(&arrows);
}

size_t trace_count(json_t *list, const char *phase)
{
    size_t i, n = 0;
    json_t *e;
    json_array_foreach(list, i, e) n += strcmp(trace_word(e, "ph"), phase) == 0;
    return n;
}
