//! How a call ended.

/// How a call ended; generated code forwards whatever is not `Ok`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Status {
    /// As it should.
    Ok = 0,
    /// A stack needed more memory than the limit or the machine gives.
    Memory = 1,
    /// More steps than the limit.
    Steps = 2,
    /// A routine of the runtime panicked: a bug.
    Panic = 3,
    /// An operation cannot be executed; [`super::reference::take_failure`] says why.
    Refused = 4,
    /// The program stopped itself; [`super::reference::take_raised`] says why.
    Raised = 5,
}
