#!/bin/bash -eu
# Builds the targets of package fuzz, as OSS-Fuzz calls it: $OUT is the folder
# of the targets and of their seeds, and compile_native_go_fuzzer is a command
# of the base image. The working tree is a copy that is thrown away.
cd "${SRC:?}/crdsem"

# The base image may have an older Go than go.mod asks for: the go command then
# loads the newer one.
export GOTOOLCHAIN=auto GOFLAGS=-mod=mod GOWORK=off

# What the compiled targets import in place of package testing.
printf 'package fuzz\n\nimport _ "github.com/AdamKorcz/go-118-fuzz-build/testing"\n' \
	> conformance/fuzz/register.go
go get github.com/AdamKorcz/go-118-fuzz-build/testing@v0.0.0-20250520111509-a70c2aa677fa

for target in FuzzStructural FuzzPrune FuzzDefault FuzzValidate FuzzCEL FuzzCost FuzzCRD \
	FuzzAdmit FuzzConvert FuzzTable FuzzStore FuzzRead FuzzUpdate FuzzStatus \
	FuzzPatch FuzzApply FuzzScale FuzzSort; do
	compile_native_go_fuzzer github.com/crdsem/crdsem/conformance/fuzz $target $target
done

go run ./tools/seeds -format libfuzzer "${OUT:?}"
