//! Which names a C function may have, in a header that C and C++ programs include.

/// Why `name` is no name for a C function, if it is none.
///
/// Keywords of C (C23, 6.4.1) and C++ (C++23, 5.11 and 5.5), names that the C standard reserves (7.1.3: those that begin with an
/// underscore, and every function of its library, which compilers know and which the object itself may call), the types
/// and macros of `<stdint.h>`, which the header includes, macros that are words, those that the header itself defines, and `main`.
pub(super) fn refusal(name: &str) -> Option<&'static str> {
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic());
    if !starts || !chars.all(|c| c == '_' || c.is_ascii_alphanumeric()) {
        return Some("it has to be letters, digits and underscores, no digit first");
    }
    if name.starts_with('_') {
        return Some("C reserves names that begin with an underscore");
    }
    if is_keyword(name) {
        return Some("it is a keyword of C or C++");
    }
    if is_of_stdint(name) {
        return Some("<stdint.h> defines it");
    }
    match name {
        "main" => Some("a C program begins there"),
        "std" => Some("C++ has it for its library"),
        _ if is_macro(name) => Some("compilers or C's headers define a macro of that name"),
        _ if ["_SCRATCH_BYTES", "_STACK_BYTES"].iter().any(|end| name.ends_with(end)) => {
            Some("headers define macros that end so")
        }
        _ if is_of_library(name) => Some("C's library has a function of that name"),
        _ => None,
    }
}

/// Whether `name` is an identifier that the parameter of a function in a header may have.
pub(super) fn is_parameter(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.all(|c| c == '_' || c.is_ascii_alphanumeric())
        && !is_keyword(name)
        && !is_of_stdint(name)
        && !is_of_library(name)
        && !is_macro(name)
        && !looks_like_a_macro(name)
}

fn is_keyword(name: &str) -> bool {
    KEYWORDS.split_ascii_whitespace().any(|word| word == name)
}

/// The types and macros of `<stdint.h>`: `int32_t`, `UINT_FAST8_MAX`, `INT64_C`, `SIZE_MAX` and their like.
fn is_of_stdint(name: &str) -> bool {
    let integer = |name: &str| name.starts_with("int") || name.starts_with("uint");
    let upper = name.chars().all(|c| !c.is_ascii_lowercase());
    integer(name) && name.ends_with("_t")
        || upper
            && [
                name.strip_suffix("_MAX"),
                name.strip_suffix("_MIN"),
                name.strip_suffix("_C"),
                name.strip_suffix("_WIDTH"),
            ]
            .into_iter()
            .flatten()
            .any(|stem| {
                integer(&stem.to_ascii_lowercase())
                    || matches!(stem, "PTRDIFF" | "SIG_ATOMIC" | "SIZE" | "WCHAR" | "WINT")
            })
}

/// Functions, and macros like functions, of the C library (C17, annex B).
fn is_of_library(name: &str) -> bool {
    let listed = |list: &str, name: &str| list.split_ascii_whitespace().any(|word| word == name);
    let of_floats = [Some(name), name.strip_suffix('f'), name.strip_suffix('l')];
    listed(LIBRARY, name) || of_floats.into_iter().flatten().any(|stem| listed(MATHEMATICS, stem))
}

/// Macros that are words: those of headers, and those that GNU compilers define by themselves.
fn is_macro(name: &str) -> bool {
    ["I", "NULL", "EOF", "complex", "imaginary", "noreturn", "stdin", "stdout", "stderr", "linux", "unix"]
        .contains(&name)
}

/// Whether a header that was included before might have a macro of that name: `NAN`, `M_PI`, `BUFSIZ`. One letter is a matrix.
fn looks_like_a_macro(name: &str) -> bool {
    name.len() > 1 && !name.contains(|c: char| c.is_ascii_lowercase())
}

const KEYWORDS: &str = "
    alignas alignof auto bool break case char const constexpr continue default do double else enum extern false float for
    goto if inline int long nullptr register restrict return short signed sizeof static static_assert struct switch
    thread_local true typedef typeof typeof_unqual union unsigned void volatile while asm fortran
    and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept const_cast
    consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq
    operator or or_eq private protected public reinterpret_cast requires static_cast template this throw try typeid
    typename using virtual wchar_t xor xor_eq";

/// `<math.h>` and `<complex.h>`: each also with `f` and `l` at its end.
const MATHEMATICS: &str = "
    acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 log1p log2
    logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint lrint llrint round
    lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma roundeven exp10 exp10m1
    exp2m1 log10p1 log2p1 logp1 pown powr rootn rsqrt compoundn acospi asinpi atanpi atan2pi cospi sinpi tanpi j0 j1 jn y0
    y1 yn gamma cacos casin catan ccos csin ctan cacosh casinh catanh ccosh csinh ctanh cexp clog cabs cpow csqrt carg
    cimag conj cproj creal";

/// The rest of the library, and that of objects.
const LIBRARY: &str = "
    wengert_run wengert_last_error
    assert isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper
    errno feclearexcept fegetexceptflag feraiseexcept fesetexceptflag fetestexcept fegetround fesetround fegetenv
    feholdexcept fesetenv feupdateenv imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax setlocale localeconv
    fpclassify isfinite isinf isnan isnormal signbit isgreater isgreaterequal isless islessequal islessgreater isunordered
    setjmp longjmp signal raise va_arg va_copy va_end va_start
    remove rename tmpfile tmpnam fclose fflush fopen freopen setbuf setvbuf fprintf fscanf printf scanf snprintf sprintf
    sscanf vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf fgetc fgets fputc fputs getc getchar gets putc putchar
    puts ungetc fread fwrite fgetpos fseek fsetpos ftell rewind clearerr feof ferror perror
    atof atoi atol atoll strtod strtof strtold strtol strtoll strtoul strtoull rand srand aligned_alloc calloc free malloc
    realloc abort atexit at_quick_exit exit quick_exit getenv system bsearch qsort abs labs llabs div ldiv lldiv mblen mbtowc
    wctomb mbstowcs wcstombs
    memcpy memmove memset memcmp memchr strcpy strncpy strcat strncat strcmp strcoll strncmp strxfrm strchr strcspn strpbrk
    strrchr strspn strstr strtok strerror strlen strdup strndup memccpy
    call_once cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait mtx_destroy mtx_init mtx_lock
    mtx_timedlock mtx_trylock mtx_unlock thrd_create thrd_current thrd_detach thrd_equal thrd_exit thrd_join thrd_sleep
    thrd_yield tss_create tss_delete tss_get tss_set
    clock difftime mktime time timespec_get asctime ctime gmtime localtime strftime
    mbrtoc16 c16rtomb mbrtoc32 c32rtomb fwprintf fwscanf swprintf swscanf vfwprintf vfwscanf vswprintf vswscanf vwprintf
    vwscanf wprintf wscanf fgetwc fgetws fputwc fputws fwide getwc getwchar putwc putwchar ungetwc wcstod wcstof wcstold
    wcstol wcstoll wcstoul wcstoull wcscpy wcsncpy wmemcpy wmemmove wcscat wcsncat wcscmp wcscoll wcsncmp wcsxfrm wmemcmp
    wcschr wcscspn wcspbrk wcsrchr wcsspn wcsstr wcstok wmemchr wcslen wmemset wcsftime btowc wctob mbsinit mbrlen mbrtowc
    wcrtomb mbsrtowcs wcsrtombs iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace
    iswupper iswxdigit iswctype wctype towlower towupper towctrans wctrans";
