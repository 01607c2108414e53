package repository

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/base/typemeta"
	ph "github.com/crdsem/crdsem/internal/kit/placeholder"
)

// Owners are the Kustomizations of Flux and the Applications of Argo CD, what
// they do to the files of their folders, and what they substitute in them. Its
// methods may be called concurrently.
type Owners struct {
	// ReadFile returns the text of a file that a kustomization in a folder
	// names. Without it, such patches are not known.
	ReadFile func(folder, name string) (text string, ok bool)

	mu sync.Mutex
	// all are in the order of their files and names, and built has them by the
	// folders that they build. folders has those that substitute, after the
	// patches of their own owners; it is nil if that is to be found out.
	all     []*kustomization
	built   map[string][]*kustomization
	folders map[string][]owner
	// resources are those of the kustomizations of kustomize by their folders,
	// says these kustomizations, and own what they do, as far as it was read.
	resources map[string][]string
	says      map[string]map[string]any
	own       map[string]*build
	named     map[string]bool // all resources
	vars      map[string]bool // names of variables of kustomize
	// reached are the Kustomizations by the files that they lead to, and chains
	// the folders on the way, the nearest first. reached is nil if that is to
	// be found out. plain has the kustomizations of kustomize likewise.
	reached map[string][]*kustomization
	plain   map[string][]*kustomization
	chains  map[reaching][][]string
	// delivered are the folders whose kustomizations Flux or Argo CD build.
	delivered map[string]bool
	// hubs lead to others. It is nil if that is to be found out.
	hubs map[*kustomization]bool
	maps map[string]map[string]string // data of ConfigMaps, by name; nil if two differ
}

// owner is what one Kustomization substitutes.
type owner struct {
	values map[string]string
	from   []string // names of ConfigMaps
}

// Groups of Flux: that of the Kustomizations, and that of FluxInstances, which
// make the first one of a cluster.
const (
	flux         = "kustomize.toolkit.fluxcd.io"
	fluxOperator = "fluxcd.controlplane.io"
)

// MayOwn reports whether a document may have an object that Owners.Read uses.
func MayOwn(text string) bool {
	return strings.Contains(text, flux+"/") || strings.Contains(text, "kind: ConfigMap") ||
		strings.Contains(text, argo+"/") || strings.Contains(text, fluxOperator+"/")
}

// Read adds an object of a file of a repository, whose root its paths are
// relative to.
func (o *Owners) Read(root, file string, object map[string]any) {
	if t := typemeta.Of(object); t.Group == "" && t.Kind == "ConfigMap" {
		_, name := typemeta.Name(object)
		o.readMap(name, texts(object["data"]))
		return
	}
	o.readOwner(root, file, object)
}

// kustomization is a Kustomization of Flux, or a source of an Application of
// Argo CD.
type kustomization struct {
	folder, file string
	path         string // of the folder, as the object names it
	object       map[string]any
	effective    map[string]any // after the changes of its owner; nil before
	isActive     bool           // effective is being found
	isRoot       bool           // of kustomize
	directory    *directory     // of an Application, nil for others
	own          *build         // of effective; nil before
	substitutes  *owner         // of effective; nil without postBuild
}

// readOwner adds an object that builds folders of the repository.
func (o *Owners) readOwner(root, file string, object map[string]any) {
	for path, b := range buildsOf(object) {
		// Flux reads the root without a path, and "/" as the root.
		local := cmp.Or(strings.TrimPrefix(path, "/"), ".")
		if !filepath.IsLocal(filepath.FromSlash(local)) {
			continue
		}
		folder := filepath.Join(root, filepath.FromSlash(local))
		o.add(&kustomization{
			folder: folder, file: file, path: path, object: object, directory: b.directory,
		})
	}
}

func (o *Owners) add(k *kustomization) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, before := range o.all {
		before.effective, before.own, before.substitutes = nil, nil, nil
	}
	at, _ := slices.BinarySearchFunc(o.all, k, compareOwners)
	o.all = slices.Insert(o.all, at, k)
	o.folders, o.reached, o.hubs = nil, nil, nil
}

// compareOwners orders Kustomizations by their files, names and folders: files
// are read in any order.
func compareOwners(a, b *kustomization) int {
	aSpace, aName := typemeta.Name(a.object)
	bSpace, bName := typemeta.Name(b.object)
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(aSpace, bSpace),
		cmp.Compare(aName, bName), cmp.Compare(a.folder, b.folder))
}

// resolve finds the owners that substitute.
func (o *Owners) resolve() {
	if o.folders != nil {
		return
	}
	o.folders = map[string][]owner{}
	for _, k := range o.local() {
		spec, _ := o.effective(k)["spec"].(map[string]any)
		build, ok := spec["postBuild"].(map[string]any)
		if !ok {
			continue
		}
		found := owner{values: texts(build["substitute"])}
		for _, from := range objects(build["substituteFrom"]) {
			if name, ok := from["name"].(string); ok && from["kind"] == "ConfigMap" {
				found.from = append(found.from, name)
			}
		}
		o.folders[k.folder] = append(o.folders[k.folder], found)
		k.substitutes = &found
	}
}

// effective returns a Kustomization after the changes of the one that owns its
// file; of several, the one that leaves it the most patches.
func (o *Owners) effective(k *kustomization) map[string]any {
	switch {
	case k.effective != nil:
		return k.effective
	case k.isActive || k.file == "": // it owns itself
		return k.object
	}
	k.isActive = true
	defer func() { k.isActive = false }()
	k.effective = k.object
	most := -1
	for _, by := range o.builders(k.file) {
		for _, after := range o.after(by, k.file, k.object) {
			spec, _ := after.object["spec"].(map[string]any)
			if n := len(list(spec["patches"])); n > most {
				most, k.effective = n, after.object
			}
		}
	}
	return k.effective
}

// builders returns the Kustomizations that build a file: those whose folder
// leads to it, otherwise those of the nearest folder at or above it, otherwise
// the kustomizations of kustomize that lead to it.
func (o *Owners) builders(file string) []*kustomization {
	if by := o.reach(file); len(by) > 0 {
		return by
	}
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		owners := o.built[folder]
		switch {
		case len(owners) > 0:
			return owners
		case folder == filepath.Dir(folder):
			return o.plain[file]
		}
	}
}

// after returns an object of a file as a Kustomization delivers it, once for
// each way to the file.
func (o *Owners) after(by *kustomization, file string, object map[string]any) (all []patched) {
	ways := o.chains[reaching{by, file}]
	if len(ways) == 0 {
		ways = [][]string{nil}
	}
	own := o.buildOf(by)
	for _, way := range ways {
		out := patched{object: object}
		isWritten := own == nil
		for _, folder := range way {
			says := o.kustomized(folder)
			if folder == by.folder && own != nil { // it is written into this one
				says, isWritten = own.over(says), true
			}
			o.run(&out, folder, says)
		}
		if !isWritten {
			o.run(&out, by.folder, own)
		}
		if len(way) > 0 { // any kustomization that is built with it may declare them
			out.variables(o.vars)
		}
		all = append(all, out)
	}
	return all
}

// buildOf returns what a Kustomization does itself, nil for nothing.
func (o *Owners) buildOf(by *kustomization) *build {
	if by.isRoot || by.own != nil {
		return by.own
	}
	own := buildsOf(o.effective(by))[by.path]
	if own != nil {
		own.placeIn(by.file)
	}
	if by.effective != nil && !by.isActive {
		by.own = own
	}
	return own
}

// run makes the changes of a kustomization in a folder, after those of its
// components.
func (o *Owners) run(out *patched, folder string, b *build) {
	for _, component := range o.components(folder, b, map[string]bool{}) {
		out.build(component)
	}
	out.build(b)
}

// components returns what the components of a build do, whose folders are
// relative to its own. Those that were seen are left out: kustomize refuses a
// component of itself, and another time changes nothing.
func (o *Owners) components(folder string, of *build, seen map[string]bool) (all []*build) {
	for _, name := range of.components {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if seen[path] {
			continue
		}
		seen[path] = true
		component := o.kustomized(path)
		all = append(append(all, o.components(path, component, seen)...), component)
	}
	return all
}

// kustomized returns what the kustomization in a folder does without its
// components. What was not read changes objects in an unknown way.
func (o *Owners) kustomized(folder string) *build {
	says := o.says[folder]
	if says == nil {
		return &build{unread: 1}
	}
	own := o.own[folder]
	if own == nil {
		own = kustomizeBuild(says, func(name string) (string, bool) {
			if o.ReadFile == nil {
				return "", false
			}
			return o.ReadFile(folder, name)
		})
		own.placeIn(folder)
		if o.own == nil {
			o.own = map[string]*build{}
		}
		o.own[folder] = own
	}
	return own
}

// Patched is an object of a file as one of its owners delivers it.
type Patched struct {
	Object map[string]any
	// By is the name of the owner, with its kind.
	By string
	// Unknown is set if a change cannot be made here, and Deleted if a patch
	// deletes the object.
	Unknown, Deleted bool
	// Values are what the owner substitutes, see [Owners.Values]. It is nil if
	// the owner substitutes nothing itself.
	Values map[string]string

	steps   []step
	sources *sources // of steps; nil if they are to be found out
}

// Patched returns what each of the owners of a file makes of an object. It is
// nil if none changes it, unless it has variables and several owners, one of
// which substitutes them. The values win over those of the owners.
func (o *Owners) Patched(
	file string, object map[string]any, win map[string]string,
) (all []Patched) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.resolve()
	builders := o.builders(file)
	isPatched := len(builders) > 1 && uses(object, "${") &&
		slices.ContainsFunc(builders, func(by *kustomization) bool { return by.substitutes != nil })
	for _, by := range builders {
		var values map[string]string
		if by.substitutes != nil {
			values = known(o.agreed([]owner{*by.substitutes}), win)
		}
		namespace, name := typemeta.Name(by.object)
		name = typemeta.Of(by.object).Kind + " " + strings.TrimPrefix(namespace+"/"+name, "/")
		for _, p := range o.after(by, file, object) {
			isPatched = isPatched || p.isPatched
			all = append(all, Patched{
				Object: p.object, By: name, Unknown: p.isUnknown, Deleted: p.isDeleted,
				Values: values, steps: p.steps,
			})
		}
	}
	if !isPatched {
		return nil
	}
	return all
}

func (o *Owners) readMap(name string, data map[string]string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.maps == nil {
		o.maps = map[string]map[string]string{}
	}
	if before, twice := o.maps[name]; twice && !maps.Equal(before, data) {
		data = nil
	}
	o.maps[name] = data
}

// texts returns the strings of an object.
func texts(value any) map[string]string {
	out := map[string]string{}
	object, _ := value.(map[string]any)
	for key, item := range object {
		if text, ok := item.(string); ok {
			out[key] = text
		}
	}
	return out
}

// Values returns what is substituted in a file: some values, which win, and
// those of the Kustomization that owns its folder, the nearest one at or above
// it. Values that several owners of the folder do not agree on are left out,
// and those with a variable, which the owner of the Kustomization may replace.
func (o *Owners) Values(file string, win map[string]string) map[string]string {
	owned := o.of(file)
	if owned == nil {
		return win
	}
	return known(owned, win)
}

// known adds values that win to those of owners, without those that have a
// variable.
func known(owned, win map[string]string) map[string]string {
	maps.DeleteFunc(owned, func(_, value string) bool { return ph.Variable.MatchString(value) })
	maps.Copy(owned, win)
	return owned
}

// of returns what the owners of a file substitute, nil if there are none.
func (o *Owners) of(file string) map[string]string {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.resolve()
	if by := o.reach(file); len(by) > 0 {
		var owners []owner
		for _, k := range by {
			if k.substitutes != nil {
				owners = append(owners, *k.substitutes)
			}
		}
		return o.agreed(owners)
	}
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		if owners, ok := o.folders[folder]; ok {
			return o.agreed(owners)
		}
		if folder == filepath.Dir(folder) {
			return nil
		}
	}
}

// agreed returns the values that all owners have.
func (o *Owners) agreed(owners []owner) map[string]string {
	var out map[string]string
	for _, one := range owners {
		values := map[string]string{}
		for _, name := range one.from {
			maps.Copy(values, o.maps[name])
		}
		maps.Copy(values, one.values)
		if out == nil {
			out = values
			continue
		}
		maps.DeleteFunc(out, func(key, value string) bool {
			other, ok := values[key]
			return !ok || other != value
		})
	}
	return out
}
