"""XLA runs programs and agrees with us.

Each folder of the given one holds `program.mlir`, its arguments `in0.npy`.. and what we found: `out0.npy`.. in the
interpreter and `compiled0.npy`.. in native code. Skips when jax is not installed.
"""

import pathlib
import sys

TOLERANCE = {"float64": 1e-11, "float32": 2e-5}


def main():
    try:
        import jax
        import numpy as np
        from jax._src.interpreters import mlir as jax_mlir
        from jaxlib import xla_client
        from jaxlib.mlir import ir
    except ImportError:
        print("skipped: jax is not installed")
        return 0
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    backend = jax.extend.backend.get_backend() if hasattr(jax, "extend") else None
    if backend is None:
        from jax.extend.backend import get_backend

        backend = get_backend()
    devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
    failures, folders = [], sorted(pathlib.Path(sys.argv[1]).iterdir())
    for folder in folders:
        try:
            with jax_mlir.make_ir_context():
                module = ir.Module.parse((folder / "program.mlir").read_text())
                module.operation.verify()
                code = jax_mlir.module_to_bytecode(module)
            executable = backend.compile_and_load(code, devices, xla_client.CompileOptions())
            args = [jax.device_put(np.load(p)) for p in sorted(folder.glob("in*.npy"))]
            results = [np.asarray(r) for r in executable.execute(args)]
            for kind in ["out", "compiled"]:
                expected = [np.load(p) for p in sorted(folder.glob(kind + "*.npy"))]
                assert len(results) == len(expected), f"{len(results)} results, {len(expected)} expected"
                for result, wanted in zip(results, expected):
                    assert (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
                    tolerance = TOLERANCE.get(wanted.dtype.name, 0)
                    np.testing.assert_allclose(result, wanted, rtol=tolerance, atol=tolerance)
        except Exception as error:  # the bindings raise their own kinds
            failures.append(f"{folder.name}: {error}")
    for failure in failures:
        print(failure)
    print(f"XLA agrees on {len(folders) - len(failures)} of {len(folders)} programs")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
