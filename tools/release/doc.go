// Release makes a release of all modules in a clean clone, and rehearses one.
//
//	go run ./tools/release make v0.1.0
//	go run ./tools/release rehearse v0.1.0
//
// Make sets the version of the changelog and of the modules' requirements to
// each other, commits, tags every module, and takes main back to work with a
// second commit. Nothing is pushed. It refuses a tree with changes, a version
// that is not next, a failing test, and a version that promises more than the
// changes of the exported names keep.
//
// Rehearse clones the repository, makes the release there, serves the modules
// from a file proxy, and uses them as a stranger would: an empty module cache,
// go install, go get, and every program of the README and of the docs.
//
// A module's go.sum has the sums of the modules before it, so they are packed
// one after the other, as the module proxy will pack them.
package main
