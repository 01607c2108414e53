// Command licenses writes the licenses of what the binaries of this repository
// contain and that is not its own: Go's standard library and modules.
//
//	go run ./tools/licenses    writes THIRD_PARTY_LICENSES next to each binary's code
//
// A module's texts are the files LICENSE, COPYING, NOTICE and PATENTS of its
// root, and those of folders inside of it whose packages are linked. Modules of
// the binaries for Linux, macOS and Windows count. Each text is written once. A
// module without a license, or with one that is not in the list of accepted
// ones, is an error.
//
// A test checks that the files are what this command writes.
package main
