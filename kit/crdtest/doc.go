// Package crdtest tests CustomResourceDefinitions in go test, without a
// cluster: what a server admits, what it stores, how it refuses.
//
//	func TestCRDs(t *testing.T) {
//		crds, err := crdtest.ReadCRDs("config/crd")
//		...
//		suites, err := crdtest.ReadSuites("testdata")
//		...
//		crdtest.Run(t, crds, suites)
//	}
//
// Package crdsem decides. Cases take microseconds, and run in parallel.
// [Execute] returns the results instead; the command crdsem test uses it.
// [Tester] is for tables of Go values.
//
// # Definitions
//
// A definition that a server refuses to create fails as a separate case, e.g.
// "definition crontabs.stable.example.com", in the first suite that sends an
// object to it, once for each minor. Its cases are run all the same: the server
// may have stored the definition when it was older.
//
// # Formats
//
// [ReadSuites] reads three formats:
//
//   - The suites of OpenShift (onCreate, onUpdate), unchanged. Their
//     definitions are those that the suite names (crd), or those in the folder
//     ../../zz_generated.crd-manifests, or those that are given. A suite is run
//     with each definition of the name crdName that has its featureGates; they
//     are listed in payload-manifests/featuregates of a folder above.
//     initialCRDPatches change the definition until the object is created.
//     See https://github.com/openshift/api/blob/master/tests/README.md.
//   - Manifests. Each document is created as by kubectl apply. It must be
//     admitted, unless its field _err has a text of the error (as in Istio's
//     tests), or FILE.err next to the file FILE has one, or a folder on the
//     path is named invalid or invalid-… (as in those of Gateway API). The
//     object in X.pre.yaml is updated to that in X.post.yaml, which must be
//     admitted unless there is X.post.yaml.tx_err (as in those of
//     external-snapshotter).
//   - Files that end in .crdtest.yaml state what the others cannot: status
//     updates, warnings, costs, ratcheting, conversion, stored objects.
//
// A file of the last format:
//
//	name: CronTab             # the file's name if it is left out
//	crds: crontab.yaml        # or a list of files and folders, relative to the
//	                          # file; without it, the definitions that are given
//	fieldValidation: Strict   # Warn if it is left out
//	kubernetes: 1.30-1.37     # the minors to run with; the newest by default
//	cases:
//	- name: replicas are bounded
//	  kubernetes: "1.33"      # some of these minors
//	  create:                 # or update, updateStatus, or read: VERSION
//	    apiVersion: stable.example.com/v1
//	    kind: CronTab
//	    spec: {replicas: 11}
//	  want: {error: "spec.replicas: Invalid value: 11"}
//	- name: active is part of the status
//	  stored: {...}           # an object as it is stored, not validated
//	  steps:                  # several requests about one object
//	  - updateStatus: {...}
//	    crdPatches: [...]     # a JSON patch of the definition, for this step
//	    want:                 # admitted, and of what is stated:
//	      object: {...}       # what a client reads then
//	      warnings: []        # all warnings
//	      ratcheted: []       # the findings that an update ignores
//	      cost: 12            # of all validation rules
//
// [Rewrite] writes the actual outcomes into such files.
//
// # Coverage and mutation score
//
// The command crdsem test measures what of a definition the cases exercise
// (--cover), and which small changes of it no case notices (--mutate). [Jobs]
// returns the cases one by one, for programs
// that do something else with them.
//
// # Terms
//
//   - suite: a list of cases, e.g. a file.
//   - case: a sequence of steps about one object.
//   - step: a request with its stated outcome.
//   - job: a case with the definitions that it is run with.
//
// # Deviations
//
// Texts of errors may have the form of servers before 1.35; see [Want].
package crdtest
