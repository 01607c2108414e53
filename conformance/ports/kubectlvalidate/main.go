// Command kubectlvalidate answers the op admit, for creates, with
// sigs.k8s.io/kubectl-validate. It says whether an object is accepted, and the
// tool's own text if not.
package main

import (
	"testing/fstest"

	"sigs.k8s.io/kubectl-validate/pkg/openapiclient"
	"sigs.k8s.io/kubectl-validate/pkg/validator"

	"github.com/crdsem/crdsem/conformance/ports/internal/adapter"
)

func main() { adapter.Serve("kubectl-validate", "admit", adapter.Creating(create)) }

// create judges an object by a folder with the definition.
func create(r *adapter.Request) adapter.Answer {
	files := fstest.MapFS{"crd.yaml": &fstest.MapFile{Data: adapter.Document(r.CRD)}}
	v, err := validator.New(openapiclient.NewLocalCRDFiles(files))
	if err != nil {
		return adapter.Fault(err)
	}
	_, object, err := v.Parse(adapter.Document(r.Object))
	if err != nil {
		return adapter.Refused("decode", err.Error())
	}
	if err := v.Validate(object); err != nil {
		return adapter.Refused("invalid", err.Error())
	}
	return adapter.Admitted(object.Object)
}
