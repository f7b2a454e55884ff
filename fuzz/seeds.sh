#!/usr/bin/env bash
# Fills fuzz/corpus from the programs and arrays of the tests, and from the kernels that programs are compiled to.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p fuzz/corpus/{text,bytecode,npy,kernel,program}
cp ir/tests/bytecode/*.mlirbc ir/tests/bytecode/*.bin fuzz/corpus/bytecode/
for case in tests/corpus/*/; do
  name=$(basename "$case")
  cp "$case/program.mlir" "fuzz/corpus/text/$name.mlir"
  cp "$case/program.mlir" "fuzz/corpus/program/$name.mlir"
  find "$case" -name '*.npy' -size -2k -exec cp {} "fuzz/corpus/npy/" \;
  cargo run --quiet --release -p wengert-cli -- emit "$case/program.mlir" --stage kernel > "fuzz/corpus/kernel/$name.kir" \
    2>/dev/null || rm -f "fuzz/corpus/kernel/$name.kir"
done
cp ir/tests/units/kernel/all.kir fuzz/corpus/kernel/
