//! What a kernel says of itself in a line.

use wengert::profile::Kernel;
use wengert::stages::Traced;

#[test]
fn a_line_counts_operations_and_places() {
    let program = "func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
      %y = stablehlo.exponential %x : tensor<4096xf32>
      return %y : tensor<4096xf32>
    }";
    let lowered = Traced::parse(program, None).and_then(|traced| traced.lower()).expect("a program");
    let kernel = lowered.kernels().expect("kernels").kernels.swap_remove(1);
    let said = |operations: &[(&str, usize)], places: &[&str]| {
        let operations = operations.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        let places = places.iter().map(|&place| place.to_owned()).collect();
        Kernel { operations, places, ..kernel.clone() }.what()
    };
    let several = [("a", 1), ("b", 2), ("c", 1), ("d", 3), ("e", 1), ("f", 1), ("g", 4), ("h", 1)];
    assert_eq!(said(&several[..1], &[]), "a");
    assert_eq!(said(&several[..2], &["x.py:1"]), "a, 2 b at x.py:1");
    assert_eq!(said(&several[3..4], &["x.py:1", "y.py:2"]), "3 d at x.py:1 and 1 more");
    assert_eq!(
        said(&several[..6], &["x.py:1", "y.py:2", "y.py:3"]),
        "a, 2 b, c, 3 d, e, f at x.py:1 and 2 more"
    );
    assert_eq!(said(&several[..7], &[]), "a, 2 b, c, 3 d, e, f, 1 more");
    assert_eq!(said(&several, &[]), "a, 2 b, c, 3 d, e, f, 2 more");
}
