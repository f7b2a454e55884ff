//! The header of an object for C and C++.

use super::{Calls, Object, element};

pub(super) fn header(object: &Object, origin: &str) -> String {
    let Object { symbol, calls, scratch, stack, .. } = object;
    let upper = symbol.to_uppercase();
    // What ends the comment ends it there only.
    let origin = origin.replace("*/", "* /").replace(|c: char| c.is_control() || c == '\\', " ");
    let list = object.list(" * ");
    let parameters: Vec<String> = object
        .tensors()
        .enumerate()
        .map(|(k, (name, ty))| {
            let constant = if k < object.params.len() { "const " } else { "" };
            format!("{constant}{} *{name}", element(ty.dtype)[0])
        })
        .chain(["void *scratch".to_owned()])
        .collect();
    let parameters = parameters.join(", ");
    let (returns, why) = status(*calls);
    format!(
        "/* Made from {origin} by wengert {version}. */
#ifndef WENGERT_{symbol}_H
#define WENGERT_{symbol}_H

#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {{
#endif

/* Bytes of scratch memory that a call needs, 64-byte aligned; where this is 0, NULL will do.
 * Calls at the same time need memory of their own. */
#define {upper}_SCRATCH_BYTES {scratch}

/* Bytes of the stack that a call takes at most, without those of functions that are not in the object. */
#define {upper}_STACK_BYTES {stack}

/* Dense arrays in row-major order:
{list} * Results must not overlap arguments. {returns} */
int32_t {symbol}({parameters});
{why}
#ifdef __cplusplus
}}
#endif

#endif
",
        version = env!("CARGO_PKG_VERSION"),
    )
}

/// What a header says of what a call gives, and what it declares to ask why.
fn status(calls: Calls) -> (&'static str, &'static str) {
    match calls {
        Calls::Runtime => (
            "Returns 0, or another number if an operation failed, of which wengert_last_error() says why.",
            "
/* Of libwengert_runtime, which this is linked with: why the last call on this thread that failed did so. */
const char *wengert_last_error(void);
",
        ),
        Calls::C | Calls::Nothing => ("Returns 0.", ""),
    }
}
