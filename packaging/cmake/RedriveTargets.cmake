# redrive_library(NAME SOURCES a.cpp a.h ... [DEPENDS ...] [PRIVATE_DEPENDS ...]): one library for one folder.
# It is static in what users get. In the build with sanitizers it is shared (REDRIVE_SHARED): two hundred tests that each
# carry their libraries would be 19 GB and spend more time in the linker than in themselves.
function(redrive_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
    add_library(${name} ${ARG_SOURCES})
    # The same command line in every build: without NAME_EXPORTS, which nothing reads.
    set_target_properties(${name} PROPERTIES DEFINE_SYMBOL "")
    target_link_libraries(${name} PUBLIC redrive_options ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
    redrive_precompiled(${name})
    redrive_unity(${name})
endfunction()

# For a build of everything (REDRIVE_UNITY): names that are local to a file must differ within a folder.
function(redrive_unity target)
    if(NOT REDRIVE_UNITY)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    redrive_is_unity(${target})
endfunction()

function(redrive_is_unity target)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # It takes the file that includes the others for a header, so that what is local in them looks shared.
        target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
endfunction()

# redrive_interface(NAME HEADERS ... [DEPENDS ...]): headers only, so that users of an interface never link what implements it.
function(redrive_interface name)
    cmake_parse_arguments(ARG "" "" "HEADERS;DEPENDS" ${ARGN})
    add_library(${name} INTERFACE ${ARG_HEADERS})
    target_link_libraries(${name} INTERFACE redrive_options ${ARG_DEPENDS})
endfunction()

# redrive_support(NAME SOURCES ... LINKS ...): helpers that several tests share; built where a test of this build links them.
function(redrive_support name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
    add_library(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC redrive_options ${ARG_LINKS})
    redrive_precompiled(${name})
endfunction()
