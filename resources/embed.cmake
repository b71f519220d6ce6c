# shardrack_embed(TARGET [FILE…]): a Qt-free static library with the text of every JSON file and plan
# here, and of the given files of other folders, these by their bare names; read with
# resourceText("catalogue.json") from "resources/resources.h".
function(shardrack_embed target)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
        ${CMAKE_CURRENT_SOURCE_DIR}/*.json ${CMAKE_CURRENT_SOURCE_DIR}/*.shardrack)
    list(APPEND files ${ARGN})
    set(table "")
    set(units "")
    set(number 0)
    foreach(file IN LISTS files)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
        file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${file} bytes HEX)
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
        string(APPEND units "const unsigned char file${number}[] = {${bytes}0};\n")
        string(REGEX REPLACE "^\\.\\./.*/" "" name "${file}")
        string(APPEND table "        { \"${name}\", text(file${number}) },\n")
        math(EXPR number "${number} + 1")
    endforeach()
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/resources.cpp)
    file(CONFIGURE OUTPUT ${generated} CONTENT "#include \"resources/resources.h\"
#include <cstddef>
#include <utility>
namespace {
@units@template <std::size_t n> std::string_view text(const unsigned char (&bytes)[n])
{
    return { reinterpret_cast<const char*>(bytes), n - 1 };
}
}
namespace shardrack {
std::string_view resourceText(std::string_view name)
{
    // Inside the function, so that it is complete whenever it is asked.
    static const std::pair<std::string_view, std::string_view> table[] = {
@table@    };
    for (const auto& [file, content] : table)
        if (file == name)
            return content;
    return {};
}
}
" @ONLY)
    add_library(${target} STATIC ${generated})
    set_target_properties(${target} PROPERTIES AUTOMOC OFF)
    shardrack_compile_options(${target})
    shardrack_include_root(${target} resources)
endfunction()
