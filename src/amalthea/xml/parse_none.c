/* Stands in for the parser where libxml2 is missing. */
#include "amalthea/xml/xml_tree.h"

gcast_status xml_parse(const char *file, const char *text, size_t size, xml_tree *tree, gcast_error *err)
{
    (void)text;
    (void)size;
    *tree = (xml_tree){0};
    xml_file_error(file, 0, 0, err, "this gridcast was built without libxml2, which reads AMALTHEA models");
    if (err)
        err->code = GCAST_RESOURCE;
    return GCAST_RESOURCE;
}
