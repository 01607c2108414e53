// Command mutants tests the tests. It changes the code of packages in one place
// at a time and runs the tests that reach it. A changed program is a mutant. A
// mutant that fails a test is killed; one that passes all shows that the tests
// do not hold this piece of code.
//
//	go run ./tools/mutants                          # 40 of each package
//	go run ./tools/mutants -n 10 -seed 7 ./prune    # 10 of one, others than before
//	go run ./tools/mutants -only FILE ./prune       # those of a file
//
// Three kinds of tests count: those of the mutant's own package, those of the
// facade, which is the package in the root, and the vectors in conformance. The
// tests of generate are also those of generate/internal/objectgen. A test of
// another package that happens to fail does not count. Option -tests names
// other packages than the facade and the vectors; with -tests "" only a
// package's own tests count.
//
// The sample depends on the seed only. The command prints survivors, and a
// table. It fails if there are any. Mutants that are listed in equivalent.txt
// change nothing that can be observed, and do not run. Option -only reads the
// output of another run and runs its survivors again, which saves time while
// tests for them are written.
//
// # Changes
//
//   - Conditions of if, switch and loops are negated, always true or always
//     false; operands of && and || are dropped, && becomes ||; ! is dropped;
//     Boolean constants and assigned results of calls are negated.
//   - Bounds of comparisons move by one; == becomes !=. Integers, lengths,
//     indexes, bounds of slices and results of arithmetic are off by one.
//   - Statements, deferred calls, cases, else branches and early returns are
//     dropped; break becomes continue and the reverse.
//   - Loops are not entered, or run once.
//   - Results of a return become their zero value or the opposite, also if they
//     are those of a call that is passed on.
//   - Two arguments of the same type are swapped.
//
// The room that make and Grow reserve stays, because no result depends on it.
//
// # How it runs
//
// All mutants are compiled at once: package active has a switch for each, and
// go build -overlay replaces the files, so that the tree is not touched. Each
// test then runs alone without a mutant, and records which mutants it reaches.
// A mutant gets the tests that reach it: first those of its own package, then
// the others, quick ones before slow ones, in one process for each package.
// They may take 10 seconds of the processor plus ten times what they took
// before. Taking longer kills a mutant as well.
//
// Left out are tests that fail only because of the switches, as those that
// count allocations, and tests longer than -longest.
package main
