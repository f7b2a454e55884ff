//! Programs in generic form that do not come from text: operations with numbers in place of names.
//!
//! Operations, regions, values and large constants are data; attributes and types are text, which is read by what reads any
//! text. So an operation is known in one place, whatever a program was stored in ([`crate::bytecode`]).

use super::captures::{Captures, Region};
use super::error::ParseError;
use super::frame::Shape;
use super::generic::Raw;
use super::is_foreign;
use super::literal;
use super::parser::{Parser, Res, Uses};
use crate::array::{Bytes, Literal};
use crate::func::{FuncKind, Loc, Module};
use crate::interface::{Attributes, Lying};
use crate::types::Type;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// A program.
pub(crate) struct Program<'b> {
    /// One line per operation, in the order of the file: its name between quotes and its attributes in braces. Then types.
    pub(crate) text: String,
    /// Where in the text each type stands that a value has.
    pub(crate) types: HashMap<usize, usize>,
    /// Where the attributes of the module stand, and its name.
    pub(crate) attributes: Vec<usize>,
    pub(crate) top: Vec<Top>,
    /// The constants, which many operations may share: type, and bytes of all elements or of one if all are equal.
    pub(crate) constants: Vec<(usize, Cow<'b, [u8]>)>,
}

/// The types of what functions take and give, which many may share.
pub(crate) type Signature = Rc<(Vec<usize>, Vec<usize>)>;

/// What stands in a module.
pub(crate) enum Top {
    Function(Function),
    /// A mesh of devices.
    Mesh(Node),
}

/// A function.
pub(crate) struct Function {
    /// Where its line starts.
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) kind: FuncKind,
    /// The types of what it takes and gives, which many functions may share.
    pub(crate) signature: Signature,
    pub(crate) body: Option<Block>,
}

/// The one block of a region.
pub(crate) struct Block {
    /// Types and locations of its parameters.
    pub(crate) params: Vec<(usize, Loc)>,
    /// The number of the first of them; the others follow.
    pub(crate) first: u32,
    pub(crate) nodes: Vec<Node>,
}

/// An operation.
pub(crate) struct Node {
    /// Where its line starts.
    pub(crate) line: usize,
    /// Where its name stands, without the quotes.
    pub(crate) name: Range<usize>,
    /// Where the braces of its attributes open.
    pub(crate) attributes: Option<usize>,
    /// Of a constant: which of the program's it is.
    pub(crate) constant: Option<usize>,
    pub(crate) operands: Vec<u32>,
    /// The types of its results.
    pub(crate) results: Vec<usize>,
    /// The number of the first of them; the others follow.
    pub(crate) first: u32,
    pub(crate) regions: Vec<Option<Block>>,
    pub(crate) loc: Loc,
}

/// Values of a type: a tuple is several.
type Types = Rc<(Vec<Type>, Shape)>;

/// Builds the module that a program is, and says how values of it lie.
pub(crate) fn build(program: &Program<'_>) -> Result<(Module, Lying), ParseError> {
    let constants = vec![None; program.constants.len()];
    let mut parser = Parser::new(&program.text);
    parser.interfaces = Some(HashMap::new());
    Builder { parser, program, types: HashMap::new(), constants }.module()
}

/// Attributes with the meshes that they name, which the program has.
pub(crate) fn with_meshes(
    program: &Program<'_>,
    attributes: Vec<Attributes>,
) -> Result<Vec<Attributes>, ParseError> {
    let parser = Parser::new(&program.text);
    let mut builder = Builder { parser, program, types: HashMap::new(), constants: Vec::new() };
    builder.meshes()?;
    attributes.into_iter().map(|list| builder.parser.attributes_with_meshes(list)).collect()
}

struct Builder<'p> {
    parser: Parser<'p>,
    program: &'p Program<'p>,
    types: HashMap<usize, Types>,
    /// Those that have been met.
    constants: Vec<Option<Literal>>,
}

/// Whether an operation ends a block.
fn is_return(name: &str) -> bool {
    matches!(name, "func.return" | "stablehlo.return" | "sdy.return")
}

impl<'p> Builder<'p> {
    fn module(mut self) -> Res<(Module, Lying)> {
        let program = self.program;
        for &at in &program.attributes {
            self.parser.jump(at);
            let attributes = self.parser.dict()?;
            self.parser.module_attributes(&attributes)?;
        }
        self.meshes()?;
        for top in &program.top {
            if let Top::Function(function) = top {
                self.function(function)?;
            }
        }
        let lying = std::mem::take(&mut self.parser.lying);
        Ok((self.parser.finish()?, lying))
    }

    fn meshes(&mut self) -> Res<()> {
        for top in &self.program.top {
            if let Top::Mesh(node) = top {
                let attributes = match node.attributes {
                    Some(at) => {
                        self.parser.jump(at);
                        self.parser.dict()?
                    }
                    None => Default::default(),
                };
                self.parser.mesh_of(&attributes, node.line)?;
            }
        }
        Ok(())
    }

    /// The values that a type is of.
    fn ty(&mut self, k: usize) -> Res<Types> {
        if let Some(types) = self.types.get(&k) {
            return Ok(types.clone());
        }
        let Some(&at) = self.program.types.get(&k) else {
            return self.parser.fail("this type is missing");
        };
        self.parser.jump(at);
        let mut types = Vec::new();
        let shape = self.parser.type_into(&mut types)?;
        let types = Rc::new((types, shape));
        self.types.insert(k, types.clone());
        Ok(types)
    }

    fn function(&mut self, function: &'p Function) -> Res<()> {
        let at = function.line;
        let id = self.parser.declare(&function.name, function.kind, at, at)?;
        let (params, results) = &*function.signature;
        let mut expected = Vec::new();
        for &k in results {
            expected.extend(self.ty(k)?.0.iter().cloned());
        }
        match &function.body {
            None => {
                for &k in params {
                    for ty in &self.ty(k)?.0 {
                        self.parser.frame().func.param(ty.clone());
                    }
                }
            }
            Some(block) => {
                if !block.params.iter().map(|p| p.0).eq(params.iter().copied()) {
                    return self
                        .parser
                        .fail_at(at, "the body of this function takes other types than it says");
                }
                self.params(block, at)?;
                let name = |loc: &Loc| match loc {
                    Loc::Text(text) => text
                        .strip_prefix('"')
                        .and_then(|t| t.strip_suffix('"'))
                        .filter(|t| !t.contains('"'))
                        .map(super::unescape)
                        .unwrap_or_default(),
                    _ => String::new(),
                };
                let mut names: Vec<String> = block.params.iter().map(|p| name(&p.1)).collect();
                while names.last().is_some_and(String::is_empty) {
                    names.pop();
                }
                self.parser.frame().func.param_names = names;
                self.nodes(block, at)?;
                self.parser.check_results(id, &function.name, &expected, at)?;
            }
        }
        self.parser.define(id);
        Ok(())
    }

    /// The parameters of a block, in the innermost function.
    fn params(&mut self, block: &Block, at: usize) -> Res<()> {
        for (n, &(k, _)) in (block.first..).zip(&block.params) {
            let types = self.ty(k)?;
            let frame = self.parser.frame();
            let values: Vec<_> = types.0.iter().map(|ty| frame.func.param(ty.clone())).collect();
            self.parser.bind_shape("", n, &values, &types.1, at)?;
        }
        Ok(())
    }

    /// The operations of a block up to its return.
    fn nodes(&mut self, block: &'p Block, at: usize) -> Res<()> {
        let Some((last, nodes)) = block.nodes.split_last() else {
            return self.parser.fail_at(at, "a block without a return");
        };
        for node in nodes {
            self.node(node)?;
        }
        if !is_return(&self.program.text[last.name.clone()]) {
            return self.parser.fail_at(last.line, "a block must end with a return");
        }
        let operands = self.operands(last)?;
        self.parser.frame().func.results = operands.iter().map(|u| u.0).collect();
        Ok(())
    }

    fn operands(&mut self, node: &Node) -> Res<Uses> {
        let mut out = Uses::new();
        self.parser.tuple_operand = None;
        for &n in &node.operands {
            self.parser.named_into(("", n), node.line, &mut out)?;
        }
        Ok(out)
    }

    fn node(&mut self, node: &'p Node) -> Res<()> {
        let program = self.program;
        let (name, at) = (&program.text[node.name.clone()], node.line);
        self.parser.result_shapes.clear();
        if is_return(name) {
            return self.parser.fail_at(at, "a return in the middle of a block");
        }
        let operands = self.operands(node)?;
        let tuple = self.parser.tuple_operand.take();
        let mut raw = Raw { operands, ..Raw::new(name, at, is_foreign(name)) };
        if let Some(open) = node.attributes {
            self.parser.jump(open);
            let from = self.parser.end();
            let attrs = self.parser.dict()?;
            let to = self.parser.lexer.last_end - 1;
            raw.add_attributes(&program.text, attrs, from, to);
        }
        if let Some(k) = node.constant {
            let value = self.constant(k, at)?;
            raw.attrs.push("value", super::attr::Value::Dense(value), at);
        }
        if !node.regions.is_empty() {
            (raw.regions, raw.captures) = self.regions(node)?;
        }
        let mut shapes = Vec::new();
        for &k in &node.results {
            let types = self.ty(k)?;
            raw.results.extend(types.0.iter().cloned());
            shapes.push(types.1.clone());
        }
        // Errors of what has no place of its own are of this line.
        self.parser.jump(at);
        self.parser.tuple_operand = tuple;
        self.parser.result_shapes = shapes.clone();
        if name == "builtin.unrealized_conversion_cast" {
            return self.cast(node, &raw, &shapes);
        }
        self.parser.check_known(name, at)?;
        let instr = self.parser.spelled(raw)?;
        let said = std::mem::take(&mut self.parser.result_shapes);
        let shapes = if said.len() == shapes.len() { said } else { shapes };
        let results = self.parser.push(instr, at, node.loc.clone())?;
        self.bind(node, &shapes, &results)
    }

    fn constant(&mut self, k: usize, at: usize) -> Res<Literal> {
        if let Some(Some(literal)) = self.constants.get(k) {
            return Ok(literal.clone());
        }
        let (ty, bytes) = &self.program.constants[k];
        let types = self.ty(*ty)?;
        let [Type::Tensor(ty)] = &types.0[..] else {
            return self.parser.fail_at(at, "a constant must be a tensor");
        };
        if !ty.is_static() {
            return self.parser.fail_at(at, "a constant of dynamic size is not supported");
        }
        let literal = literal::from_bytes(ty, Bytes::from_slice(bytes))
            .or_else(|message| self.parser.fail_at(at, message))?;
        self.constants[k] = Some(literal.clone());
        Ok(literal)
    }

    /// Values of one dialect's types as those of another: themselves.
    fn cast(&mut self, node: &Node, raw: &Raw<'p>, shapes: &[Shape]) -> Res<()> {
        let values: Vec<_> = raw.operands.iter().map(|u| u.0).collect();
        let types = values.iter().map(|&v| self.parser.value_type(v));
        if !types.eq(raw.results.iter()) {
            return self.parser.fail_at(node.line, "a cast between types that are not the same here");
        }
        self.bind(node, shapes, &values)
    }

    fn bind(&mut self, node: &Node, shapes: &[Shape], mut rest: &[crate::func::Value]) -> Res<()> {
        for (n, shape) in (node.first..).zip(shapes) {
            let Some((values, others)) = rest.split_at_checked(shape.len()) else {
                return self.parser.fail_at(node.line, "more results than the operation has");
            };
            self.parser.bind_shape("", n, values, shape, node.line)?;
            rest = others;
        }
        Ok(())
    }

    /// The regions of an operation, and what they capture.
    fn regions(&mut self, node: &'p Node) -> Res<(Vec<Region<'p>>, Captures)> {
        self.parser.captures.push(Captures::default());
        let mut out = Vec::new();
        for block in &node.regions {
            self.parser.open_region();
            if let Some(block) = block {
                self.params(block, node.line)?;
                self.nodes(block, node.line)?;
            }
            out.push(Region::of(self.parser.pop_frame()));
        }
        Ok((out, self.parser.captures.pop().unwrap_or_default()))
    }
}
