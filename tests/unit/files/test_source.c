#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static char path[64];

static int make_file(void **state)
{
    (void)state;
    strcpy(path, "source_test_XXXXXX");
    int fd = mkstemp(path);
    if (fd >= 0)
        close(fd);
    return fd < 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void put(const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static void expect(const char *want, size_t length)
{
    gcast_error err;
    char *data;
    size_t size;
    assert_ok(gcast_file_read(path, &data, &size, &err), &err);
    assert_int_equal(size, length);
    assert_memory_equal(data, want, length);
    assert_int_equal(data[size], 0);
    free(data);
}

static void plain_bytes(void **state)
{
    (void)state;
    put("{}\0x", 4);
    expect("{}\0x", 4);
    put("", 0);
    expect("", 0);
}

static void large_gzip(void **state)
{
    (void)state;
    size_t size = 300000;
    char *text = malloc(size);
    for (size_t i = 0; i < size; i++)
        text[i] = "abcdefg\n"[i * i % 8];
    gzFile out = gzopen(path, "wb");
    assert_int_equal(gzwrite(out, text, (unsigned)size), size);
    assert_int_equal(gzclose(out), Z_OK);
    expect(text, size);
    free(text);
}

static void broken_gzip(void **state)
{
    (void)state;
    gzFile out = gzopen(path, "wb");
    for (int i = 0; i < 1000; i++)
        gzprintf(out, "%d ", i * 7919);
    assert_int_equal(gzclose(out), Z_OK);
    FILE *f = fopen(path, "rb");
    unsigned char bytes[4096];
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    gcast_error err;
    char *data;
    put(bytes, size - 20);
    assert_int_equal(gcast_file_read(path, &data, &size, &err), GCAST_INPUT);
    assert_string_equal(err.file, path);
    assert_string_equal(err.message, "the gzip data ends early");
    bytes[200] ^= 0xff;
    put(bytes, 1000);
    assert_int_equal(gcast_file_read(path, &data, &size, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the gzip data is damaged");
}

/* Members follow each other; other bytes behind them are an error. */
static void behind_gzip(void **state)
{
    (void)state;
    static const char *const members[] = {"one ", "two"};
    static const struct {
        const char *bytes, *message;
    } trailers[] = {{"\n", "there are other bytes after the gzip data"},
                    {"\x1f", "there are other bytes after the gzip data"},
                    {"{\"schema\": 1}", "there are other bytes after the gzip data"},
                    {"\x1f\x8b", "the gzip data ends early"},
                    {"\x1f\x8b\x08", "the gzip data ends early"},
                    {"\x1f\x8b\x07\x08\x08\x08\x08\x08\x08\x08\x08", "the gzip data is damaged"}};
    for (size_t i = 0; i < 2; i++) {
        gzFile out = gzopen(path, i ? "ab" : "wb");
        assert_true(gzputs(out, members[i]) > 0);
        assert_int_equal(gzclose(out), Z_OK);
    }
    expect("one two", 7);
    FILE *f = fopen(path, "rb");
    char bytes[256], *data;
    size_t size = fread(bytes, 1, sizeof bytes - 32, f), got;
    fclose(f);
    for (size_t i = 0; i < sizeof trailers / sizeof trailers[0]; i++) {
        gcast_error err;
        memcpy(bytes + size, trailers[i].bytes, strlen(trailers[i].bytes));
        put(bytes, size + strlen(trailers[i].bytes));
        assert_int_equal(gcast_file_read(path, &data, &got, &err), GCAST_INPUT);
        assert_string_equal(err.message, trailers[i].message);
    }
    for (size_t n = 2; n < size; n++) { /* cut everywhere except between the members, which is after 24 bytes */
        put(bytes, n);
        gcast_error err;
        gcast_status status = gcast_file_read(path, &data, &got, &err);
        assert_int_equal(status, n == 24 ? GCAST_OK : GCAST_INPUT);
        if (status == GCAST_OK)
            free(data);
    }
}

static void no_such_file(void **state)
{
    (void)state;
    gcast_error err;
    char *data;
    size_t size;
    assert_int_equal(gcast_file_read("no/such/file", &data, &size, &err), GCAST_INPUT);
    assert_string_equal(err.message, "No such file or directory");
    assert_int_equal(gcast_file_read(".", &data, &size, &err), GCAST_INPUT);
    assert_string_equal(err.message, "Is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_bytes, make_file, remove_file),
        cmocka_unit_test_setup_teardown(large_gzip, make_file, remove_file),
        cmocka_unit_test_setup_teardown(broken_gzip, make_file, remove_file),
        cmocka_unit_test_setup_teardown(behind_gzip, make_file, remove_file),
        cmocka_unit_test(no_such_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
