/* Mappings that are written back: what changes, and that nothing else does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/amalthea.h"

/* A system of the model's tasks and cores, as far as a mapping needs it: every task can run anywhere. */
typedef struct small_system {
    sys_system s;
    sys_core cores[16];
    sys_task tasks[32];
    sys_place places[32], moved[32];
    sys_choice choices[32];
    sys_step step;
    sys_range time;
} small_system;

static int core_named(const small_system *x, const char *name)
{
    for (size_t i = 0; i < x->s.core_count; i++)
        if (strcmp(x->cores[i].name, name) == 0)
            return (int)i;
    return SYS_GPU;
}

static bool waits_busy(const am_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].active || waits_busy(items[i].items, items[i].item_count))
            return true;
    return false;
}

static void system_of(const am_model *m, small_system *x)
{
    *x = (small_system){0};
    x->time = (sys_range){1, 1};
    x->step = (sys_step){.kind = SYS_RUN, .name = "f", .on = &x->time, .access = &x->time, .on_gpu = true};
    x->s.gpu_name = "";
    for (size_t i = 0; i < m->unit_count; i++) {
        const am_unit *u = &m->units[i];
        if (u->kind != AM_UNIT_PROCESSOR)
            continue;
        if (u->definition >= 0 && m->definitions[u->definition].pu == AM_PU_GPU)
            x->s.gpu_name = u->name;
        else
            x->cores[x->s.core_count++].name = u->name;
    }
    for (size_t i = 0; i < m->task_count; i++) {
        x->tasks[i] = (sys_task){.name = m->tasks[i].name,
                                 .isr = m->tasks[i].isr,
                                 .arrival = SYS_TRIGGERED,
                                 .steps = &x->step,
                                 .step_count = 1};
        x->places[i].busy = waits_busy(m->tasks[i].items, m->tasks[i].item_count);
        for (size_t a = 0; a < m->allocation_count; a++) {
            const am_allocation *allocation = &m->allocations[a];
            if (allocation->task != (int)i)
                continue;
            x->places[i].priority = allocation->priority;
            if (allocation->affinity_count)
                x->places[i].core = core_named(x, m->units[allocation->affinity[0]].name);
        }
        x->moved[i] = x->places[i];
    }
    x->s.cores = x->cores;
    x->s.tasks = x->tasks;
    x->s.task_count = m->task_count;
    x->s.places = x->places;
    x->s.choices = x->choices;
    static gcast_gpu gpu; /* only that there is one matters */
    x->s.gpu = &gpu;
}

static sys_place *place_of(small_system *x, const char *task)
{
    for (size_t i = 0; i < x->s.task_count; i++)
        if (strcmp(x->tasks[i].name, task) == 0)
            return &x->moved[i];
    fail_msg("there is no %s", task);
    return NULL;
}

static char *write_ok(const am_model *m, small_system *x, const char *path)
{
    char *text;
    size_t size;
    gcast_error err;
    assert_ok(amalthea_write_mapping(m, &x->s, x->moved, path, &text, &size, &err), &err);
    assert_int_equal(strlen(text), size);
    return text;
}

static void write_refused(const am_model *m, small_system *x, const char *path, const char *part)
{
    char *text;
    size_t size;
    gcast_error err;
    assert_int_equal(amalthea_write_mapping(m, &x->s, x->moved, path, &text, &size, &err), GCAST_INPUT);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" instead of \"%s\"", err.message, part);
    assert_null(text);
}

/* How many lines differ; both texts have as many. */
static size_t lines_changed(const char *a, const char *b)
{
    size_t changed = 0;
    while (*a || *b) {
        size_t x = strcspn(a, "\n"), y = strcspn(b, "\n");
        changed += x != y || memcmp(a, b, x) != 0;
        a += x + (a[x] == '\n');
        b += y + (b[y] == '\n');
    }
    return changed;
}

static const char *const versions[] = {"0.9.8", "0.9.9", "1.0.0", "2.0.0"};

typedef struct waters_case {
    char name[80], path[400];
    am_model *m;
    small_system x;
    char *old;
} waters_case;

static void open_waters(waters_case *w, const char *version)
{
    size_t size;
    snprintf(w->name, sizeof w->name, "waters/waters-2019-%s.amxmi", version);
    snprintf(w->path, sizeof w->path, AMALTHEA_DATA "waters/waters-2019-%s.amxmi", version);
    w->m = amalthea_file(w->name);
    system_of(w->m, &w->x);
    char data[120];
    snprintf(data, sizeof data, "tests/data/amalthea/%s", w->name);
    w->old = support_read(data, &size);
}

static void close_waters(waters_case *w)
{
    amalthea_free(w->m);
    free(w->old);
}

/* Without a change the text is the same, byte for byte. */
static void test_nothing(void **state)
{
    (void)state;
    for (size_t v = 0; v < 4; v++) {
        waters_case w;
        open_waters(&w, versions[v]);
        char *text = write_ok(w.m, &w.x, w.path);
        assert_string_equal(text, w.old);
        free(text);
        close_waters(&w);
    }
}

/* Core, scheduler, priority and way of waiting, in both styles and with line ends of both kinds. */
static void test_move(void **state)
{
    (void)state;
    for (size_t v = 0; v < 4; v++) {
        waters_case w;
        open_waters(&w, versions[v]);
        place_of(&w.x, "EKF")->core = core_named(&w.x, "Core5");  /* the same scheduler */
        place_of(&w.x, "DASM")->core = core_named(&w.x, "Core1"); /* of Scheduler_Denver */
        place_of(&w.x, "Planner")->priority = 42;
        place_of(&w.x, "PRE_SFM_gpu_POST")->busy = false;
        place_of(&w.x, "PRE_Detection_gpu_POST")->busy = true;
        char *text = write_ok(w.m, &w.x, w.path);
        assert_int_equal(lines_changed(w.old, text), 5);
        am_model *m;
        gcast_error err;
        assert_ok(amalthea_read_memory("again", text, strlen(text), &m, &err), &err);
        const am_allocation *dasm = amalthea_allocation(m, "DASM");
        assert_string_equal(m->units[dasm->affinity[0]].name, "Core1");
        assert_string_equal(m->schedulers[dasm->scheduler].name, "Scheduler_Denver");
        assert_string_equal(m->schedulers[amalthea_allocation(m, "EKF")->scheduler].name, "Scheduler_A57");
        assert_int_equal(amalthea_allocation(m, "Planner")->priority, 42);
        assert_false(amalthea_task(m, "PRE_SFM_gpu_POST")->items[0].items[2].active);
        assert_true(amalthea_task(m, "PRE_Detection_gpu_POST")->items[0].items[2].active);
        amalthea_free(m);
        free(text);
        close_waters(&w);
    }
}

/* A kernel that goes to a core gets a priority; what it had for the GPU stays. */
static void test_from_gpu(void **state)
{
    (void)state;
    for (size_t v = 0; v < 4; v++) {
        waters_case w;
        open_waters(&w, versions[v]);
        place_of(&w.x, "SFM")->core = core_named(&w.x, "Core2");
        place_of(&w.x, "SFM")->priority = 7;
        char *text = write_ok(w.m, &w.x, w.path);
        am_model *m;
        gcast_error err;
        assert_ok(amalthea_read_memory("again", text, strlen(text), &m, &err), &err);
        const am_allocation *sfm = amalthea_allocation(m, "SFM");
        assert_string_equal(m->units[sfm->affinity[0]].name, "Core2");
        assert_string_equal(m->schedulers[sfm->scheduler].name, "Scheduler_A57");
        assert_true(sfm->has_priority && sfm->priority == 7);
        assert_int_equal(sfm->parameter_count, 2);
        assert_null(strstr(strstr(text, "task=\"SFM?type=Task\""), "\n\n"));
        const char *line = strstr(strstr(text, "task=\"SFM?type=Task\""), "<schedulingParameters");
        assert_memory_equal(line - 8, "\r\n      ", 8); /* in line with others, with their line ends */
        amalthea_free(m);
        free(text);
        close_waters(&w);
    }
}

static void test_to_gpu(void **state)
{
    (void)state;
    char path[] = AMALTHEA_DATA "waters/mapped-2.0.0.amxmi";
    am_model *m = amalthea_file("waters/mapped-2.0.0.amxmi"), *again;
    small_system x;
    gcast_error err;
    system_of(m, &x);
    place_of(&x, "Lane_detection")->core = SYS_GPU;
    place_of(&x, "OS_Overhead")->priority = 3; /* has none, in an element without an end tag */
    char *text = write_ok(m, &x, path);
    assert_ok(amalthea_read_memory("again", text, strlen(text), &again, &err), &err);
    const am_allocation *lane = amalthea_allocation(again, "Lane_detection");
    assert_string_equal(again->units[lane->affinity[0]].name, "GP10B");
    assert_string_equal(again->schedulers[lane->scheduler].name, "GPU_Sched");
    assert_int_equal(amalthea_allocation(again, "OS_Overhead")->priority, 3);
    assert_non_null(strstr(text, "affinity=\"Core5?type=ProcessingUnit\">\n"
                                 "      <schedulingParameters key=\"priority?type=SchedulingParameterDefinition\">\n"
                                 "        <value xsi:type=\"am:IntegerObject\" value=\"3\" />\n"
                                 "      </schedulingParameters>\n    </taskAllocation>\n"));
    amalthea_free(again);
    free(text);
    amalthea_free(m);
}

/* A file of its own, that is gone when the test is. */
typedef struct own_file {
    char path[40];
    am_model *m;
    small_system x;
} own_file;

static void open_own(own_file *f, const char *before, const char *version, const char *body)
{
    strcpy(f->path, "/tmp/amalthea-XXXXXX");
    int fd = mkstemp(f->path);
    assert_true(fd >= 0);
    FILE *out = fdopen(fd, "wb");
    char *text = amalthea_text(version, body);
    assert_true(fputs(before, out) >= 0 && fputs(text, out) >= 0 && fclose(out) == 0);
    free(text);
    const char *paths[] = {f->path};
    gcast_error err;
    assert_ok(amalthea_read(paths, 1, &f->m, &err), &err);
    system_of(f->m, &f->x);
}

static void close_own(own_file *f)
{
    amalthea_free(f->m);
    unlink(f->path);
}

#define PLATFORM                                                                                                       \
    "<hwModel><structures><modules xsi:type=\"am:ProcessingUnit\" name=\"c 0\"/><modules "                             \
    "xsi:type=\"am:ProcessingUnit\" name=\"c/1\"/></structures></hwModel><osModel><operatingSystems><taskSchedulers "  \
    "name=\"s0\"/><taskSchedulers name=\"s&lt;1\"/><interruptControllers name=\"i0\"/><interruptControllers "          \
    "name=\"i1\"/></operatingSystems></osModel>"
#define RESPONSIBLE                                                                                                    \
    "<schedulerAllocation scheduler=\"s0?type=TaskScheduler\" responsibility=\"c+0?type=ProcessingUnit\"/>"            \
    "<schedulerAllocation scheduler=\"s%3C1?type=TaskScheduler\" responsibility=\"c%2F1?type=ProcessingUnit\"/>"       \
    "<schedulerAllocation scheduler=\"i0?type=InterruptController\" responsibility=\"c+0?type=ProcessingUnit\"/>"      \
    "<schedulerAllocation scheduler=\"i1?type=InterruptController\" responsibility=\"c%2F1?type=ProcessingUnit\"/>"
#define ONE_TASK "<swModel><tasks name=\"t &amp; u\"/><isrs name=\"i\"/></swModel>"

/* A task without an allocation gets one; a byte order mark stays. */
static void test_new_allocation(void **state)
{
    (void)state;
    static const char *const mappings[][2] = {
        {"<mappingModel>\n  " RESPONSIBLE "\n</mappingModel>", "\n</mappingModel>"},
        {"<mappingModel>\n  " RESPONSIBLE "\n  <taskAllocation/><!-- last -->\n</mappingModel>", "<!-- last -->"},
    };
    for (size_t i = 0; i < 2; i++) {
        own_file f;
        char body[4000];
        snprintf(body, sizeof body, ONE_TASK PLATFORM "%s", mappings[i][0]);
        open_own(&f, "\xef\xbb\xbf", "1.0.0", body);
        place_of(&f.x, "t & u")->core = core_named(&f.x, "c/1");
        place_of(&f.x, "t & u")->priority = 5;
        char *text = write_ok(f.m, &f.x, f.path);
        assert_memory_equal(text, "\xef\xbb\xbf<?xml", 8);
        const char *added =
            strstr(text, "<taskAllocation task=\"t+%26+u?type=Task\" scheduler=\"s%3C1?type=TaskScheduler\" "
                         "affinity=\"c%2F1?type=ProcessingUnit\">\n    <schedulingParameters "
                         "priority=\"5\"/>\n  </taskAllocation>");
        assert_non_null(added);
        assert_non_null(strstr(added, mappings[i][1]));
        free(text);
        close_own(&f);
    }
}

/* Interrupts follow their controller. */
static void test_isr(void **state)
{
    (void)state;
    own_file f;
    open_own(&f, "", "3.0.0",
             ONE_TASK PLATFORM
             "<mappingModel>" RESPONSIBLE
             "<isrAllocation isr='i?type=ISR' controller='i0?type=InterruptController'/></mappingModel>");
    place_of(&f.x, "i")->core = core_named(&f.x, "c/1");
    place_of(&f.x, "i")->priority = 4;
    char *text = write_ok(f.m, &f.x, f.path);
    assert_non_null(
        strstr(text, "<isrAllocation isr='i?type=ISR' controller='i1?type=InterruptController' priority=\"4\"/>"));
    free(text);
    close_own(&f);
}

/* As a model writes that is in several files. */
static void test_hrefs(void **state)
{
    (void)state;
    own_file f;
    open_own(&f, "", "1.0.0",
             ONE_TASK PLATFORM
             "<mappingModel>" RESPONSIBLE
             "\n <taskAllocation>\n  <task href=\"amlt:/#t+%26+u?type=Task\"/>\n  <scheduler "
             "href=\"amlt:/#s0?type=TaskScheduler\"/>\n  <affinity href=\"amlt:/#c+0?type=ProcessingUnit\"/>\n"
             "  <affinity href=\"amlt:/#c+0?type=ProcessingUnit\"></affinity>\n </taskAllocation></mappingModel>");
    place_of(&f.x, "t & u")->core = core_named(&f.x, "c/1");
    place_of(&f.x, "t & u")->priority = 2;
    char *text = write_ok(f.m, &f.x, f.path);
    assert_non_null(
        strstr(text, "\n <taskAllocation>\n   <schedulingParameters priority=\"2\"/>\n  <task "
                     "href=\"amlt:/#t+%26+u?type=Task\"/>\n  <scheduler href=\"amlt:/#s%3C1?type=TaskScheduler\"/>\n"
                     "  <affinity href=\"amlt:/#c%2F1?type=ProcessingUnit\"/>\n </taskAllocation></mappingModel>"));
    free(text);
    close_own(&f);
}

static void test_refused(void **state)
{
    (void)state;
    own_file f;
    open_own(&f, "", "1.0.0", ONE_TASK PLATFORM);
    place_of(&f.x, "t & u")->core = core_named(&f.x, "c/1");
    write_refused(f.m, &f.x, f.path, "no scheduler of its kind is responsible for its new core");
    close_own(&f);
    open_own(&f, "", "2.0.0",
             ONE_TASK PLATFORM "<mappingModel>" RESPONSIBLE
                               "<taskAllocation task=\"t+%26+u?type=Task\"/></mappingModel>");
    place_of(&f.x, "t & u")->priority = 4;
    write_refused(f.m, &f.x, f.path, "the model defines no parameter called priority");
    place_of(&f.x, "t & u")->priority = 0;
    place_of(&f.x, "t & u")->busy = true;
    write_refused(f.m, &f.x, f.path, "waits for no event");
    f.x.moved[0] = f.x.places[0];
    f.x.tasks[0].name = "nobody";
    f.x.moved[0].priority = 9;
    write_refused(f.m, &f.x, f.path, "the model has no such task");
    close_own(&f);
}

/* What is in another file than the mapping stays there. */
static void test_split(void **state)
{
    (void)state;
    static const char *const paths[] = {AMALTHEA_DATA "split"};
    am_model *m;
    gcast_error err;
    small_system x;
    assert_ok(amalthea_read(paths, 1, &m, &err), &err);
    system_of(m, &x);
    place_of(&x, "Task_5MS")->busy = true;
    write_refused(m, &x, AMALTHEA_DATA "split/democar-os.amxmi", "the task is in another file");
    amalthea_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_move),           cmocka_unit_test(test_from_gpu),
        cmocka_unit_test(test_to_gpu),  cmocka_unit_test(test_new_allocation), cmocka_unit_test(test_isr),
        cmocka_unit_test(test_hrefs),   cmocka_unit_test(test_refused),        cmocka_unit_test(test_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
