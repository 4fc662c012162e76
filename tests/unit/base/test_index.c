#include "support/support.h"

#include <string.h>

#include "base/index.h"

static void finds_added_values(void **state)
{
    (void)state;
    hash_index x = {0};
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(index_add(&x, index_hash(&i, sizeof i), i));
    assert_int_equal(x.count, 1000);
    for (uint32_t i = 0; i < 2000; i++) {
        bool found = false;
        for (index_probe p = index_start(&x, index_hash(&i, sizeof i)); index_next(&x, &p);)
            found = found || p.value == i;
        assert_int_equal(found, i < 1000);
    }
    index_free(&x);
}

static void gives_all_of_one_hash(void **state)
{
    (void)state;
    hash_index x = {0};
    index_probe empty = index_start(&x, 5);
    assert_false(index_next(&x, &empty));
    unsigned seen = 0;
    for (uint32_t i = 0; i < 20; i++)
        assert_true(index_add(&x, i < 10 ? 5 : 21, i)); /* neighbours that share slots */
    for (index_probe p = index_start(&x, 5); index_next(&x, &p);)
        seen |= 1u << p.value;
    assert_int_equal(seen, 0x3ff);
    index_free(&x);
}

static void texts_differ(void **state)
{
    (void)state;
    assert_true(index_hash_text("K1") != index_hash_text("K2"));
    assert_true(index_hash_text("") != index_hash_text("a"));
    assert_true(index_hash_text("abc") == index_hash("abc", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_added_values),
        cmocka_unit_test(gives_all_of_one_hash),
        cmocka_unit_test(texts_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
