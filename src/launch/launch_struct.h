// launch_struct.h: structs by value, from text to bytes.
//
//   members = member { "," member }                 all by name, or all in order
//   member  = path "=" value                        by name, where the source has names; what is not named is zero
//           | type "=" number                       in order: C's rules of alignment say where each lies
//           | vector "={" values "}"
//           | ( type | vector ) "[" count "]={" values "}"     an array in the struct
//           | ( type | vector ) "[" count "]=" init [ ">" file ]   a pointer, and the buffer that it points at
//   path    = name { "." name | "[" index "]" }
//   value   = number                                of a number, bool or enum
//           | "{" value { "," value } "}"           of an array, or of a struct, member by member; fewer leave zeros
//           | "{" path "=" value ... "}"            of a struct
//           | init                                  of an array of numbers
//           | type "[" count "]=" ( init | "{" values "}" ) [ ">" file ]    of a pointer; or 0
#ifndef LS_LAUNCH_STRUCT_H
#define LS_LAUNCH_STRUCT_H

#include "launch/launch.h"
#include "ptx/debuginfo.h"

// Lays out the members into argument `owner` of the launch: its data, count and type. Buffers that members point at are
// appended to the launch (LAUNCH_POINTEE). type: as the source has it, NULL if that is not known; then members have to
// be in order. what: the struct's name in messages and names ("p"). *left (may be NULL) gets the members that are not
// named: "n, v".
bool launch_lay_out(Launch *launch, int owner, const char *members, const PtxDwType *type, const char *what,
                    LsText *left, LsErr *err);
// All of the members begin with types, so that no source is needed.
bool launch_is_in_order(const char *members);

// One value for a whole type, as of a member: for variables, '{...}'.
bool launch_lay_out_value(Launch *launch, int owner, const char *value, const PtxDwType *type, const char *what,
                          LsErr *err);

// ---- launch_source_type.c ------------------------------------------------------------------------------------------

// The type of a number of the source. text: what it is to be, for types whose sign nobody knows. False: it is no
// number.
bool launch_number_type(const PtxDwType *type, const char *text, LaunchType *out);
// The type of all numbers in it, if they are of one type and there is nothing between them.
bool launch_element_type(const PtxDwType *type, LaunchType *out);
bool launch_is_half(const PtxDwType *type);   // a number to us, a struct to the source
// Members to begin with, as text, short enough to be read: pointers get `count` elements, the only whole number is how
// many, other numbers are 1. Arrays and structs inside are left out, and so zero. type may be NULL.
void launch_guess_members(const PtxDwType *type, uint64_t count, LsText *out);
// How its author writes that type, if -a understands it so; else our word.
const char *launch_element_word(const PtxDwType *type, LaunchType number);
// "int n, float *x, float v[3]"
void launch_add_members(const PtxDwType *type, LsText *out);

#endif
