// cuda_abi.cpp: compiles only if lanescope's tables of NVIDIA's libraries say what cuda.h and nvrtc.h say.
//
// lanescope opens both libraries at run time and needs neither header, so nothing else would notice an argument of another size, the
// number of another attribute, or a symbol of another version. tests/check_cuda_abi.sh compiles this where a toolkit is found.
#define __CUDA_API_VERSION_INTERNAL   // declares each version of a function under its own name
#include <cuda.h>
#include <nvrtc.h>
#include <cstddef>
#include <cstdint>
#include <type_traits>

typedef std::uint64_t DriverAddress;
typedef void *NvrtcProgram;
using std::size_t;

// ---- types that are passed alike -------------------------------------------------------------------------------------

// Numbers: as wide, both whole or both floating, and of the same sign, where enumerations count as either.
template <class Ours, class Real> struct Alike {
  static constexpr bool whole = std::is_integral<Ours>::value && (std::is_integral<Real>::value || std::is_enum<Real>::value);
  static constexpr bool sign = std::is_enum<Real>::value || std::is_signed<Ours>::value == std::is_signed<Real>::value;
  static constexpr bool value = sizeof(Ours) == sizeof(Real) && (whole ? sign : std::is_same<Ours, Real>::value);
};
// Pointers: to what is alike, where void stands for anything; what the library may write is not const for us.
template <class Ours, class Real> struct Alike<Ours *, Real *> {
  typedef typename std::remove_const<Ours>::type O;
  typedef typename std::remove_const<Real>::type R;
  static constexpr bool any = std::is_void<O>::value || std::is_void<R>::value;
  static constexpr bool value = (std::is_const<Real>::value || !std::is_const<Ours>::value) &&
                                std::conditional<any, std::true_type, Alike<O, R>>::type::value;
};

template <class... Pairs> struct All : std::true_type {};
template <class First, class... Rest> struct All<First, Rest...> {
  static constexpr bool value = First::value && All<Rest...>::value;
};

template <class Ours, class Real> struct SameCall : std::false_type {};   // another number of arguments
template <class... Ours, class Result, class... Real> struct SameCall<int (*)(Ours...), Result (*)(Real...)> {
  template <bool same, class = void> struct Arguments : std::false_type {};
  template <class Unused> struct Arguments<true, Unused> : All<Alike<Ours, Real>...> {};
  static constexpr bool value = sizeof(Result) == sizeof(int) && Arguments<sizeof...(Ours) == sizeof...(Real)>::value;
};

// ---- the tables ----------------------------------------------------------------------------------------------------

#define DRIVER_CALL(member, symbol, since, optional, arguments) \
  static_assert(SameCall<int(*) arguments, decltype(&symbol)>::value, "driver.def: " #symbol " has other arguments in cuda.h");
#define DRIVER_ANSWER(number, name, ...) static_assert(number == static_cast<int>(name), "driver.def: " #name " has another number");
#define DRIVER_NUMBER(name, number, real) static_assert(number == static_cast<int>(real), "driver.def: " #real " has another number");
#include "device/driver.def"

#define GPU_FACT(member, number, key, name) \
  static_assert(number == static_cast<int>(CU_DEVICE_ATTRIBUTE_##name), "gpu.def: " #name " has another number");
#include "device/gpu.def"

#define NVRTC_CALL(member, symbol, arguments) \
  static_assert(SameCall<int(*) arguments, decltype(&symbol)>::value, "nvrtc.def: " #symbol " has other arguments in nvrtc.h");
#include "device/nvrtc.def"
