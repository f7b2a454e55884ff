//! What callers ask for: [`Settings`] when a client is made, [`CompileOptions`] when a program is compiled.

use crate::entry;
use crate::error::{Done, Failure};
use crate::ffi::{PJRT_NamedValue, named};
use crate::protobuf::{self, Message, Value};
use wengert_ir::types::FloatMode;

/// Most devices that a client may have.
const MOST_DEVICES: usize = 256;

/// What a client is to be like: the environment says it, and options of the call over that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// `WENGERT_JAX_PLATFORM`, `platform_name`: what JAX calls the platform.
    pub(crate) platform: String,
    /// `WENGERT_JAX_DEVICES`, `num_devices`: as how many devices the processor is seen.
    pub(crate) devices: usize,
    /// `WENGERT_THREADS`, `threads`: how many threads calls may use.
    pub(crate) threads: Option<usize>,
    /// `WENGERT_FLOAT_MODE`, `float_mode`.
    pub(crate) mode: FloatMode,
    /// `WENGERT_MAX_MEMORY`, `max_memory`: bytes that a program may need.
    pub(crate) max_memory: Option<u64>,
    /// `WENGERT_JAX_SYNCHRONOUS`, `synchronous`: whether every program has run when its call is over.
    pub(crate) synchronous: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            platform: "wengert".to_owned(),
            devices: 1,
            threads: None,
            mode: FloatMode::default(),
            max_memory: None,
            synchronous: false,
        }
    }
}

/// Options of a client, with the environment variable of each.
const SETTINGS: [(&str, &str); 6] = [
    ("platform_name", "WENGERT_JAX_PLATFORM"),
    ("num_devices", "WENGERT_JAX_DEVICES"),
    ("threads", "WENGERT_THREADS"),
    ("float_mode", "WENGERT_FLOAT_MODE"),
    ("max_memory", "WENGERT_MAX_MEMORY"),
    ("synchronous", "WENGERT_JAX_SYNCHRONOUS"),
];

impl Settings {
    /// What environment and options ask for.
    ///
    /// # Safety
    /// `options` are as the header describes them.
    pub(crate) unsafe fn new(options: &[PJRT_NamedValue]) -> Done<Self> {
        let mut settings = Self::default();
        for (name, variable) in SETTINGS {
            let value = std::env::var(variable).ok().filter(|v| !v.is_empty());
            if let Some(value) = value {
                settings.set(name, &value).map_err(|e| Failure::invalid(format!("{variable}: {e}")))?;
            }
        }
        for option in options {
            // SAFETY: the contract of this function.
            let (name, value) = unsafe { named_value(option) }?;
            settings.set(name, &value).map_err(|e| Failure::invalid(format!("create option {name}: {e}")))?;
        }
        Ok(settings)
    }

    /// The same with so many devices.
    pub(crate) fn with_devices(self, devices: usize) -> Done<Self> {
        if !(1..=MOST_DEVICES).contains(&devices) {
            return Err(Failure::invalid(format!("{devices} devices: there may be 1 to {MOST_DEVICES}")));
        }
        Ok(Self { devices, ..self })
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<u64>().map_err(|_| format!("{value:?} is no number"));
        match name {
            "platform_name" => match value {
                "wengert" | "cpu" => self.platform = value.to_owned(),
                _ => return Err(format!("{value:?} is neither \"wengert\" nor \"cpu\"")),
            },
            "num_devices" => {
                let devices = usize::try_from(number()?).unwrap_or(usize::MAX);
                *self = self.clone().with_devices(devices).map_err(|e| e.message)?;
            }
            "threads" => self.threads = Some(number()?.clamp(1, 1 << 16) as usize),
            "float_mode" => self.mode = float_mode(value)?,
            "max_memory" => self.max_memory = Some(number()?),
            "synchronous" => self.synchronous = boolean(value)?,
            _ => {
                let known: Vec<&str> = SETTINGS.iter().map(|(name, _)| *name).collect();
                return Err(format!("there is no such option; there are {}", known.join(", ")));
            }
        }
        Ok(())
    }
}

/// What a float mode is called, and [`float_mode`] reads.
pub(crate) fn name_of_mode(mode: FloatMode) -> &'static str {
    match mode {
        FloatMode::Exact => "exact",
        FloatMode::Default => "default",
        FloatMode::Relaxed => "relaxed",
    }
}

/// The float mode of a name.
pub(crate) fn float_mode(value: &str) -> Result<FloatMode, String> {
    match value {
        "exact" => Ok(FloatMode::Exact),
        "default" => Ok(FloatMode::Default),
        "relaxed" => Ok(FloatMode::Relaxed),
        _ => Err(format!("{value:?} is none of \"exact\", \"default\", \"relaxed\"")),
    }
}

fn boolean(value: &str) -> Result<bool, String> {
    match value {
        "1" | "true" | "True" => Ok(true),
        "0" | "false" | "False" => Ok(false),
        _ => Err(format!("{value:?} is neither true nor false")),
    }
}

/// Name and value of an option, the value as text.
///
/// # Safety
/// `option` is as the header describes it.
unsafe fn named_value(option: &PJRT_NamedValue) -> Done<(&str, String)> {
    // SAFETY: the contract of this function.
    let name = unsafe { entry::text("name of an option", option.name, option.name_size) }?;
    // SAFETY: the contract of this function; the type says which of the values there is.
    let value = unsafe {
        match option.type_ {
            named::STRING => entry::text(name, option.value.string, option.value_size)?.to_owned(),
            named::INT64 => option.value.int64.to_string(),
            named::FLOAT => option.value.float.to_string(),
            named::BOOL => (option.value.boolean != 0).to_string(),
            named::INT64_LIST => {
                format!("{:?}", entry::list(name, option.value.int64_list, option.value_size)?)
            }
            other => return Err(Failure::invalid(format!("option {name}: no value has the type {other}"))),
        }
    };
    Ok((name, value))
}

/// What a compilation is asked to do, out of a serialized `CompileOptionsProto`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct CompileOptions {
    /// The devices that it is for, if that is said: one for each part of the program.
    pub(crate) devices: Vec<i64>,
    /// For how many devices at once it is.
    pub(crate) partitions: usize,
    /// Whether it is for any device, which each call says.
    pub(crate) portable: bool,
    /// How exact it is to be, if that is said.
    pub(crate) mode: Option<FloatMode>,
    /// The bytes that it may need, if that is said.
    pub(crate) max_memory: Option<u64>,
    /// How many threads its calls may use, if that is said.
    pub(crate) threads: Option<usize>,
}

impl CompileOptions {
    /// Fails if the bytes are malformed, ask for copies of the program or for other devices than they say, or have an option
    /// that nobody knows.
    pub(crate) fn read(bytes: &[u8]) -> Done<Self> {
        let mut options = Self { partitions: 1, ..Self::default() };
        for field in Message::new(bytes) {
            match field? {
                // executable_build_options
                (3, value) => options.read_build_options(value.bytes()?)?,
                // compile_portable_executable
                (4, value) => options.portable = value.number()? != 0,
                // env_option_overrides
                (7, value) => options.read_override(value.bytes()?)?,
                _ => {}
            }
        }
        Ok(options)
    }

    fn read_build_options(&mut self, bytes: &[u8]) -> Done {
        let (mut copies, mut partitions, mut ordinal) = (1, 1, None);
        for field in Message::new(bytes) {
            match field? {
                // device_ordinal: -1 is none.
                (1, value) => ordinal = Some(value.number()? as i64).filter(|&device| device >= 0),
                // num_replicas, num_partitions
                (4, value) => copies = value.number()?.max(1),
                (5, value) => partitions = value.number()?.max(1),
                // device_assignment
                (9, value) => self.devices = assigned(value.bytes()?)?,
                _ => {}
            }
        }
        if copies != 1 {
            return Err(Failure::unimplemented(format!(
                "{copies} copies of a program at once: Wengert runs one, for several devices if it says how arrays lie on \
                 them. With JAX_PLATFORMS=cpu it runs on JAX's own CPU devices"
            )));
        }
        let most = MOST_DEVICES as u64;
        if partitions > most {
            return Err(Failure::unimplemented(format!(
                "a program for {partitions} devices: there are at most {most}"
            )));
        }
        self.partitions = partitions as usize;
        if self.devices.is_empty() {
            let many = (partitions > 1).then_some(0..partitions as i64);
            self.devices = many.map_or_else(|| ordinal.into_iter().collect(), Iterator::collect);
        }
        if self.partitions > 1 && self.devices.len() != self.partitions {
            let count = self.devices.len();
            return Err(Failure::invalid(format!("a program for {partitions} devices is given {count}")));
        }
        Ok(())
    }

    /// An entry of the map of options by name.
    fn read_override(&mut self, bytes: &[u8]) -> Done {
        let (mut name, mut value) = ("", String::new());
        for field in Message::new(bytes) {
            match field? {
                (1, key) => name = key.text()?,
                (2, message) => {
                    for field in Message::new(message.bytes()?) {
                        value = match field? {
                            (1, text) => text.text()?.to_owned(),
                            (4, double) => f64::from_bits(double.number()?).to_string(),
                            (_, number) => number.number()?.to_string(),
                        };
                    }
                }
                _ => {}
            }
        }
        match name {
            "wengert_float_mode" => {
                let mode = float_mode(&value);
                self.mode = Some(mode.map_err(|e| Failure::invalid(format!("compiler option {name}: {e}")))?);
            }
            "wengert_max_memory" => {
                let bytes = value.parse::<u64>();
                let refuse =
                    |_| Failure::invalid(format!("compiler option {name}: {value:?} is no number of bytes"));
                self.max_memory = Some(bytes.map_err(refuse)?);
            }
            "wengert_threads" => {
                let threads = value.parse::<usize>().ok().filter(|&threads| threads > 0);
                let refuse =
                    || Failure::invalid(format!("compiler option {name}: {value:?} is no number of threads"));
                self.threads = Some(threads.ok_or_else(refuse)?);
            }
            // What XLA may do has no bearing here.
            _ if name.starts_with("xla_") => {}
            _ => {
                return Err(Failure::invalid(format!(
                    "No such compile option: '{name}'. Wengert knows wengert_float_mode, wengert_max_memory and \
                     wengert_threads, and leaves alone what begins with xla_"
                )));
            }
        }
        Ok(())
    }
}

/// The devices of a `DeviceAssignmentProto`: of each part the first.
fn assigned(bytes: &[u8]) -> Done<Vec<i64>> {
    let mut devices = Vec::new();
    for field in Message::new(bytes) {
        if let (3, computation) = field? {
            let mut device = None;
            for field in Message::new(computation.bytes()?) {
                let (1, value) = field? else { continue };
                let found = match value {
                    Value::Bytes(list) => protobuf::packed(list)?.first().copied(),
                    number => Some(number.number()?),
                };
                device = device.or(found);
            }
            devices.extend(device.map(|d| d as i64));
        }
    }
    Ok(devices)
}

/// The `DeviceAssignmentProto` of one copy on these devices.
pub(crate) fn assignment(devices: &[usize]) -> Vec<u8> {
    let mut out = vec![0x08, 1, 0x10];
    protobuf::push_varint(&mut out, devices.len() as u64);
    for &device in devices {
        let mut computation = Vec::new();
        protobuf::push_packed(&mut computation, 1, &[device]);
        protobuf::push_bytes(&mut out, 3, &computation);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked() {
        let set = |name: &str, value: &str| {
            let mut settings = Settings::default();
            settings.set(name, value).map(|()| settings)
        };
        assert_eq!(set("num_devices", "4").map(|s| s.devices), Ok(4));
        assert_eq!(set("float_mode", "exact").map(|s| s.mode), Ok(FloatMode::Exact));
        assert_eq!(set("synchronous", "true").map(|s| s.synchronous), Ok(true));
        for (name, value) in [
            ("num_devices", "0"),
            ("num_devices", "1000"),
            ("float_mode", "fast"),
            ("platform_name", "tpu"),
            ("x", "1"),
        ] {
            assert!(set(name, value).is_err(), "{name} = {value}");
        }
        assert!(set("speed", "1").is_err_and(|e| e.contains("platform_name")));
    }

    #[test]
    fn assignments_are_written_as_they_are_read() {
        let read = |devices: &[usize], partitions: u8| {
            let bytes = assignment(devices);
            let mut build = vec![0x28, partitions, 0x4a, bytes.len() as u8];
            build.extend(bytes);
            let mut options = vec![0x1a, build.len() as u8];
            options.extend(build);
            CompileOptions::read(&options).map(|o| o.devices)
        };
        for device in [0, 1, 127, 128, 255] {
            assert_eq!(read(&[device], 1), Ok(vec![device as i64]));
        }
        assert_eq!(read(&[3, 200, 1], 3), Ok(vec![3, 200, 1]));
        assert!(read(&[3, 200, 1], 2).is_err_and(|e| e.message.contains("is given 3")));
        assert_eq!(CompileOptions::read(&[0x1a, 2, 0x28, 2]).map(|o| o.devices), Ok(vec![0, 1]));
        assert!(CompileOptions::read(&[0x1a, 2, 0x20, 2]).is_err_and(|e| e.message.contains("2 copies")));
        assert_eq!(assignment(&[0]), [0x08, 1, 0x10, 1, 0x1a, 3, 0x0a, 1, 0]);
    }

    #[test]
    fn options_by_name_are_known_or_refused() {
        let entry = |name: &str, value: &str| {
            let mut inner = vec![0x0a, name.len() as u8];
            inner.extend(name.as_bytes());
            inner.extend([0x12, value.len() as u8 + 2, 0x0a, value.len() as u8]);
            inner.extend(value.as_bytes());
            let mut out = vec![0x3a, inner.len() as u8];
            out.extend(inner);
            CompileOptions::read(&out)
        };
        assert_eq!(entry("wengert_float_mode", "relaxed").map(|o| o.mode), Ok(Some(FloatMode::Relaxed)));
        assert!(entry("wengert_float_mode", "quick").is_err());
        assert_eq!(entry("wengert_max_memory", "4096").map(|o| o.max_memory), Ok(Some(4096)));
        assert!(entry("wengert_max_memory", "-1").is_err_and(|e| e.message.contains("no number of bytes")));
        assert!(entry("xla_embed_ir_in_executable", "x").is_ok());
        assert!(
            entry("invalid_key", "x")
                .is_err_and(|e| e.message.starts_with("No such compile option: 'invalid_key'"))
        );
        assert!(CompileOptions::read(&[0x1a, 2, 0x20, 2]).is_err_and(|e| e.message.contains("2 copies")));
        assert!(CompileOptions::read(&[0x1a, 9]).is_err());
    }
}
