package kube

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// op carries out the requests of one op.
type op func(ctx context.Context, req *protocol.Request) (protocol.Result, error)

// New returns the handler of the real code. It answers every op of the
// protocol that handlers answer, and refuses requests for another minor than
// [Minor].
func New() protocol.Handler {
	ops := map[string]op{
		protocol.OpStructural: structural,
		protocol.OpPrune:      prune,
		protocol.OpDefault:    applyDefaults,
		protocol.OpValidate:   validate,
		protocol.OpCEL:        evaluate,
		protocol.OpCost:       estimate,
		protocol.OpCRD:        definition,
		protocol.OpAdmit:      admit,
		protocol.OpConvert:    convert,
		protocol.OpSort:       sortVersions,
		protocol.OpTable:      tabled,
		protocol.OpStore:      store,
		protocol.OpRead:       read,
		protocol.OpUpdate:     write,
		protocol.OpStatus:     write,
		protocol.OpPatch:      write,
		protocol.OpApply:      write,
		protocol.OpScale:      write,
	}
	known := []string{Minor()}
	return func(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
		if err := req.CheckKubernetes(known); err != nil {
			return nil, err
		}
		run, ok := ops[req.Op]
		if !ok {
			return nil, fmt.Errorf("op %q is not known", req.Op)
		}
		return run(ctx, req)
	}
}

// Version returns the version of k8s.io/apiextensions-apiserver that is linked.
func Version() string {
	const module = "k8s.io/apiextensions-apiserver"
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, dep := range info.Deps {
			if dep.Path == module {
				return dep.Version
			}
		}
	}
	return "unknown"
}

// Minor returns the Kubernetes minor that is linked, e.g. "1.37", or "unknown".
// Version v0.37.2 of the libraries is that of Kubernetes 1.37.2.
func Minor() string {
	parts := strings.Split(Version(), ".")
	if len(parts) < 3 {
		return "unknown"
	}
	return "1." + parts[1]
}

// errNotObject means that an input must be a JSON object.
var errNotObject = errors.New("not an object")
