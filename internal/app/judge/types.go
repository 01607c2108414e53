package judge

import (
	"github.com/crdsem/crdsem/kit/manifest"
)

// TypeOf returns the apiVersion of the objects of a kind, by the definitions
// that were added: the version if it is served, otherwise the one that is
// stored. It is empty without a definition or a group: several groups may have
// the kind.
func (p *Panel) TypeOf(group, version, kind string) string {
	j := p.judges[len(p.judges)-1]
	if j.definitions == nil || group == "" {
		return ""
	}
	t := manifest.Type{GroupKind: manifest.GroupKind{Group: group, Kind: kind}}
	d, known := j.definitions.Kind(t.GroupKind)
	if !known || d.Compiled() == nil {
		return ""
	}
	for _, v := range d.Compiled().Model().Versions() {
		if v.Served && (t.Version == "" || v.Name == version || version == "" && v.Storage) {
			t.Version = v.Name
		}
	}
	return t.APIVersion()
}
