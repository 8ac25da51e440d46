// test_ptx_names.c: demangled names. The oracle is c++filt of binutils; where lanescope writes otherwise on purpose
// (const in front, no return type, no suffix or cast on numbers, >> for > >) the expectation is that text so changed.
#include "check.h"
#include "ptx/demangle.h"
#include "base/text.h"

static const struct { const char *mangled, *readable; } names[] = {
  {"_Z8gputiledILi32EEvPfPKfS2_iii", "gputiled<32>(float*, const float*, const float*, int, int, int)"},
  {"_Z9transposeIfEvPT_S1_i", "transpose<float>(float*, float*, int)"},
  {"_Z6vecaddPKfS0_Pfi", "vecadd(const float*, const float*, float*, int)"},
  {"_Z1kv", "k()"},
  {"_Z1kPKcPVixyhatjlmsbw",
   "k(const char*, volatile int*, long long, unsigned long long, unsigned char, signed char, unsigned short, "
                            "unsigned int, long, unsigned long, short, bool, wchar_t)"},
  {"_ZN3geo5scaleIxLin3EEEvPT_PKNS_5PointES3_", "geo::scale<long long, -3>(long long*, const geo::Point*, geo::Point)"},
  {"_ZN12_GLOBAL__N_11kEPi", "(anonymous namespace)::k(int*)"},
  {"_Z3lamIZ4hostPiEUliE_EvT_S0_", "lam<host(int*)::{lambda(int)#1}>(host(int*)::{lambda(int)#1}, int*)"},
  {"_Z1fPFivEPA4_f", "f(int (*)(), float (*) [4])"},
  {"_Z1fRA8_A9_KiOj", "f(const int (&) [8][9], unsigned int&&)"},
  {"_Z1fIJidfEEvDpT_", "f<int, double, float>(int, double, float)"},
  {"_Z1gILb1ELc65ELm7EEvv", "g<true, 65, 7>()"},
  {"_Z1gIL5Color2EEvv", "g<(Color)2>()"},
  {"_ZN1S1fEi", "S::f(int)"},
  {"_ZNK1S3getEv", "S::get()"},
  {"_ZN1SC1Ei", "S::S(int)"},
  {"_ZN1SD1Ev", "S::~S()"},
  {"_ZN1VIfEC2ERKS0_", "V<float>::V(const V<float>&)"},
  {"_ZplRK3VecS1_", "operator+(const Vec&, const Vec&)"},
  {"_ZN3FuncclEi", NULL},
  {"_ZN4FuncclEi", "Func::operator()(int)"},
  {"_ZN1ScvfEv", "S::operator float()"},
  {"_Z1kP6__halfP7__half2", "k(__half*, __half2*)"},
  {"_Z1kN6nvcuda4wmma8fragmentINS0_8matrix_aELi16ELi16ELi16E6__halfNS0_9row_majorEEE",
   "k(nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major>)"},
  {"_ZN4cuda3std3__419__atomic_notify_allINS1_16__atomic_storageImEENS1_24__thread_scope_block_tagEEEvPVKT_T0_",
   "cuda::std::__4::__atomic_notify_all<cuda::std::__4::__atomic_storage<unsigned long>, cuda::std::__4::__thread_scope_block_tag>"
   "(const volatile cuda::std::__4::__atomic_storage<unsigned long>*, cuda::std::__4::__thread_scope_block_tag)"},
  {"_ZN30_INTERNAL_65489acb_4_a_cu_ctab6kernelEPi", "kernel(int*)"},
  {"_ZL6staticPi", "static(int*)"},
  {"_Z5applyIXadL_Z5twicefEEEvPf", "apply<&twice(float)>(float*)"},
  {"_Z1kSt6vectorIiSaIiEE", "k(std::vector<int, std::allocator<int>>)"},
  {"_Z1kM1SFvfE", "k(void (S::*)(float))"},
};

static void names_are_read(void) {
  LsArena *arena = ls_arena_new();
  for (int i = 0; i < LS_COUNT(names); i++) {
    CHECK_STR(ptx_demangle(arena, names[i].mangled), names[i].readable ? names[i].readable : names[i].mangled);
  }
  ls_arena_free(arena);
}

static void strange_names_come_back(void) {
  static const char *const strange[] = {"add", "", "_Z", "_Zx", "_Z3fo", "_Z99999999999f", "_Z1fS_", "_Z1fT_", "_ZN", "_Z1fILi",
                                        "_ZZZZ",
                                        "_Z1fPPPPP", "_Z1fA99999999999999999999_i", "_Z1fS99999999999_", "_ZN1aE1"};
  LsArena *arena = ls_arena_new();
  for (int i = 0; i < LS_COUNT(strange); i++) CHECK_STR(ptx_demangle(arena, strange[i]), strange[i]);
  LsText deep = {0};
  ls_text_add(&deep, "_Z1f");
  for (int i = 0; i < 3000; i++) ls_text_addc(&deep, 'P');
  CHECK_STR(ptx_demangle(arena, ls_text_str(&deep)), ls_text_str(&deep));
  ls_text_free(&deep);
  ls_arena_free(arena);
}

// Each substitution doubles the text: without a limit this would fill the memory.
static void doubling_is_bounded(void) {
  LsArena *arena = ls_arena_new();
  LsText name = {0};
  ls_text_add(&name, "_Z1f1SIiiE");
  for (int i = 1; i < 30; i++)
    ls_text_addf(&name, "1TIS%c_S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i], "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
  ptx_demangle(arena, ls_text_str(&name));
  CHECK(ls_arena_bytes(arena) < 1 << 20);
  ls_text_free(&name);
  ls_arena_free(arena);
}

static void names_in_the_source(void) {
  LsArena *arena = ls_arena_new();
  CHECK_STR(ptx_source_name(arena, "_ZZ9transposeIfEvPT_S1_iE4tile"), "tile");
  CHECK_STR(ptx_source_name(arena, "_ZN3geo5tableE"), "table");
  CHECK_STR(ptx_source_name(arena, "smem"), "smem");
  ls_arena_free(arena);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
    {"names are read", names_are_read},
    {"strange names come back", strange_names_come_back},
    {"doubling is bounded", doubling_is_bounded},
    {"names in the source", names_in_the_source},
  };
  return check_main("ptx names", checks, LS_COUNT(checks), argc, argv);
}
