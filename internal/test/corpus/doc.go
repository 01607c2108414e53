// Package corpus gives tests and benchmarks the corpus: definitions and objects of real projects. It is not part of this repository; its folder is
// named by the environment variable CRDSEM_CORPUS, and tests that need it are skipped, all with one reason, where there is none.
//
// A corpus has a folder for each project, and in it
//
//	crds/NAME.yaml      a definition; NAME--VARIANT.yaml is a variant of it
//	objects/NAME.yaml   an object
//	suite/...           manifests that the project itself calls valid or invalid
//	UPSTREAM.tsv        a line for each file: its path, and for an object the path of its definition, its version, and what the real code says of it
//
// # Terms
//
// None.
//
// # Specification
//
// None.
//
// # Deviations
//
// None.
package corpus
