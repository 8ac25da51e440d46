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
#include "device/cuda/driver_image.h"

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

// Structures whose members are compared below.
template <> struct Alike<DriverArray, CUDA_ARRAY3D_DESCRIPTOR> : std::true_type {};
template <> struct Alike<DriverCopy, CUDA_MEMCPY3D> : std::true_type {};
template <> struct Alike<DriverResource, CUDA_RESOURCE_DESC> : std::true_type {};
template <> struct Alike<DriverTexture, CUDA_TEXTURE_DESC> : std::true_type {};

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

// ---- structures ----------------------------------------------------------------------------------------------------

#define SAME_SIZE(ours, real) static_assert(sizeof(ours) == sizeof(real), "driver_image.h: " #ours " has another size in cuda.h");
#define SAME_MEMBER(ours, member, real, name)                                                                            \
  static_assert(offsetof(ours, member) == offsetof(real, name) && sizeof(ours::member) == sizeof(real::name),            \
                "driver_image.h: " #member " of " #ours " is elsewhere in cuda.h");
#define SAME_INSIDE(ours, member, real, name)   /* a member of a member */                                                \
  static_assert(offsetof(ours, member) == offsetof(real, name), "driver_image.h: " #member " of " #ours " is elsewhere in cuda.h");

SAME_SIZE(DriverArray, CUDA_ARRAY3D_DESCRIPTOR)
SAME_MEMBER(DriverArray, width, CUDA_ARRAY3D_DESCRIPTOR, Width)
SAME_MEMBER(DriverArray, height, CUDA_ARRAY3D_DESCRIPTOR, Height)
SAME_MEMBER(DriverArray, depth, CUDA_ARRAY3D_DESCRIPTOR, Depth)
SAME_MEMBER(DriverArray, format, CUDA_ARRAY3D_DESCRIPTOR, Format)
SAME_MEMBER(DriverArray, channels, CUDA_ARRAY3D_DESCRIPTOR, NumChannels)
SAME_MEMBER(DriverArray, flags, CUDA_ARRAY3D_DESCRIPTOR, Flags)

SAME_SIZE(DriverCopy, CUDA_MEMCPY3D)
#define SAME_SIDE(side, prefix)                                     \
  SAME_INSIDE(DriverCopy, side.x, CUDA_MEMCPY3D, prefix##XInBytes)  \
  SAME_INSIDE(DriverCopy, side.y, CUDA_MEMCPY3D, prefix##Y)         \
  SAME_INSIDE(DriverCopy, side.z, CUDA_MEMCPY3D, prefix##Z)         \
  SAME_INSIDE(DriverCopy, side.level, CUDA_MEMCPY3D, prefix##LOD)   \
  SAME_INSIDE(DriverCopy, side.type, CUDA_MEMCPY3D, prefix##MemoryType) \
  SAME_INSIDE(DriverCopy, side.host, CUDA_MEMCPY3D, prefix##Host)   \
  SAME_INSIDE(DriverCopy, side.device, CUDA_MEMCPY3D, prefix##Device) \
  SAME_INSIDE(DriverCopy, side.array, CUDA_MEMCPY3D, prefix##Array) \
  SAME_INSIDE(DriverCopy, side.pitch, CUDA_MEMCPY3D, prefix##Pitch) \
  SAME_INSIDE(DriverCopy, side.height, CUDA_MEMCPY3D, prefix##Height)
SAME_SIDE(from, src)
SAME_SIDE(to, dst)
SAME_INSIDE(DriverCopy, from.reserved, CUDA_MEMCPY3D, reserved0)
SAME_INSIDE(DriverCopy, to.reserved, CUDA_MEMCPY3D, reserved1)
SAME_MEMBER(DriverCopy, bytes, CUDA_MEMCPY3D, WidthInBytes)
SAME_MEMBER(DriverCopy, height, CUDA_MEMCPY3D, Height)
SAME_MEMBER(DriverCopy, depth, CUDA_MEMCPY3D, Depth)

SAME_SIZE(DriverResource, CUDA_RESOURCE_DESC)
SAME_MEMBER(DriverResource, type, CUDA_RESOURCE_DESC, resType)
SAME_MEMBER(DriverResource, flags, CUDA_RESOURCE_DESC, flags)
SAME_INSIDE(DriverResource, of.array, CUDA_RESOURCE_DESC, res.array.hArray)
SAME_INSIDE(DriverResource, of.linear.address, CUDA_RESOURCE_DESC, res.linear.devPtr)
SAME_INSIDE(DriverResource, of.linear.format, CUDA_RESOURCE_DESC, res.linear.format)
SAME_INSIDE(DriverResource, of.linear.channels, CUDA_RESOURCE_DESC, res.linear.numChannels)
SAME_INSIDE(DriverResource, of.linear.bytes, CUDA_RESOURCE_DESC, res.linear.sizeInBytes)
SAME_INSIDE(DriverResource, of.reserved, CUDA_RESOURCE_DESC, res.reserved.reserved)

SAME_SIZE(DriverTexture, CUDA_TEXTURE_DESC)
SAME_MEMBER(DriverTexture, address, CUDA_TEXTURE_DESC, addressMode)
SAME_MEMBER(DriverTexture, filter, CUDA_TEXTURE_DESC, filterMode)
SAME_MEMBER(DriverTexture, flags, CUDA_TEXTURE_DESC, flags)
SAME_MEMBER(DriverTexture, anisotropy, CUDA_TEXTURE_DESC, maxAnisotropy)
SAME_MEMBER(DriverTexture, level_filter, CUDA_TEXTURE_DESC, mipmapFilterMode)
SAME_MEMBER(DriverTexture, level_bias, CUDA_TEXTURE_DESC, mipmapLevelBias)
SAME_MEMBER(DriverTexture, level_least, CUDA_TEXTURE_DESC, minMipmapLevelClamp)
SAME_MEMBER(DriverTexture, level_most, CUDA_TEXTURE_DESC, maxMipmapLevelClamp)
SAME_MEMBER(DriverTexture, border, CUDA_TEXTURE_DESC, borderColor)
SAME_MEMBER(DriverTexture, reserved, CUDA_TEXTURE_DESC, reserved)

// ---- the tables ----------------------------------------------------------------------------------------------------

#define DRIVER_CALL(member, symbol, since, optional, arguments) \
  static_assert(SameCall<int(*) arguments, decltype(&symbol)>::value, "driver.def: " #symbol " has other arguments in cuda.h");
#define DRIVER_ANSWER(number, name, ...) static_assert(number == static_cast<int>(name), "driver.def: " #name " has another number");
#define DRIVER_NUMBER(name, number, real) static_assert(number == static_cast<int>(real), "driver.def: " #real " has another number");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"   // references to textures
#include "device/cuda/driver.def"
#pragma GCC diagnostic pop

#define GPU_FACT(member, number, key, name) \
  static_assert(number == static_cast<int>(CU_DEVICE_ATTRIBUTE_##name), "gpu.def: " #name " has another number");
#include "device/cuda/gpu.def"

#define NVRTC_CALL(member, symbol, arguments) \
  static_assert(SameCall<int(*) arguments, decltype(&symbol)>::value, "nvrtc.def: " #symbol " has other arguments in nvrtc.h");
#include "device/compile/nvrtc.def"
