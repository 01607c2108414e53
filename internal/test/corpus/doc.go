// Package corpus gives the corpus to tests and benchmarks: definitions and
// objects of real projects, e.g. cert-manager. The corpus is not part of this
// repository. The environment variable CRDSEM_CORPUS names its folder. Without
// it, tests that need the corpus are skipped, all with the same message.
//
// A corpus has a folder for each project, and in it
//
//	crds/NAME.yaml      a definition; NAME--VARIANT.yaml is a variant of it
//	objects/NAME.yaml   an object
//	suite/...           manifests that the project itself calls valid or invalid
//	UPSTREAM.tsv        a line for each file: its path, and of an object
//	                    the path of its definition, its version and the
//	                    verdict of the real code
package corpus
