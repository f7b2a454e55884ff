//! Files that are made by hand, byte by byte: small ones that ask for much, and rare encodings.

use wengert_ir::bytecode;
use wengert_ir::text::{parse, same};

/// An integer of the format.
fn varint(value: usize) -> Vec<u8> {
    let more = (0..8).find(|m| value >> (7 * (m + 1)) == 0).unwrap();
    (((value << 1 | 1) << more) as u64).to_le_bytes()[..=more].to_vec()
}

fn varints(values: &[usize]) -> Vec<u8> {
    values.iter().flat_map(|&v| varint(v)).collect()
}

/// A list of numbers with a code before it.
fn list(code: usize, values: &[usize]) -> Vec<u8> {
    [varints(&[code, values.len()]), varints(values)].concat()
}

fn section(id: u8, inside: &[u8]) -> Vec<u8> {
    [&[id][..], &varint(inside.len()), inside].concat()
}

const BUILTIN: usize = 0;
const VHLO: usize = 1;
const SDY: usize = 2;

/// Operations by number.
const MODULE: usize = 0;
const FUNC: usize = 1;
const RETURN: usize = 2;
const CONSTANT: usize = 3;
const DOT: usize = 4;

/// What the mask of an operation says it has.
const ATTRIBUTES: u8 = 1;
const RESULTS: u8 = 2;
const OPERANDS: u8 = 4;
const REGIONS: u8 = 16;
const PROPERTIES: u8 = 64;

/// A file: entries by dialect.
#[derive(Default)]
struct File {
    strings: Vec<String>,
    attributes: Vec<(usize, Vec<u8>)>,
    types: Vec<(usize, Vec<u8>)>,
    properties: Vec<Vec<u8>>,
}

impl File {
    fn new() -> Self {
        let names =
            ["builtin", "vhlo", "sdy", "module", "func_v1", "return_v1", "constant_v1", "dot_general_v1"];
        File { strings: names.map(str::to_owned).to_vec(), ..File::default() }
    }

    fn attribute(&mut self, dialect: usize, bytes: Vec<u8>) -> usize {
        self.attributes.push((dialect, bytes));
        self.attributes.len() - 1
    }

    fn ty(&mut self, bytes: Vec<u8>) -> usize {
        self.types.push((VHLO, bytes));
        self.types.len() - 1
    }

    fn text(&mut self, text: &str) -> usize {
        self.strings.push(text.to_owned());
        self.attribute(VHLO, varints(&[14, self.strings.len() - 1]))
    }

    fn properties(&mut self, attributes: &[usize]) -> usize {
        self.properties.push(varints(attributes));
        self.properties.len() - 1
    }

    /// What a function of a type needs.
    fn function(&mut self, name: &str, ty: usize) -> usize {
        self.function_with(name, "", ty, &[])
    }

    fn function_with(&mut self, name: &str, visibility: &str, ty: usize, params: &[usize]) -> usize {
        let none = self.attribute(VHLO, list(1, &[]));
        let said = self.attribute(VHLO, list(1, params));
        let ty = self.attribute(VHLO, varints(&[17, ty]));
        let (name, visibility) = (self.text(name), self.text(visibility));
        self.properties(&[said, ty, none, name, visibility])
    }

    /// The bytes of a file of a module, whose head follows its number and holds these functions.
    fn bytes(&self, attributes: Option<usize>, functions: &[Vec<u8>]) -> Vec<u8> {
        let strings = self.strings.iter();
        let lengths: Vec<usize> = strings.clone().rev().map(|s| s.len() + 1).collect();
        let strings: Vec<u8> = strings.flat_map(|s| [s.as_bytes(), &[0]].concat()).collect();
        let strings = [varint(lengths.len()), varints(&lengths), strings].concat();
        let name = |k: usize| varint(k << 1 | 1);
        let mut dialects = varint(3);
        (0..3).for_each(|k| dialects.extend(varint(k << 1)));
        dialects.extend([varint(5), varints(&[BUILTIN, 1]), name(3), varints(&[VHLO, 4])].concat());
        (4..8).for_each(|k| dialects.extend(name(k)));
        let mut offsets = varints(&[self.attributes.len(), self.types.len()]);
        let mut entries = Vec::new();
        for (dialect, bytes) in self.attributes.iter().chain(&self.types) {
            offsets.extend(varints(&[*dialect, 1, bytes.len() << 1 | 1]));
            entries.extend(bytes);
        }
        let mut properties = varint(self.properties.len());
        for p in &self.properties {
            properties.extend([varint(p.len()), p.clone()].concat());
        }
        let mut module = varints(&[1 << 1, MODULE]);
        module.push(REGIONS | attributes.map_or(0, |_| ATTRIBUTES));
        module.extend(varint(0));
        attributes.into_iter().for_each(|k| module.extend(varint(k)));
        // One region of one block without values.
        module.extend(varints(&[1 << 1, 1, 0, functions.len() << 1]));
        module.extend(functions.concat());
        [
            b"ML\xEFR".to_vec(),
            varint(6),
            b"StableHLO_v1.0.0\0".to_vec(),
            section(0, &strings),
            section(1, &dialects),
            section(2, &entries),
            section(3, &offsets),
            section(4, &module),
            section(8, &properties),
        ]
        .concat()
    }
}

/// An operation up to its results.
fn op(name: usize, mask: u8, loc: usize) -> Vec<u8> {
    [varint(name), vec![mask], varint(loc)].concat()
}

/// A function with these properties and this location, and its region.
fn function(properties: usize, loc: usize, region: &[u8]) -> Vec<u8> {
    [op(FUNC, PROPERTIES | REGIONS, loc), varints(&[properties, 1 << 1]), region.to_vec()].concat()
}

/// A region without arguments whose operations define so many values.
fn region(values: usize, operations: &[Vec<u8>]) -> Vec<u8> {
    [varints(&[1, values, operations.len() << 1]), operations.concat()].concat()
}

fn returned(loc: usize, values: &[usize]) -> Vec<u8> {
    [op(RETURN, OPERANDS, loc), varint(values.len()), varints(values)].concat()
}

#[track_caller]
fn too_much(bytes: &[u8]) {
    let e = bytecode::read(bytes).unwrap_err().to_string();
    assert!(e.contains("too long together"), "{e}");
}

#[test]
fn each_visit_of_shardy_is_paid_for() {
    // Each of them lists the next one twice: 2^60 visits of attributes that have no text.
    for code in [7, 12, 14, 16] {
        let mut file = File::new();
        for k in 0..60 {
            file.attribute(SDY, list(code, &[k + 1, k + 1]));
        }
        file.attribute(SDY, list(code, &[]));
        let name = file.text("sdy");
        let dict = file.attribute(VHLO, varints(&[6, 1, name, 0]));
        too_much(&file.bytes(Some(dict), &[]));
    }
}

#[test]
fn each_look_at_a_shared_list_is_paid_for() {
    let (words, operations) = (20_000, 2_000);
    let mut file = File::new();
    let unknown = file.attribute(BUILTIN, varint(15));
    let word = file.attribute(VHLO, varints(&[11, 0]));
    let long = file.attribute(VHLO, list(1, &vec![word; words]));
    let element = file.ty(varint(14));
    let none = file.ty(varints(&[20, 1, 0, element]));
    let no_dims = file.attribute(VHLO, varints(&[15, none, 0]));
    let ty = file.ty(varints(&[8, 0, 0]));
    let main = file.function("main", ty);
    let dot = file.properties(&[no_dims, no_dims, long, no_dims, no_dims]);
    let dot = [op(DOT, PROPERTIES, unknown), varint(dot)].concat();
    let mut body = vec![dot; operations];
    body.push(returned(unknown, &[]));
    too_much(&file.bytes(None, &[function(main, unknown, &region(0, &body))]));
}

/// A program that does nothing, at this location.
fn placed(file: &mut File, loc: usize) -> Vec<u8> {
    let ty = file.ty(varints(&[8, 0, 0]));
    let main = file.function("main", ty);
    file.bytes(None, &[function(main, loc, &region(0, &[returned(loc, &[])]))])
}

#[test]
fn a_location_stops_where_it_is_long_enough() {
    // A location that is fused from itself, a hundred thousand times.
    let mut file = File::new();
    let fused = file.attribute(BUILTIN, list(12, &vec![0; 100_000]));
    let bytes = placed(&mut file, fused);
    assert_eq!(bytecode::read(&bytes).unwrap().funcs.len(), 1);
}

#[test]
fn locations_have_a_budget_of_their_own() {
    // Many locations in the same long file: those that are too many are not known, and the program is read all the same.
    let mut file = File::new();
    let name = file.text(&"x".repeat(4_000));
    let locs: Vec<usize> = (0..2_000).map(|k| file.attribute(BUILTIN, varints(&[11, name, k, 0]))).collect();
    let ty = file.ty(varints(&[8, 0, 0]));
    let main = file.function("main", ty);
    let element = file.ty(varint(0));
    let one = file.ty(varints(&[20, 0, element]));
    let value = file.attribute(VHLO, [varints(&[15, one, 1]), vec![0xFF]].concat());
    let constant = file.properties(&[value]);
    let mut body: Vec<Vec<u8>> = locs
        .iter()
        .map(|&l| [op(CONSTANT, RESULTS | PROPERTIES, l), varints(&[constant, 1, one])].concat())
        .collect();
    body.push(returned(locs[0], &[]));
    let bytes = file.bytes(None, &[function(main, locs[0], &region(locs.len(), &body))]);
    let module = bytecode::read(&bytes).unwrap();
    let main = module.get(module.find("main").unwrap());
    let known = main.insts.values().filter(|i| i.loc != wengert_ir::func::Loc::Unknown).count();
    assert!(known > 400 && known < 1_500, "{known}");
}

#[test]
fn a_shared_signature_is_paid_for_by_each_function() {
    let mut file = File::new();
    let loc = file.attribute(BUILTIN, varint(15));
    let element = file.ty(varint(0));
    let params = vec![element; 50_000];
    let ty = file.ty([varint(8), varint(params.len()), varints(&params), varint(0)].concat());
    let main = file.function("main", ty);
    // Functions without a block, which take what they say.
    too_much(&file.bytes(None, &vec![function(main, loc, &varint(0)); 2_000]));
}

#[test]
fn a_tuple_is_as_many_values_as_it_has_parts() {
    let mut file = File::new();
    let loc = file.attribute(BUILTIN, varint(15));
    let element = file.ty(varint(0));
    let tuple = file.ty(list(23, &vec![element; 10_000]));
    let params = vec![tuple; 10_000];
    let ty = file.ty([varint(8), varint(params.len()), varints(&params), varint(0)].concat());
    let main = file.function("main", ty);
    too_much(&file.bytes(None, &[function(main, loc, &varint(0))]));
}

/// A program that gives a constant of `shape` with these bytes as elements, in the dialect's encoding.
fn truths(dialect: usize, shape: &[usize], bytes: &[u8]) -> Vec<u8> {
    let mut file = File::new();
    let loc = file.attribute(BUILTIN, varint(15));
    let element = file.ty(varint(0));
    let doubled: Vec<usize> = shape.iter().map(|n| n << 1).collect();
    let tensor = file.ty([list(20, &doubled), varint(element)].concat());
    let code = if dialect == VHLO { 15 } else { 18 };
    let value = file.attribute(dialect, [varints(&[code, tensor, bytes.len()]), bytes.to_vec()].concat());
    let ty = file.ty([varints(&[8, 0, 1]), varint(tensor)].concat());
    let main = file.function("main", ty);
    let constant = file.properties(&[value]);
    let constant = [op(CONSTANT, RESULTS | PROPERTIES, loc), varints(&[constant, 1, tensor])].concat();
    file.bytes(None, &[function(main, loc, &region(1, &[constant, returned(loc, &[0])]))])
}

#[test]
fn truth_values_are_packed_in_both_encodings() {
    for (shape, bytes, text) in [
        (&[4][..], &[0x01][..], "dense<[true, false, false, false]> : tensor<4xi1>"),
        (&[4], &[0x0A], "dense<[false, true, false, true]> : tensor<4xi1>"),
        (&[4], &[0xFF], "dense<true> : tensor<4xi1>"),
        (&[4], &[0x00], "dense<false> : tensor<4xi1>"),
        (&[4], &[1, 0, 1, 1], "dense<[true, false, true, true]> : tensor<4xi1>"),
        (&[8], &[0x81], "dense<[true, false, false, false, false, false, false, true]> : tensor<8xi1>"),
        (&[3, 3], &[0xFF], "dense<true> : tensor<3x3xi1>"),
        (&[3, 3], &[0x00], "dense<false> : tensor<3x3xi1>"),
        (
            &[3, 3],
            &[0x07, 0x01],
            "dense<[[true, true, true], [false, false, false], [false, false, true]]> : tensor<3x3xi1>",
        ),
        (&[], &[0x01], "dense<true> : tensor<i1>"),
        (&[], &[0x00], "dense<false> : tensor<i1>"),
    ] {
        let ty = text.split_once(" : ").unwrap().1;
        let expected =
            format!("func.func @main() -> {ty} {{ %0 = stablehlo.constant {text} return %0 : {ty} }}");
        let expected = parse(&expected).unwrap();
        for dialect in [VHLO, BUILTIN] {
            let read = bytecode::read(&truths(dialect, shape, bytes)).unwrap();
            assert!(same(&read, &expected), "{dialect} {bytes:?}:\n{read}\n{expected}");
        }
    }
}

/// A public function that gives its first parameter away, then a private main that says this many times that it gives one away.
fn donors(said: usize) -> Result<Vec<usize>, bytecode::Error> {
    let mut file = File::new();
    let loc = file.attribute(BUILTIN, varint(15));
    let element = file.ty(varint(0));
    let element = file.ty(varints(&[20, 0, element]));
    let ty = file.ty([varints(&[8, 2]), varints(&[element; 2]), varint(0)].concat());
    let yes = file.attribute(VHLO, varints(&[2, 1]));
    let donor = file.text("jax.buffer_donor");
    let gives = file.attribute(VHLO, varints(&[6, 1, donor, yes]));
    let keeps = file.attribute(VHLO, varints(&[6, 0]));
    let params: Vec<usize> = (0..said).map(|k| if k == 0 { keeps } else { gives }).collect();
    let first = file.function_with("first", "", ty, &[gives, keeps]);
    let main = file.function_with("main", "private", ty, &params);
    // A block of two arguments without locations, and no order of uses.
    let params = [varints(&[2, element << 1, element << 1]), vec![0]].concat();
    let body = [varints(&[1, 2, 1 << 1 | 1]), params, returned(loc, &[])].concat();
    let bytes = file.bytes(None, &[function(first, loc, &body), function(main, loc, &body)]);
    let artifact = bytecode::read_artifact(&bytes)?;
    let interface = artifact.interface.unwrap();
    assert_eq!(artifact.module.get(interface.func).name, "main");
    Ok(interface.donors().collect())
}

#[test]
fn donors_are_of_the_function_that_runs() {
    assert_eq!(donors(0).unwrap(), []);
    assert_eq!(donors(2).unwrap(), [1]);
    for said in [1, 3, 100] {
        let e = donors(said).unwrap_err().to_string();
        assert!(e.contains("attributes of"), "{e}");
    }
}

#[test]
fn long_programs_of_equal_operations_are_within_the_budget() {
    // Three bytes or so name all the attributes of a convolution.
    let mut text = String::from(
        "func.func @main(%0: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x4xf32>) -> tensor<1x8x8x4xf32> {\n",
    );
    for k in 0..2_000 {
        text.push_str(&format!(
            "%{} = stablehlo.convolution(%{k}, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], \
             window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : \
             (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x8x8x4xf32>\n",
            k + 1
        ));
    }
    text.push_str("return %2000 : tensor<1x8x8x4xf32> }");
    let module = parse(&text).unwrap();
    let bytes = bytecode::write(&module, None).unwrap();
    assert!(same(&bytecode::read(&bytes).unwrap(), &module), "{} bytes", bytes.len());
}

/// A file of any size may make 64 KiB of text: what a small one shares is no attack yet.
#[test]
fn small_files_may_share_much() {
    let file = |depth: usize| {
        let mut file = File::new();
        for k in 0..depth {
            file.attribute(SDY, list(12, &[k + 1, k + 1]));
        }
        file.attribute(SDY, list(12, &[]));
        let name = file.text("sdy");
        let dict = file.attribute(VHLO, varints(&[6, 1, name, 0]));
        let unknown = file.attribute(BUILTIN, varint(15));
        let ty = file.ty(varints(&[8, 0, 0]));
        let main = file.function("main", ty);
        let body = region(0, &[returned(unknown, &[])]);
        file.bytes(Some(dict), &[function(main, unknown, &body)])
    };
    bytecode::read(&file(11)).unwrap();
}

/// What stands around an attribute of Shardy says what it is.
#[test]
fn attributes_of_shardy_are_named() {
    let mut file = File::new();
    let factors = file.attribute(SDY, list(8, &[0]));
    let mapping = file.attribute(SDY, list(9, &[factors]));
    let name = file.text("sdy.mapping");
    let dict = file.attribute(VHLO, varints(&[6, 1, name, mapping]));
    let unknown = file.attribute(BUILTIN, varint(15));
    let element = file.ty(varint(11));
    let tensor = file.ty(varints(&[20, 0, element]));
    let ty = file.ty(varints(&[8, 1, tensor, 1, tensor]));
    let main = file.function_with("main", "", ty, &[dict]);
    let block = [
        varints(&[1, 1]),
        vec![],
        varint(1 << 1 | 1),
        varints(&[1, tensor << 1]),
        vec![0],
        returned(unknown, &[0]),
    ]
    .concat();
    let bytes = file.bytes(None, &[function(main, unknown, &block)]);
    let artifact = bytecode::read_artifact(&bytes).unwrap();
    let said = artifact.interface.unwrap().params[0].clone();
    assert_eq!(said[..], [("sdy.mapping".to_owned(), "#sdy.tensor_mapping<[i]>".to_owned())]);
}
