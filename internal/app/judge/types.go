package judge

import (
	"github.com/crdsem/crdsem/internal/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
)

// TypeOf returns the apiVersion of the objects of a kind, by the definitions
// that were added: the version if it is served, otherwise the one that is
// stored. For a kind of Kubernetes it is the version, otherwise the newest one.
// It is empty for a kind that is not known, and without a group: several groups
// may have the kind.
func (p *Panel) TypeOf(group, version, kind string) string {
	j := p.judges[len(p.judges)-1]
	if group == "" {
		return ""
	}
	t := manifest.Type{GroupKind: manifest.GroupKind{Group: group, Kind: kind}}
	var d *Definition
	if j.definitions != nil {
		d, _ = j.definitions.Kind(t.GroupKind)
	}
	switch {
	case d == nil && version != "" && builtin.Find(group+"/"+version, kind) != nil:
		return group + "/" + version
	case d == nil:
		return builtin.Current(group, kind)
	case d.Compiled() == nil:
		return ""
	}
	for _, v := range d.Compiled().Model().Versions() {
		if v.Served && (t.Version == "" || v.Name == version || version == "" && v.Storage) {
			t.Version = v.Name
		}
	}
	return t.APIVersion()
}
