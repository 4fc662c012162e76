# libgridcast-record.so, which the CUDA driver loads into programs that `gridcast record` runs: only what it needs, and
# no symbol of its own but those that the driver and NVTX look for. It stays loaded, as CUPTI calls it back.
file(GLOB RECORD_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/record/*.c)
add_library(gridcast_record MODULE ${RECORD_SOURCES} ${PROJECT_SOURCE_DIR}/src/base/index.c)
set_target_properties(gridcast_record PROPERTIES OUTPUT_NAME gridcast-record)
target_include_directories(gridcast_record PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(gridcast_record PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(gridcast_record PRIVATE -Wl,-z,nodelete)

# The command looks for it beside itself, and from there in the folder of libraries.
if(IS_ABSOLUTE "${CMAKE_INSTALL_BINDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(RECORD_LIBRARIES ${CMAKE_INSTALL_FULL_LIBDIR})
else()
  file(RELATIVE_PATH RECORD_LIBRARIES /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
endif()
set_source_files_properties(src/cli/commands/record.c PROPERTIES COMPILE_DEFINITIONS GRIDCAST_LIBRARIES="${RECORD_LIBRARIES}")
