package drift

import (
	"context"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
)

// Drift is a value of a file that the server does not keep as it is.
type Drift struct {
	// Path is the field in the file, e.g. spec.ports[0].protocol.
	Path string `json:"path"`
	// Why says what the server does, and Rule is the rule of the specification.
	Why  string `json:"why"`
	Rule string `json:"rule,omitempty"`
	// Tools are the tools that see a difference for ever.
	Tools []Tool `json:"tools"`
}

// Tool compares files with a server.
type Tool string

// The tools. ArgoCD compares the file with the live object: lists as a whole.
// Flux applies the file dry, and compares the result with the live object, as
// kubectl diff does.
const (
	ArgoCD Tool = "Argo CD"
	Flux   Tool = "Flux"
)

// Of returns the drift of an object that is created from a file. The error is
// the server's, or wraps [crdsem.ErrNoWebhook].
func Of(ctx context.Context, v *crdsem.Version, object map[string]any) ([]Drift, error) {
	created := v.Create(ctx, object)
	if err := created.Err(); err != nil {
		return nil, err
	}
	written := v.Write(ctx, created.Object)
	if err := written.Err(); err != nil {
		return nil, err
	}
	reasons := reasonsOf(created.Provenance)
	for _, c := range written.Stored.Provenance {
		reasons[c.Path] = reason{"the storage version does not have it", "PIPE-021"}
	}
	var found []Drift
	add := func(path string, r reason) {
		found = append(found, Drift{Path: path, Why: r.why, Rule: r.rule, Tools: []Tool{ArgoCD}})
	}
	for _, loss := range conversion.Compare(Own(object), Own(written.Answer.Object)) {
		r, known := reasons[loss.Path]
		switch {
		case loss.Kind == conversion.Added && !isBelowList(loss.Path),
			isServers(loss.Path):
			continue // tools compare what the file has
		case loss.Kind == conversion.Added && known:
			r.why += ", below a list, which is compared as a whole"
		case !known && loss.Kind == conversion.Changed:
			r = reason{"the server writes it otherwise", "PIPE-004"}
		case !known:
			r = reason{"the server does not keep it", "META-023"}
		}
		add(loss.Path, r)
	}
	again, err := repeated(ctx, v, object)
	if err != nil {
		return nil, err
	}
	return withFlux(found, again), nil
}

// reason says why a value differs.
type reason struct{ why, rule string }

// reasonsOf returns the reasons of changes by their paths.
func reasonsOf(changes []crdsem.Change) map[string]reason {
	words := map[crdsem.Action]reason{
		crdsem.Pruned: {"the schema does not declare it: the server removes it",
			"PRN-001"},
		crdsem.MetadataPruned:  {"metadata has no such field: the server removes it", "META-023"},
		crdsem.MetadataCoerced: {"the server writes metadata in its normal form", "META-008"},
		crdsem.NullDropped:     {"the server removes a null", "DEF-030"},
		crdsem.Defaulted:       {"the server fills in a default", "DEF-002"},
		crdsem.StatusDropped:   {"the server does not take a status with the object", "PIPE-030"},
	}
	out := map[string]reason{}
	for _, c := range changes {
		out[c.Path] = words[c.Action]
	}
	return out
}

// isBelowList reports whether a path leads into a list.
func isBelowList(path string) bool {
	for _, part := range strings.Split(path, "[")[1:] {
		if part != "" && part[0] >= '0' && part[0] <= '9' {
			return true
		}
	}
	return false
}

// isServers reports whether a field is one that tools do not compare.
func isServers(path string) bool { return path == "metadata.namespace" }

// repeated returns the fields that a second server-side apply of the same file
// changes. There are none, unless the file and the server never agree.
func repeated(
	ctx context.Context, v *crdsem.Version, object map[string]any,
) (paths []string, err error) {
	by := Applier{Manager: "flux", Force: true}
	object = Own(object)
	var live map[string]any
	for range 2 {
		request, err := by.request(live, object)
		if err != nil {
			return nil, err
		}
		result := v.Do(ctx, request)
		if result.Err() != nil {
			return nil, nil // an apply is refused for other reasons than a create
		}
		written := v.Write(ctx, result.Object)
		if err := written.Err(); err != nil {
			return nil, err
		}
		if live != nil {
			for _, loss := range conversion.Compare(Own(live), Own(written.Answer.Object)) {
				paths = append(paths, loss.Path)
			}
		}
		live = written.Answer.Object
	}
	return paths, nil
}

// withFlux adds the fields of which Flux sees a difference for ever.
func withFlux(found []Drift, paths []string) []Drift {
	for _, path := range paths {
		i := slices.IndexFunc(found, func(d Drift) bool { return d.Path == path })
		if i < 0 {
			found = append(found, Drift{Path: path,
				Why: "each apply writes it otherwise", Rule: "PIPE-019"})
			i = len(found) - 1
		}
		found[i].Tools = append(found[i].Tools, Flux)
	}
	return found
}
