pub(super) struct Todo;
