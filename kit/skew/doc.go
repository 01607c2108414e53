// Package skew compares what the API servers of several Kubernetes minors say
// about a definition and its objects: which of them accept it, at which minor
// the verdict changes, and which change of Kubernetes is the reason.
//
//	found, err := skew.Compare(ctx, crdYAML, minors.All(), object)
//	for _, turn := range found.Objects[0].Turns() {
//		fmt.Println(turn.After.Kubernetes, turn.Reason, turn.Changes)
//	}
//
// # Terms
//
//   - verdict: whether the server of one minor accepts a create, or why not.
//   - turn: a minor at which the verdict changes.
//
// # Specification
//
// Chapter minors.
package skew
