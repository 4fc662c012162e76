#include "support/support.h"

#include <math.h>
#include <stdlib.h>

#include "base/json_out.h"

static void is_written(text *made, const char *want)
{
    char *got = text_take(made, NULL);
    assert_string_equal(got, want);
    free(got);
}

static void values(json_out *j)
{
    static const char *const words[] = {"a", "b"};
    text made;
    text_open(&made, NULL, NULL);
    text_str(&made, "x\ny");
    json_put_int(j, "least", INT64_MIN + 1);
    json_put_int(j, "unknown", JSON_UNKNOWN);
    json_put_count(j, "most", UINT64_MAX);
    json_put_decimals(j, "half", 1, 0.5);
    json_put_decimals(j, "nan", 1, NAN);
    json_put_milli(j, "milli", -1500);
    json_put_bool(j, "true", true);
    json_put_name(j, "name", "word");
    json_line(j);
    json_put_text(j, "text", "\"");
    json_put_text(j, "no_text", NULL);
    json_put_made(j, "made", &made);
    json_put_list(j, "texts", json_texts(j, words, 2));
}

static void records_and_lists(void **state)
{
    (void)state;
    text t;
    json_out *j = &(json_out){.out = &t, .indent = 1};
    text_open(&t, NULL, NULL);
    json_put_record(j, NULL, values(j));
    is_written(&t,
               "{\"least\": -9223372036854775807, \"unknown\": null, \"most\": 18446744073709551615, \"half\": 0.5, "
               "\"nan\": null, \"milli\": -1.500, \"true\": true, \"name\": \"word\",\n \"text\": \"\\\"\", "
               "\"no_text\": null, \"made\": \"x\\u000ay\", \"texts\": [\"a\", \"b\"]}");
}

static void lines_without_indentation(void **state)
{
    (void)state;
    text t;
    json_out *j = &(json_out){.out = &t};
    text_open(&t, NULL, NULL);
    json_begin(j, NULL, '[');
    json_line(j);
    json_put_int(j, NULL, 1);
    json_line(j);
    json_begin(j, NULL, '{');
    json_end(j, '}');
    json_put_int(j, NULL, 2);
    json_end(j, ']');
    is_written(&t, "[\n1,\n{},2]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(records_and_lists),
                                       cmocka_unit_test(lines_without_indentation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
