//! `wengert devices`: where programs can run.

use crate::Result;
use crate::out::outln;
use wengert::Device;

pub(crate) fn devices() -> Result<()> {
    for listed in Device::list() {
        match listed.found {
            Ok(what) => outln!("{:<10} {what}", listed.name),
            Err(why) => outln!("{:<10} not there: {why}", listed.name),
        }
    }
    Ok(())
}
