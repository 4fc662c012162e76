# Writes OUT: a C table of the names and texts of FILES (JSON, one a preset).
set(body "")
set(table "")
set(n 0)
set(names "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  list(APPEND names ${name})
  set(file_of_${name} ${file})
endforeach()
list(SORT names)
foreach(name ${names})
  set(file ${file_of_${name}})
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
  string(APPEND body "static const char text${n}[] = {\n${bytes}0};\n")
  string(APPEND table "    {\"${name}\", text${n}},\n")
  math(EXPR n "${n} + 1")
endforeach()
file(WRITE ${OUT} "/* Made from gpus/ by cmake/embed.cmake. */
#include <string.h>

#include \"gridcast/gpu.h\"

${body}
static const struct {
    const char *name, *json;
} presets[] = {
${table}};

size_t gcast_preset_count(void)
{
    return sizeof presets / sizeof presets[0];
}

const char *gcast_preset_name(size_t i)
{
    return i < gcast_preset_count() ? presets[i].name : NULL;
}

const char *gcast_preset_json(const char *name)
{
    if (!name)
        return 0;
    for (size_t i = 0; i < gcast_preset_count(); i++)
        if (strcmp(presets[i].name, name) == 0)
            return presets[i].json;
    return NULL;
}
")
