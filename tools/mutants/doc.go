// Command mutants tests the tests. It changes the code of the core packages in
// one place at a time and runs the tests that reach it. A changed program is a
// mutant. A mutant that fails a test is killed; one that passes all shows
// that the tests do not hold this piece of code.
//
//	go run ./tools/mutants                          # 40 of each core package
//	go run ./tools/mutants -n 10 -seed 7 ./prune    # 10 of one, others than before
//	go run ./tools/mutants -only FILE -tests .      # those of a file, with some tests
//
// The sample depends on the seed only. The command prints survivors as it finds
// them, and a table at the end. It fails if there are any. Mutants that are
// listed in equivalent.txt change nothing that can be observed, and do not run.
//
// Option -only reads the output of another run and runs its survivors again.
// Option -tests limits the packages whose tests run. Both save time while tests
// for survivors are written.
//
// # Changes
//
// Conditions are negated, always true or always false; bounds of comparisons
// move by one; == becomes !=, && becomes ||; integers become one more or one
// less; results of arithmetic are off by one; statements and cases are dropped;
// loops are not entered; results of a return become their zero value or the
// opposite.
//
// # How it runs
//
// All mutants are compiled at once: package active has a switch for each, and
// go build -overlay replaces the files, so that the tree is not touched. Each
// test then runs alone without a mutant, and records which mutants it reaches.
// A mutant gets the tests that reach it: quick ones before slow ones, its own
// package's first, in one process for each package. They may take 10 seconds of
// the processor plus ten times what they took before. Taking longer kills a
// mutant as well.
//
// Left out are tests that fail only because of the switches, as those that
// count allocations, and tests longer than -longest.
package main
