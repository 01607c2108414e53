package openshift

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Annotations that generated definitions and lists of gates of OpenShift have.
const (
	featureSetAnnotation   = "release.openshift.io/feature-set"
	majorVersionAnnotation = "release.openshift.io/major-version"
	profilePrefix          = "include.release.openshift.io/"
)

// gatesPath is where a repository of OpenShift lists its feature gates.
var gatesPath = filepath.Join("payload-manifests", "featuregates")

// Gates are the lists of feature gates of a repository. A nil *Gates is that of
// a repository without lists.
type Gates struct {
	folder string
	lists  []map[string]any
}

// gatesNear returns the gates of the repository that holds a folder, nil if no
// folder above it lists gates.
func (r *Reader) gatesNear(folder string) (*Gates, error) {
	above, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	for {
		path := filepath.Join(above, gatesPath)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return r.gatesIn(path)
		}
		if above == filepath.Dir(above) {
			return nil, nil
		}
		above = filepath.Dir(above)
	}
}

// gatesIn reads the lists of gates of a folder once.
func (r *Reader) gatesIn(folder string) (*Gates, error) {
	if found := r.gates[folder]; found != nil {
		return found, nil
	}
	gates := &Gates{folder: folder}
	for o, err := range manifest.Objects(manifest.Find([]string{folder}, nil)) {
		if err != nil {
			return nil, err
		}
		gates.lists = append(gates.lists, o.Content)
	}
	if r.gates == nil {
		r.gates = map[string]*Gates{}
	}
	r.gates[folder] = gates
	return gates, nil
}

// Has reports whether a definition with some annotations is one for the feature
// gates of a suite. The rules are those of OpenShift's tests: a definition with
// the feature set CustomNoUpgrade has every gate on; one without a cluster
// profile is for all suites; for any other the list of its profile, set and
// version decides. The error says what no list has.
func (g *Gates) Has(annotations map[string]any, gates []string) (bool, error) {
	if len(gates) == 0 {
		return true, nil
	}
	sets := commaList(annotations[featureSetAnnotation])
	if slices.Contains(sets, "CustomNoUpgrade") {
		return !slices.ContainsFunc(gates, isOff), nil
	}
	profile := firstProfile(annotations)
	if profile == "" {
		return true, nil
	}
	if g == nil {
		return false, fmt.Errorf("no folder %s above it lists the feature gates %v", gatesPath,
			gates)
	}
	if len(sets) == 0 {
		sets = []string{"Default"}
	}
	on, err := g.find(profile, sets, commaList(annotations[majorVersionAnnotation]))
	if err != nil {
		return false, err
	}
	for _, gate := range gates {
		isOn, known := on[strings.TrimPrefix(gate, "-")]
		if !known {
			return false, fmt.Errorf("%s lists no feature gate %q", g.folder, gate)
		}
		if isOn == isOff(gate) {
			return false, nil
		}
	}
	return true, nil
}

// isOff reports whether a suite needs a gate to be off.
func isOff(gate string) bool { return strings.HasPrefix(gate, "-") }

// firstProfile returns the first cluster profile that includes a definition.
func firstProfile(annotations map[string]any) string {
	for _, key := range jsonvalue.SortedKeys(annotations) {
		if strings.HasPrefix(key, profilePrefix) && annotations[key] == "true" {
			return key
		}
	}
	return ""
}

// find returns which gates are on in the first list for a profile, one of the
// feature sets, and one of the major versions if there are some.
func (g *Gates) find(profile string, sets, versions []string) (map[string]bool, error) {
	for _, list := range g.lists {
		annotations, _ := jsonvalue.At(list, "metadata", "annotations").(map[string]any)
		set, _ := annotations[featureSetAnnotation].(string)
		if annotations[profile] == nil || !slices.Contains(sets, set) {
			continue
		}
		own := commaList(annotations[majorVersionAnnotation])
		if len(versions) > 0 &&
			!slices.ContainsFunc(own, func(v string) bool { return slices.Contains(versions, v) }) {
			continue
		}
		return gatesOf(list), nil
	}
	return nil, fmt.Errorf("%s has no list for %s and the feature sets %v", g.folder, profile, sets)
}

// gatesOf returns which gates of a list are on.
func gatesOf(list map[string]any) map[string]bool {
	statuses, _ := jsonvalue.At(list, "status", "featureGates").([]any)
	if len(statuses) == 0 {
		return nil
	}
	on := map[string]bool{}
	for key, value := range map[string]bool{"enabled": true, "disabled": false} {
		gates, _ := jsonvalue.At(statuses[0], key).([]any)
		for _, gate := range gates {
			if name, ok := jsonvalue.At(gate, "name").(string); ok {
				on[name] = value
			}
		}
	}
	return on
}

// commaList returns the items of an annotation, nil if there are no items.
func commaList(value any) []string {
	text, _ := value.(string)
	if text == "" {
		return nil
	}
	items := strings.Split(text, ",")
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return items
}
