//! GPUs through WebGPU's native implementation: Vulkan, Metal, Direct3D 12.
//!
//! Commands are gathered and submitted when something waits. No `unsafe`: what a shader accesses is checked by `wgpu` too.

use crate::device::{Buffer, Code, Device, Driver, Error, Launch};
use crate::expand::{Fma, Means};
use crate::wgsl::{self, Needs, Shader};
use std::collections::BTreeMap;
use std::future::Future;
use std::task::{Context, Poll, Waker};
use wengert_ir::kernel::{KernelId, Program};

/// Blocks of one dispatch along an axis.
const MOST_BLOCKS: u64 = 65_535;

/// An adapter, as it is listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Its name, and the driver's.
    pub description: String,
    /// What programs it cannot run, if there are any.
    pub lacks: Option<String>,
}

/// Runs a future that is ready when it is asked often enough.
fn wait_for<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        std::thread::yield_now();
    }
}

fn adapters() -> Vec<wgpu::Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    wait_for(instance.enumerate_adapters(wgpu::Backends::PRIMARY))
}

fn description(adapter: &wgpu::Adapter) -> String {
    let info = adapter.get_info();
    let driver = format!("{} {}", info.driver, info.driver_info);
    format!("{} ({:?}, {})", info.name, info.backend, driver.trim())
}

/// The features that programs ask for.
fn wanted() -> wgpu::Features {
    wgpu::Features::SHADER_INT64 | wgpu::Features::SHADER_F64
}

/// The adapters that there are.
pub fn list() -> Vec<Found> {
    let found = |adapter: &wgpu::Adapter| {
        let missing = wanted() - adapter.features();
        let lacks = if missing.contains(wgpu::Features::SHADER_INT64) {
            Some("no 64-bit integers (SHADER_INT64), which kernels count with".to_owned())
        } else if missing.contains(wgpu::Features::SHADER_F64) {
            Some("no `f64` (SHADER_F64)".to_owned())
        } else {
            None
        };
        Found { description: description(adapter), lacks }
    };
    adapters().iter().map(found).collect()
}

/// Opens the adapter of that number.
///
/// # Errors
/// If there is none, or it gives no device.
pub fn open(index: usize) -> Result<Device, Error> {
    let (description, driver) = driver(index)?;
    Ok(Device::new(&format!("wgpu:{index}"), &description, driver))
}

/// What the adapter of that number is, and its driver.
///
/// # Errors
/// As [`open`].
pub fn driver(index: usize) -> Result<(String, Box<dyn Driver>), Error> {
    let adapters = adapters();
    let Some(adapter) = adapters.get(index) else {
        return Err(Error::Device(match adapters.len() {
            0 => format!(
                "no device wgpu:{index}: no Vulkan, Metal or Direct3D 12 driver was found; install one, or run on `cpu`"
            ),
            n => format!("no device wgpu:{index}: there are {n}, see `wengert devices`"),
        }));
    };
    let (name, description) = (format!("wgpu:{index}"), description(adapter));
    let features = adapter.features() & wanted();
    let descriptor = wgpu::DeviceDescriptor {
        label: None,
        required_features: features,
        required_limits: adapter.limits(),
        ..Default::default()
    };
    let (device, queue) = wait_for(adapter.request_device(&descriptor))
        .map_err(|e| Error::Device(format!("{name} gives no device: {e}")))?;
    let mut driver = Wgpu {
        name,
        has: Needs {
            f64: features.contains(wgpu::Features::SHADER_F64),
            i64: features.contains(wgpu::Features::SHADER_INT64),
        },
        means: Means::default(),
        device,
        queue,
        buffers: BTreeMap::new(),
        next: 0,
        programs: Vec::new(),
        pending: None,
    };
    driver.means.fma = if driver.fuses()? { Fma::Native } else { Fma::Emulated };
    Ok((description, Box::new(driver)))
}

struct Wgpu {
    name: String,
    has: Needs,
    means: Means,
    device: wgpu::Device,
    queue: wgpu::Queue,
    buffers: BTreeMap<u64, wgpu::Buffer>,
    next: u64,
    programs: Vec<Option<Vec<Kernel>>>,
    /// What was not submitted yet.
    pending: Option<wgpu::CommandEncoder>,
}

/// A kernel as it is dispatched.
struct Kernel {
    id: KernelId,
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    wide: Vec<bool>,
}

/// Whether a multiplication with an addition is rounded once: the square of 1 + 2^-12 has a last bit that a sum loses.
const PROBE: &str = "
@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> args: array<u32>;
@compute @workgroup_size(1) fn main() { x[0] = fma(x[0], x[0], x[1]); x[1] = f32(args[0]); }
";

impl Wgpu {
    /// Runs something and gives what the device says against it.
    fn checked<T>(&mut self, what: &str, f: impl FnOnce(&mut Self) -> T) -> Result<T, Error> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let result = f(self);
        let (refused, full) = (wait_for(validation.pop()), wait_for(memory.pop()));
        match (refused, full) {
            (_, Some(_)) => Err(Error::Memory { device: self.name.clone(), bytes: 0 }),
            (Some(e), _) => {
                let text = e.to_string();
                let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
                Err(Error::Device(format!("{}: {what} was refused: {line}", self.name)))
            }
            (None, None) => Ok(result),
        }
    }

    fn fuses(&mut self) -> Result<bool, Error> {
        let shader = Shader {
            kernel: probe_id(),
            text: PROBE.into(),
            mems: 1,
            wide: Vec::new(),
            needs: Needs::default(),
        };
        let code = self.load_shaders(&[shader])?;
        let buffer = self.allocate(256)?;
        let (x, y) = (1.0 + 2f32.powi(-12), -(1.0 + 2f32.powi(-11)));
        self.write(buffer, 0, &[x.to_le_bytes(), y.to_le_bytes()].concat())?;
        let launch = Launch {
            kernel: probe_id(),
            grid: [1; 3],
            block: [1; 3],
            mems: vec![(buffer, 0)],
            scalars: vec![],
        };
        self.launch(code, &launch)?;
        let mut out = [0; 4];
        self.read(buffer, 0, &mut out)?;
        self.free(buffer);
        self.unload(code);
        Ok(f32::from_le_bytes(out) == 2f32.powi(-24))
    }

    fn load_shaders(&mut self, shaders: &[Shader]) -> Result<Code, Error> {
        let mut kernels = Vec::new();
        for shader in shaders {
            let limit = self.device.limits().max_storage_buffers_per_shader_stage as usize;
            if shader.mems + 1 > limit {
                return Err(Error::Refused(format!(
                    "{}: a kernel touches {} memories, the device binds {limit}: run on `cpu` or another device",
                    self.name, shader.mems
                )));
            }
            kernels.push(self.checked("a kernel", |this| this.kernel(shader))?);
        }
        self.programs.push(Some(kernels));
        Ok(Code(self.programs.len() as u32 - 1))
    }

    fn kernel(&self, shader: &Shader) -> Kernel {
        let entry = |binding: usize| wgpu::BindGroupLayoutEntry {
            binding: binding as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: false },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let entries: Vec<_> = (0..=shader.mems).map(entry).collect();
        let layout = self
            .device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let pipeline_layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(shader.text.as_str().into()),
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        Kernel { id: shader.kernel, pipeline, layout, wide: shader.wide.clone() }
    }

    fn submit(&mut self) {
        if let Some(encoder) = self.pending.take() {
            self.queue.submit([encoder.finish()]);
        }
    }

    fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        let device = &self.device;
        self.pending.get_or_insert_with(|| {
            device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: None })
        })
    }

    fn poll(&self) -> Result<(), Error> {
        let wait = wgpu::PollType::Wait { submission_index: None, timeout: None };
        let lost = |e| Error::Device(format!("{} is lost or does not answer: {e}", self.name));
        self.device.poll(wait).map(|_| ()).map_err(lost)
    }
}

fn probe_id() -> KernelId {
    use wengert_ir::entity::Entity;
    KernelId::from_index(0)
}

impl Driver for Wgpu {
    fn allocate(&mut self, bytes: usize) -> Result<Buffer, Error> {
        let most =
            self.device.limits().max_storage_buffer_binding_size.min(self.device.limits().max_buffer_size);
        let full = |e: Error| match e {
            Error::Memory { device, .. } => Error::Memory { device, bytes },
            other => other,
        };
        if bytes as u64 > most {
            return Err(Error::Memory { device: self.name.clone(), bytes });
        }
        let buffer = self
            .checked("memory", |this| {
                this.device.create_buffer(&wgpu::BufferDescriptor {
                    label: None,
                    size: bytes as u64,
                    usage: wgpu::BufferUsages::STORAGE
                        | wgpu::BufferUsages::COPY_SRC
                        | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                })
            })
            .map_err(full)?;
        self.next += 1;
        self.buffers.insert(self.next, buffer);
        Ok(Buffer(self.next))
    }

    fn free(&mut self, buffer: Buffer) {
        // Commands that were given hold it until they are done.
        self.buffers.remove(&buffer.0);
    }

    fn write(&mut self, buffer: Buffer, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        let (start, end) = (offset / 4 * 4, (offset + bytes.len()).next_multiple_of(4));
        // What was launched before comes first; words are whole.
        self.submit();
        if (start, end) == (offset, offset + bytes.len()) {
            self.queue.write_buffer(&self.buffers[&buffer.0], start as u64, bytes);
            return Ok(());
        }
        let mut whole = vec![0; end - start];
        let is_rest_needed = bytes.len() < whole.len();
        if is_rest_needed {
            self.read(buffer, start, &mut whole)?;
        }
        whole[offset - start..][..bytes.len()].copy_from_slice(bytes);
        self.queue.write_buffer(&self.buffers[&buffer.0], start as u64, &whole);
        Ok(())
    }

    fn read(&mut self, buffer: Buffer, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        let (start, end) = (offset / 4 * 4, (offset + bytes.len()).next_multiple_of(4));
        let size = (end - start) as u64;
        let staging = self.checked("a copy to the host", |this| {
            this.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        let source = self.buffers[&buffer.0].clone();
        self.encoder().copy_buffer_to_buffer(&source, start as u64, &staging, 0, size);
        self.submit();
        staging.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        self.poll()?;
        let lost = |e| Error::Device(format!("{}: memory cannot be read: {e}", self.name));
        let view = staging.slice(..).get_mapped_range().map_err(lost)?;
        bytes.copy_from_slice(&view[offset - start..][..bytes.len()]);
        Ok(())
    }

    fn copy(&mut self, from: Buffer, to: Buffer, bytes: usize) -> Result<(), Error> {
        let (from, to) = (self.buffers[&from.0].clone(), self.buffers[&to.0].clone());
        let size = bytes.next_multiple_of(4) as u64;
        self.encoder().copy_buffer_to_buffer(&from, 0, &to, 0, size);
        Ok(())
    }

    fn load(&mut self, program: &Program) -> Result<Code, Error> {
        let shaders = wgsl::module(program, self.means).map_err(Error::Refused)?;
        for shader in &shaders {
            let missing = match (shader.needs.i64 && !self.has.i64, shader.needs.f64 && !self.has.f64) {
                (true, _) => "64-bit integers (SHADER_INT64), which kernels count with: run on `cpu`",
                (_, true) => "`f64` (SHADER_F64): compute in `f32`, or run on `cpu`",
                _ => continue,
            };
            return Err(Error::Refused(format!("{} has no {missing}", self.name)));
        }
        self.load_shaders(&shaders)
    }

    fn unload(&mut self, code: Code) {
        self.programs[code.0 as usize] = None;
    }

    fn launch(&mut self, code: Code, launch: &Launch) -> Result<(), Error> {
        let [gx, gy, gz] = launch.grid;
        let starts = |n: u64| (0..n).step_by(MOST_BLOCKS as usize);
        for (x, y, z) in
            starts(gz).flat_map(|z| starts(gy).flat_map(move |y| starts(gx).map(move |x| (x, y, z))))
        {
            let part = [(gx, x), (gy, y), (gz, z)].map(|(n, at)| (n - at).min(MOST_BLOCKS) as u32);
            self.checked("a launch", |this| this.dispatch(code, launch, [x, y, z].map(|v| v as u32), part))?;
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Error> {
        self.submit();
        self.poll()
    }
}

impl Wgpu {
    /// Some blocks of a launch.
    fn dispatch(&mut self, code: Code, launch: &Launch, first: [u32; 3], blocks: [u32; 3]) {
        let kernels = self.programs[code.0 as usize].as_ref().expect("loaded");
        let kernel = kernels.iter().find(|k| k.id == launch.kernel).expect("what is launched was loaded");
        let mut args: Vec<u32> = first.to_vec();
        args.push(0);
        // In bytes here; the shader divides by the size of an element.
        args.extend(launch.mems.iter().map(|(_, offset)| *offset as u32));
        for &word in &launch.scalars {
            args.extend([word as u32, (word >> 32) as u32]);
        }
        debug_assert_eq!(kernel.wide.len(), launch.scalars.len(), "scalars of a launch");
        let bytes: Vec<u8> = args.iter().flat_map(|w| w.to_le_bytes()).collect();
        let size = bytes.len().next_multiple_of(16) as u64;
        let arguments = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: true,
        });
        if let Ok(mut view) = arguments.slice(..bytes.len() as u64).get_mapped_range_mut() {
            view.copy_from_slice(&bytes);
        }
        arguments.unmap();
        let bound: Vec<&wgpu::Buffer> =
            launch.mems.iter().map(|(buffer, _)| &self.buffers[&buffer.0]).chain([&arguments]).collect();
        let entries: Vec<wgpu::BindGroupEntry<'_>> = bound
            .iter()
            .enumerate()
            .map(|(k, buffer)| wgpu::BindGroupEntry {
                binding: k as u32,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &kernel.layout,
            entries: &entries,
        });
        let pipeline = kernel.pipeline.clone();
        let mut pass = self.encoder().begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(blocks[0], blocks[1], blocks[2]);
    }
}
