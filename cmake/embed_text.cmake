# Writes OUT: a C array NAME with the text of FILE, NUL-terminated.
file(READ ${FILE} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
get_filename_component(source ${FILE} NAME)
file(WRITE ${OUT} "/* Made from ${source} by cmake/embed_text.cmake. */
extern const char ${NAME}[];
const char ${NAME}[] = {\n${bytes}0};\n")
