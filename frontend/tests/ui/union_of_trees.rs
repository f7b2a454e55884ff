//! The derive on a union.
#[derive(Clone, Copy, wengert::Tree)]
union Either { //~ Tree can be derived for structs and enums only
    a: u32,
    b: f32,
}
fn main() {
    let _ = Either { a: 1 };
}
