# Three libraries of the objects in gridcast_objects:
#   gridcast_lib     libgridcast_internal.a, with all symbols: for the command and the tests, never installed
#   gridcast_shared  libgridcast.so
#   gridcast_static  libgridcast.a: one object whose global symbols are those of the headers
add_library(gridcast_lib STATIC $<TARGET_OBJECTS:gridcast_objects>)
add_library(gridcast_shared SHARED $<TARGET_OBJECTS:gridcast_objects>)
set_target_properties(gridcast_lib PROPERTIES OUTPUT_NAME gridcast_internal LINKER_LANGUAGE C)
set_target_properties(gridcast_shared PROPERTIES OUTPUT_NAME gridcast LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
foreach(library gridcast_lib gridcast_shared)
  target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  target_link_libraries(${library} PRIVATE jansson ZLIB::ZLIB Threads::Threads m ${CMAKE_DL_LIBS}
    $<$<BOOL:${CAIRO_FOUND}>:PkgConfig::CAIRO> $<$<BOOL:${LibXml2_FOUND}>:LibXml2::LibXml2>
    $<$<BOOL:${YAJL_FOUND}>:yajl> $<$<BOOL:${SQLite3_FOUND}>:SQLite::SQLite3>)
endforeach()
include(CheckLinkerFlag)
check_linker_flag(C -Wl,-Bsymbolic-functions HAS_SYMBOLIC_FUNCTIONS)
if(HAS_SYMBOLIC_FUNCTIONS)
  target_link_options(gridcast_shared PRIVATE -Wl,-Bsymbolic-functions)
endif()

# Internal names such as take or emit must not meet those of a program: the objects become one, in which hidden
# symbols are local.
set(GRIDCAST_STATIC ${PROJECT_BINARY_DIR}/${CMAKE_STATIC_LIBRARY_PREFIX}gridcast${CMAKE_STATIC_LIBRARY_SUFFIX})
if(CMAKE_OBJCOPY AND CMAKE_LINKER AND CMAKE_AR)
  set(ONE_OBJECT ${PROJECT_BINARY_DIR}/gridcast_static.o)
  set(MAKE_STATIC
    COMMAND ${CMAKE_LINKER} -r --whole-archive $<TARGET_FILE:gridcast_lib> -o ${ONE_OBJECT}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${ONE_OBJECT}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${GRIDCAST_STATIC}
    COMMAND ${CMAKE_AR} qcs ${GRIDCAST_STATIC} ${ONE_OBJECT}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${ONE_OBJECT})
else()
  message(STATUS "objcopy not found: internal symbols stay visible in ${CMAKE_STATIC_LIBRARY_PREFIX}gridcast${CMAKE_STATIC_LIBRARY_SUFFIX}")
  set(MAKE_STATIC COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:gridcast_lib> ${GRIDCAST_STATIC})
endif()
add_custom_command(OUTPUT ${GRIDCAST_STATIC} ${MAKE_STATIC} DEPENDS gridcast_lib VERBATIM)
add_custom_target(gridcast_static ALL DEPENDS ${GRIDCAST_STATIC})
