// Functions as users register them for XLA, for `targets.py`: compiled against the header that jaxlib brings.

#include <atomic>
#include <chrono>
#include <complex>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "xla/ffi/api/c_api.h"
#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

// Rows divided by the root of their mean square.
static ffi::Error RmsNorm(float eps, ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y) {
  auto dims = x.dimensions();
  if (dims.size() == 0) return ffi::Error::InvalidArgument("an array of at least one dimension is wanted");
  int64_t n = dims.back(), rows = n ? x.element_count() / n : 0;
  for (int64_t r = 0; r < rows; ++r) {
    const float* from = &x.typed_data()[r * n];
    float sum = 0;
    for (int64_t k = 0; k < n; ++k) sum += from[k] * from[k];
    float scale = 1 / std::sqrt(sum / n + eps);
    for (int64_t k = 0; k < n; ++k) y->typed_data()[r * n + k] = from[k] * scale;
  }
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    rms_norm, RmsNorm,
    ffi::Ffi::Bind().Attr<float>("eps").Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F32>>());

// Everything that a call can say, as one number each.
static ffi::Error Attributes(bool flag, int8_t small, int32_t word, int64_t large, uint32_t natural, double real,
                             float single, std::string_view text, ffi::Span<const int64_t> list,
                             ffi::Span<const float> reals, ffi::Span<const uint64_t> naturals, ffi::Dictionary more, ffi::ResultBuffer<ffi::F64> out) {
  double* to = out->typed_data();
  auto inner = more.get<int32_t>("inner");
  auto name = more.get<std::string_view>("name");
  if (!inner.has_value() || !name.has_value()) return ffi::Error::InvalidArgument("a dictionary without inner and name");
  double sum = 0, product = 1;
  for (int64_t v : list) sum += v;
  for (float v : reals) product *= v;
  const double all[] = {double(flag), double(small), double(word), double(large), double(natural), real, single,
                        double(text.size()), sum, product, double(*inner), double(name->size()), naturals.size() == 2 ? double(naturals[0]) : -1};
  std::memcpy(to, all, sizeof(all));
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(attributes, Attributes,
                              ffi::Ffi::Bind()
                                  .Attr<bool>("flag")
                                  .Attr<int8_t>("small")
                                  .Attr<int32_t>("word")
                                  .Attr<int64_t>("large")
                                  .Attr<uint32_t>("natural")
                                  .Attr<double>("real")
                                  .Attr<float>("single")
                                  .Attr<std::string_view>("text")
                                  .Attr<ffi::Span<const int64_t>>("list")
                                  .Attr<ffi::Span<const float>>("reals")
                                  .Attr<ffi::Span<const uint64_t>>("naturals")
                                  .Attr<ffi::Dictionary>("more")
                                  .Ret<ffi::Buffer<ffi::F64>>());

// The bytes of any array, and its type and rank.
static ffi::Error Bytes(ffi::AnyBuffer x, ffi::ResultBuffer<ffi::U8> bytes, ffi::ResultBuffer<ffi::S32> about) {
  if (x.size_bytes() != bytes->size_bytes()) return ffi::Error::Internal("another size");
  std::memcpy(bytes->untyped_data(), x.untyped_data(), x.size_bytes());
  about->typed_data()[0] = static_cast<int>(x.element_type());
  about->typed_data()[1] = static_cast<int>(x.dimensions().size());
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    bytes, Bytes,
    ffi::Ffi::Bind().Arg<ffi::AnyBuffer>().Ret<ffi::Buffer<ffi::U8>>().Ret<ffi::Buffer<ffi::S32>>());

// Adds one to what lies in the place of the result.
static ffi::Error Increment(ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y) {
  bool same = x.untyped_data() == y->untyped_data();
  for (size_t k = 0; k < x.element_count(); ++k) y->typed_data()[k] = x.typed_data()[k] + (same ? 1 : -1);
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(increment, Increment,
                              ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F32>>());

static ffi::Error Fail(std::string_view text) { return ffi::Error(ffi::ErrorCode::kFailedPrecondition, std::string(text)); }
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    fail, [](std::string_view text, ffi::ResultBuffer<ffi::F32>) { return Fail(text); },
    ffi::Ffi::Bind().Attr<std::string_view>("text").Ret<ffi::Buffer<ffi::F32>>());

// A state for each place of a call: how often that place has run.
static std::atomic<int> living{0};
struct State {
  static ffi::TypeId id;
#if XLA_FFI_API_MINOR >= 2
  static ffi::TypeInfo info;
#endif
  explicit State(int32_t first) : count(first) { ++living; }
  ~State() { --living; }
  std::atomic<int32_t> count;
};
ffi::TypeId State::id = {};
#if XLA_FFI_API_MINOR >= 2
ffi::TypeInfo State::info = ffi::MakeTypeInfo<State>();
#endif

static ffi::ErrorOr<std::unique_ptr<State>> CounterMake(int32_t first) {
  if (first < 0) return ffi::Unexpected(ffi::Error::InvalidArgument("a counter begins at 0 or above"));
  return std::make_unique<State>(first);
}
// Every stage is given every attribute, and older versions of the header ask that each takes them.
static ffi::Error CounterRun(State* state, int32_t, ffi::ResultBuffer<ffi::S32> out) {
  out->typed_data()[0] = state->count++;
  out->typed_data()[1] = living;
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(counter_make, CounterMake, ffi::Ffi::BindInstantiate().Attr<int32_t>("first"));
XLA_FFI_DEFINE_HANDLER_SYMBOL(counter_run, CounterRun,
                              ffi::Ffi::Bind().Ctx<ffi::State<State>>().Attr<int32_t>("first").Ret<ffi::Buffer<ffi::S32>>());

// A sum that threads make, and that is there later.
static ffi::Future Later(ffi::ThreadPool pool, bool fails, ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y) {
  ffi::Promise promise;
  ffi::Future future(promise);
  struct Shared {
    explicit Shared(ffi::Promise promise) : promise(std::move(promise)) {}
    std::atomic<int> left{8};
    std::vector<float> parts = std::vector<float>(8);
    ffi::Promise promise;
  };
  auto shared = std::make_shared<Shared>(std::move(promise));
  const float* from = x.typed_data();
  float* to = y->typed_data();
  size_t n = x.element_count();
  for (int part = 0; part < 8; ++part) {
    pool.Schedule([=] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      for (size_t k = n * part / 8; k < n * (part + 1) / 8; ++k) shared->parts[part] += from[k];
      if (--shared->left > 0) return;
      float sum = 0;
      for (float p : shared->parts) sum += p;
      *to = sum;
      if (fails) {
        shared->promise.SetError(ffi::Error::Internal("no sum today"));
      } else {
        shared->promise.SetAvailable();
      }
    });
  }
  return future;
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(later, Later,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Attr<bool>("fails")
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>());

// The sum of all operands for each of the results, times its place.
static ffi::Error Many(ffi::RemainingArgs args, ffi::RemainingRets rets) {
  float sum = 0;
  for (size_t k = 0; k < args.size(); ++k) {
    auto x = args.get<ffi::Buffer<ffi::F32>>(k);
    if (!x.has_value()) return ffi::Error::InvalidArgument("not of f32");
    for (size_t i = 0; i < x->element_count(); ++i) sum += x->typed_data()[i];
  }
  for (size_t k = 0; k < rets.size(); ++k) {
    auto y = rets.get<ffi::Buffer<ffi::F32>>(k);
    if (!y.has_value()) return ffi::Error::InvalidArgument("not of f32");
    for (size_t i = 0; i < (*y)->element_count(); ++i) (*y)->typed_data()[i] = sum * (k + 1);
  }
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(many, Many, ffi::Ffi::Bind().RemainingArgs().RemainingRets());

// The elements in memory, from the last to the first.
static ffi::Error Reverse(ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y) {
  size_t n = x.element_count();
  for (size_t k = 0; k < n; ++k) y->typed_data()[k] = x.typed_data()[n - 1 - k];
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(reverse, Reverse,
                              ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F32>>());

// The same by memory for the time of a call, which XLA has on GPUs alone.
static ffi::Error Scratch(ffi::ScratchAllocator scratch, ffi::Buffer<ffi::F32> x, ffi::ResultBuffer<ffi::F32> y) {
  size_t bytes = x.size_bytes();
  auto memory = scratch.Allocate(bytes, 32);
  if (!memory.has_value()) return ffi::Error(ffi::ErrorCode::kResourceExhausted, "no memory");
  float* room = static_cast<float*>(*memory);
  size_t n = x.element_count();
  for (size_t k = 0; k < n; ++k) room[k] = x.typed_data()[n - 1 - k];
  std::memcpy(y->typed_data(), room, bytes);
  return ffi::Error::Success();
}
XLA_FFI_DEFINE_HANDLER_SYMBOL(scratch, Scratch,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ScratchAllocator>()
                                  .Arg<ffi::Buffer<ffi::F32>>()
                                  .Ret<ffi::Buffer<ffi::F32>>());

// How often it was called in this process.
static std::atomic<int> called{0};
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    effect, [](ffi::Buffer<ffi::F32>) { ++called; return ffi::Error::Success(); },
    ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>());
extern "C" int effect_count() { return called; }
extern "C" int states_living() { return living; }
extern "C" void* state_type() { return &State::id; }
#if XLA_FFI_API_MINOR >= 2
extern "C" void* state_info() { return &State::info; }
#else
extern "C" void* state_info() { return nullptr; }
#endif
