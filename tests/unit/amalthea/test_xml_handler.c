/* The program around the library has its own handler for libxml2's errors, and keeps it. */
#include "support/support.h"

#include <libxml/xmlerror.h>
#include <string.h>

#include "amalthea/xml/xml_tree.h"

static int calls;

/* Newer versions hand over a const error. */
#if LIBXML_VERSION >= 21200
static void on_error(void *data, const xmlError *error)
#else
static void on_error(void *data, xmlErrorPtr error)
#endif
{
    (void)data, (void)error;
    calls++;
}

static void stays(void **state)
{
    (void)state;
    static const char *const texts[] = {"<a/>", "<a>", "<a xmlns:b=\"\"/>", "nothing"};
    int data;
    xmlSetStructuredErrorFunc(&data, on_error);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        xml_tree tree;
        gcast_error err;
        if (xml_parse("a.xml", texts[i], strlen(texts[i]), &tree, &err) == GCAST_OK)
            xml_free(&tree);
        assert_true(xmlStructuredError == on_error);
        assert_ptr_equal(xmlStructuredErrorContext, &data);
        assert_true(!xmlGetLastError() || xmlGetLastError()->code == XML_ERR_OK);
    }
    assert_int_equal(calls, 0);
    xmlSetStructuredErrorFunc(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
