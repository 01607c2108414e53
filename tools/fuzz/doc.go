// Command fuzz runs the fuzz targets of this repository, each for its share of
// the time, and counts their executions.
//
//	go run ./tools/fuzz -time 5m                       # all targets
//	go run ./tools/fuzz -time 10m -match 'FuzzCreate'  # some of them
//	go run ./tools/fuzz -goal 100000000 -counts FILE   # until so many
//
// It compiles the tests of each package once. The fuzzer sees what code of this
// repository an input reaches, but not that of other modules. Then it runs the
// targets in rounds, one on each processor at a time. It prints a table: the
// executions of each target, and how many inputs the fuzzer keeps for it.
//
// # What is kept
//
// An input that reaches new code goes to the folder -cache, by package and
// target. It is the go command's own unless given: $(go env GOCACHE)/fuzz. CI
// keeps this folder from run to run, and so does `go test -fuzz`. An input that
// fails is written to testdata/fuzz of its package, where `go test` runs it
// from then on. The command goes on with the other targets and ends with exit
// code 1.
//
// Executions are added to the file -counts, so that runs add up.
//
// # Minimization
//
// The fuzzer makes new inputs smaller before it keeps them, for up to a minute
// each unless told otherwise. Slow targets then do nothing else. Here an input
// gets 50 executions at most.
package main
