/* References: names and their encoding, several files, and files of the same folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/amalthea.h"

#define TASK(stimuli) "<swModel><tasks name=\"t\" " stimuli "/></swModel>"
#define STIMULI(inner) "<stimuliModel>" inner "</stimuliModel>"
#define INTER(name) "<stimuli xsi:type=\"am:InterProcessStimulus\" name=\"" name "\"/>"
#define HREF(target)                                                                                                   \
    "<swModel><tasks name=\"t\"><stimuli xsi:type=\"am:InterProcessStimulus\" href=\"" target "\"/></tasks></swModel>"

static void assert_first_stimulus(const char *body, const char *name)
{
    am_model *m = amalthea_new(body);
    assert_int_equal(m->tasks[0].stimulus_count, 1);
    assert_string_equal(m->stimuli[m->tasks[0].stimuli[0]].name, name);
    amalthea_free(m);
}

static void test_encoding(void **state)
{
    (void)state;
    assert_first_stimulus(TASK("stimuli=\"a?type=InterProcessStimulus\"") STIMULI(INTER("b") INTER("a")), "a");
    assert_first_stimulus(TASK("stimuli=\"E%2FE+System%3A?type=InterProcessStimulus\"") STIMULI(INTER("E/E System:")),
                          "E/E System:");
    assert_first_stimulus(TASK("stimuli=\"%C3%bc%2B?type=InterProcessStimulus\"") STIMULI(INTER("\xc3\xbc+")),
                          "\xc3\xbc+");
    assert_first_stimulus(TASK("stimuli=\"a%3Ftype%3Db?type=InterProcessStimulus\"") STIMULI(INTER("a?type=b")),
                          "a?type=b");
    /* A name that is not there is called so by the schema's own tools. */
    assert_first_stimulus(TASK("stimuli=\"no-name?type=InterProcessStimulus\"")
                              STIMULI("<stimuli xsi:type=\"am:InterProcessStimulus\"/>"),
                          "");
}

static void test_lists(void **state)
{
    (void)state;
    am_model *m = amalthea_new(TASK("stimuli=\"a?type=InterProcessStimulus  b?type=InterProcessStimulus\"")
                                   STIMULI(INTER("a") INTER("b")));
    assert_int_equal(m->tasks[0].stimulus_count, 2);
    assert_int_equal(m->tasks[0].stimuli[1], 1);
    amalthea_free(m);
    m = amalthea_new(TASK("stimuli=\"\""));
    assert_int_equal(m->tasks[0].stimulus_count, 0);
    amalthea_free(m);
}

/* Equal names of different classes are different elements. */
static void test_classes(void **state)
{
    (void)state;
    am_model *m =
        amalthea_new("<swModel><tasks name=\"x\"/><isrs name=\"x\"/><runnables name=\"x\"/><labels name=\"x\"/>"
                     "<processChains name=\"x\" processes=\"x?type=ISR x?type=Task\"/></swModel>");
    assert_int_equal(m->task_count, 2);
    assert_true(m->tasks[1].isr);
    assert_int_equal(m->process_chains[0].tasks[0], 1);
    assert_int_equal(m->process_chains[0].tasks[1], 0);
    amalthea_free(m);
}

static void test_name_spaces(void **state)
{
    (void)state;
    am_model *m =
        amalthea_new("<commonElements><namespaces name=\"a\"/></commonElements><swModel><tasks name=\"t\">"
                     "<activityGraph><items xsi:type=\"am:RunnableCall\" runnable=\"a/b%2F/f?type=Runnable\"/><items "
                     "xsi:type=\"am:RunnableCall\" runnable=\"f?type=Runnable\"/></activityGraph></tasks>"
                     "<runnables name=\"f\"/><runnables name=\"f\" namespace=\"a/b%2F?type=Namespace\"/></swModel>");
    assert_int_equal(m->tasks[0].items[0].runnable, 1);
    assert_int_equal(m->tasks[0].items[1].runnable, 0);
    amalthea_free(m);
}

static void test_wrong(void **state)
{
    (void)state;
    assert_refused(TASK("stimuli=\"a?type=PeriodicStimulus\"") STIMULI(INTER("a")),
                   "stimuli: there is no PeriodicStimulus 'a' in this file");
    assert_refused(TASK("stimuli=\"a\""), "'a' is not a reference such as Name?type=Class");
    assert_refused(TASK("stimuli=\"?type=\""), "is not a reference");
    assert_refused(TASK("stimuli=\"%4?type=Task\""), "is not a reference");
    assert_refused(TASK("stimuli=\"%00?type=Task\""), "is not a reference");
    assert_refused(TASK("stimuli=\"t?type=Task\""), "'t' is a Task, not a stimulus");
    assert_refused(TASK("stimuli=\"a?type=InterProcessStimulus\"") STIMULI(INTER("a") "\n" INTER("a")),
                   "there are 2 InterProcessStimulus with the name 'a': model.amxmi:3 and model.amxmi:4");
    /* Names that are there twice hurt only where somebody refers to them. */
    am_model *m = amalthea_new(STIMULI(INTER("a") INTER("a")));
    assert_int_equal(m->stimulus_count, 2);
    amalthea_free(m);
}

static void test_where(void **state)
{
    (void)state;
    char *text = amalthea_text("3.3.0", "<swModel>\n\n<tasks name=\"big\" stimuli=\"a?type=X\"/></swModel>");
    am_model *m;
    gcast_error err;
    assert_int_equal(amalthea_read_memory("m.amxmi", text, strlen(text), &m, &err), GCAST_INPUT);
    assert_string_equal(err.file, "m.amxmi");
    assert_string_equal(err.path, "/swModel/tasks[big]");
    assert_int_equal(err.line, 5);
    free(text);
}

static void test_hrefs(void **state)
{
    (void)state;
    assert_first_stimulus(HREF("amlt:/#a?type=InterProcessStimulus") STIMULI(INTER("a")), "a");
    assert_first_stimulus(HREF("other.amxmi#a+b?type=InterProcessStimulus") STIMULI(INTER("a b")), "a b");
    assert_first_stimulus(HREF("amlt:/#a%252F%3Ftype%3DInterProcessStimulus") STIMULI(INTER("a/")), "a/");
    assert_refused(HREF("amlt:/#a?type=InterProcessStimulus"), "there is no InterProcessStimulus 'a'");
}

static gcast_status read_paths(const char *const *paths, size_t count, am_model **m, gcast_error *err)
{
    *m = NULL;
    return amalthea_read(paths, count, m, err);
}

#define SPLIT(name) AMALTHEA_DATA "split/democar-" name ".amxmi"

static void assert_democar(const am_model *m, size_t files)
{
    assert_int_equal(m->file_count, files);
    assert_int_equal(m->task_count, 3);
    assert_int_equal(m->runnable_count, 43);
    assert_int_equal(m->label_count, 71);
    assert_int_equal(m->stimulus_count, 3);
    const am_task *t = amalthea_task(m, "Task_10MS");
    assert_string_equal(m->stimuli[t->stimuli[0]].name, "Timer_10MS");
    assert_non_null(strstr(m->stimuli[t->stimuli[0]].at.file, "democar-stimuli.amxmi"));
    assert_non_null(strstr(t->at.file, "democar-sw.amxmi"));
}

static void test_split(void **state)
{
    (void)state;
    static const char *const all[] = {SPLIT("common"), SPLIT("hw"),      SPLIT("os"),
                                      SPLIT("req"),    SPLIT("stimuli"), SPLIT("sw")};
    static const char *const folder[] = {AMALTHEA_DATA "split"}, *const sw[] = {SPLIT("sw")},
                             *const req[] = {SPLIT("req")};
    am_model *m;
    gcast_error err;
    assert_ok(read_paths(all, 6, &m, &err), &err);
    assert_democar(m, 6);
    assert_string_equal(m->tasks[m->limits[0].entity].name, "Task_5MS");
    amalthea_free(m);
    assert_ok(read_paths(folder, 1, &m, &err), &err);
    assert_democar(m, 6);
    assert_int_equal(m->unit_count, 2);
    amalthea_free(m);
    /* One file, and those of its folder that it needs: tags have no meaning. */
    assert_ok(read_paths(sw, 1, &m, &err), &err);
    assert_democar(m, 2);
    assert_int_equal(amalthea_unknown(m, "runnables/tags")->meaning, AM_UNUSED_HARMLESS);
    amalthea_free(m);
    /* What that one needs is read too. */
    assert_ok(read_paths(req, 1, &m, &err), &err);
    assert_democar(m, 3);
    amalthea_free(m);
}

/* A folder of its own, with files that the test writes. */
typedef struct folder {
    char path[64];
    char file[8][100];
    size_t count;
} folder;

static void folder_open(folder *f)
{
    *f = (folder){0};
    strcpy(f->path, "/tmp/amalthea-XXXXXX");
    assert_non_null(mkdtemp(f->path));
}

static void folder_put(folder *f, const char *name, const char *version, const char *body)
{
    char *text = amalthea_text(version, body);
    char path[100];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    strcpy(f->file[f->count++], path);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    free(text);
}

static void folder_close(folder *f)
{
    while (f->count)
        unlink(f->file[--f->count]);
    assert_int_equal(rmdir(f->path), 0);
}

static void test_siblings(void **state)
{
    (void)state;
    folder f;
    am_model *m;
    gcast_error err;
    folder_open(&f);
    folder_put(&f, "a.amxmi", "3.3.0", HREF("amlt:/#s?type=InterProcessStimulus"));
    const char *first[] = {f.file[0]};
    assert_int_equal(read_paths(first, 1, &m, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "there is no InterProcessStimulus 's' in this file"));
    folder_put(&f, "broken.amxmi", "3.3.0", "<swModel>");
    folder_put(&f, "older.amxmi", "2.0.0", STIMULI(INTER("s")));
    folder_put(&f, "other.amxmi", "3.3.0", STIMULI(INTER("r")));
    folder_put(&f, "stimuli.xml", "3.3.0", STIMULI(INTER("s")));
    assert_int_equal(read_paths(first, 1, &m, &err), GCAST_INPUT); /* none of these is it */
    folder_put(&f, "b.amxmi", "3.3.0", STIMULI(INTER("s")));
    assert_ok(read_paths(first, 1, &m, &err), &err);
    assert_int_equal(m->file_count, 2);
    assert_string_equal(m->files[1], f.file[5]);
    assert_int_equal(m->stimulus_count, 1);
    amalthea_free(m);
    folder_put(&f, "c.amxmi", "3.3.0", STIMULI(INTER("s")));
    assert_int_equal(read_paths(first, 1, &m, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "b.amxmi and "));
    assert_non_null(strstr(err.message, "c.amxmi define the InterProcessStimulus 's' of another file"));
    const char *named[] = {f.file[0], f.file[6]};
    assert_ok(read_paths(named, 2, &m, &err), &err);
    assert_string_equal(m->files[1], f.file[6]);
    amalthea_free(m);
    folder_close(&f);
}

/* References that name a file lead to it, wherever it is; one file is read once. */
static void test_named_files(void **state)
{
    (void)state;
    folder f, g;
    am_model *m;
    gcast_error err;
    char body[400];
    folder_open(&f);
    folder_open(&g);
    snprintf(body, sizeof body, HREF("..%s/s.amxmi#s?type=InterProcessStimulus"), strrchr(g.path, '/'));
    folder_put(&f, "a.amxmi", "3.3.0", body);
    const char *paths[] = {f.file[0], f.file[0], f.path};
    assert_int_equal(read_paths(paths, 1, &m, &err), GCAST_INPUT);
    assert_non_null(strstr(err.file, "s.amxmi"));
    folder_put(&g, "s.amxmi", "3.3.0", STIMULI(INTER("s")));
    folder_put(&g, "t.amxmi", "3.3.0", STIMULI(INTER("s")));
    assert_ok(read_paths(paths, 3, &m, &err), &err);
    assert_int_equal(m->file_count, 2);
    assert_int_equal(m->task_count, 1);
    assert_string_equal(m->stimuli[m->tasks[0].stimuli[0]].name, "s");
    amalthea_free(m);
    folder_close(&f);
    folder_close(&g);
}

static void test_paths(void **state)
{
    (void)state;
    folder f;
    am_model *m;
    gcast_error err;
    folder_open(&f);
    const char *paths[] = {f.path};
    assert_int_equal(read_paths(paths, 1, &m, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the folder has no .amxmi file");
    assert_int_equal(read_paths(NULL, 0, &m, &err), GCAST_INPUT);
    folder_put(&f, "a.amxmi", "2.0.0", "<swModel/>");
    folder_put(&f, "b.amxmi", "2.1.0", "<swModel/>");
    assert_int_equal(read_paths(paths, 1, &m, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "its schema is 2.1.0, that of "));
    const char *none[] = {"/tmp/there/is/no/such.amxmi"};
    assert_int_equal(read_paths(none, 1, &m, &err), GCAST_INPUT);
    assert_string_equal(err.file, none[0]);
    folder_close(&f);
}

static void test_versions(void **state)
{
    (void)state;
    static const char *const good[] = {"0.9.4", "0.9.9", "1.0.0", "1.1.0", "2.2.0", "3.0.0", "3.3.0", "3.9.1"};
    static const char *const bad[] = {"0.9.3", "0.8.3", "4.0.0", "10.0.0", "", "x", "3", "3.x", "1.2.3.4", "-1.0.0"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        am_model *m = amalthea_of(good[i], "");
        assert_string_equal(m->version, good[i]);
        amalthea_free(m);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char part[64];
        snprintf(part, sizeof part, "its schema is %s; gridcast reads versions from 0.9.4 to 3.x", bad[i]);
        assert_refused_in(bad[i], "", part);
    }
    static const char old[] = "<central:AMALTHEA xmlns:central=\"http://www.amalthea.itea2.org/model/1.3.0/central\"/>";
    amalthea_refused_bytes(old, strlen(old), "it is an AMALTHEA model of schema 1.3.0/central", __FILE__, __LINE__);
    static const char none[] = "<Amalthea/>";
    amalthea_refused_bytes(none, strlen(none), "it is not an AMALTHEA model", __FILE__, __LINE__);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encoding),    cmocka_unit_test(test_lists), cmocka_unit_test(test_classes),
        cmocka_unit_test(test_name_spaces), cmocka_unit_test(test_wrong), cmocka_unit_test(test_where),
        cmocka_unit_test(test_hrefs),       cmocka_unit_test(test_split), cmocka_unit_test(test_siblings),
        cmocka_unit_test(test_named_files), cmocka_unit_test(test_paths), cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
