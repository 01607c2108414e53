package repository

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// Undelivered reports whether nothing delivers an object of a file as it is:
//   - some Kustomization or Application leads to others, but none of them leads
//     to the file, and neither does one that is delivered itself,
//   - the object has variables, and Flux is used, but does not replace them,
//   - it is below a folder base or bases, which none of them reaches,
//   - the name of the file or of a folder says that it is a patch, e.g. for a
//     script: no kustomization names it.
//
// Other files without an owner may be applied by hand.
func (o *Owners) Undelivered(file string, object map[string]any) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	owners := slices.DeleteFunc(slices.Clone(o.builders(file)), func(by *kustomization) bool {
		return by.isRoot
	})
	if len(owners) == 0 {
		isBelow := func(name string) bool {
			return slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(file)), "/"), name)
		}
		isPart := isPartName.MatchString(filepath.Base(file)) || isBelow(PatchFolder)
		isBase := slices.ContainsFunc(baseFolders, isBelow) && (o.hasHub(flux) || o.hasHub(argo))
		return isPart && !o.named[file] || isBase || o.hasHub(flux) && uses(object, "${")
	}
	return !slices.ContainsFunc(owners, func(by *kustomization) bool {
		return o.leads(by, file) && o.isDelivered(by, nil)
	})
}

// isPartName matches the names of files that people give to patches.
var isPartName = regexp.MustCompile(`(?i)(^|[-_.])(patch|kustomization)([-_.].*)?\.ya?ml$`)

// baseFolders are the names of folders whose objects others complete.
var baseFolders = []string{"base", "bases"}

// IsDraft reports whether the name of a file says that it is a template, e.g.
// for a script, and nothing delivers it: its values are to be replaced.
func (o *Owners) IsDraft(file string) bool {
	if !isDraftName.MatchString(filepath.Base(file)) {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.named[file] && !slices.ContainsFunc(o.builders(file), func(by *kustomization) bool {
		return o.leads(by, file)
	})
}

// isDraftName matches e.g. template.yaml and app.tmpl.yaml, but not
// pod-template.yaml, which may be whole.
var isDraftName = regexp.MustCompile(`(?i)(^|\.)(template|tmpl|tpl)\.ya?ml$`)

// leads reports whether a Kustomization delivers a file that it builds: its
// kustomization leads to it, or it has none and takes all files, or those that
// its directory selects.
func (o *Owners) leads(by *kustomization, file string) bool {
	if len(o.chains[reaching{by, file}]) > 0 {
		return true
	}
	if _, hasOwn := o.resources[by.folder]; hasOwn {
		return false
	}
	if o.ReadFile != nil {
		if _, isChart := o.ReadFile(by.folder, "Chart.yaml"); isChart {
			return true
		}
	}
	name, err := filepath.Rel(by.folder, file)
	return err != nil || by.directory.takes(filepath.ToSlash(name))
}

// isDelivered reports whether a Kustomization is delivered by another one, or
// delivers itself or others. It is true of all where none delivers another.
func (o *Owners) isDelivered(k *kustomization, below []*kustomization) bool {
	if slices.Contains(below, k) || o.isHub(k) || !o.hasHub(typemeta.Of(k.object).Group) {
		return true
	}
	return slices.ContainsFunc(o.builders(k.file), func(by *kustomization) bool {
		return !by.isRoot && o.leads(by, k.file) && o.isDelivered(by, append(below, k))
	})
}

// isHub reports whether a Kustomization leads to itself or to another one.
func (o *Owners) isHub(k *kustomization) bool {
	if o.hubs == nil {
		o.hubs = map[*kustomization]bool{}
		for _, to := range o.local() {
			for _, by := range o.builders(to.file) {
				if !by.isRoot && o.leads(by, to.file) {
					o.hubs[by] = true
				}
			}
		}
	}
	return o.hubs[k]
}

// hasHub reports whether there is one of a group, e.g. of Flux.
func (o *Owners) hasHub(group string) bool {
	isOf := func(k *kustomization) bool {
		of := typemeta.Of(k.object).Group
		return o.isHub(k) && (of == group || of == fluxOperator && group == flux)
	}
	return slices.ContainsFunc(o.all, isOf)
}

// directory selects files, as the field of that name of an Application does.
// Nil selects all.
type directory struct {
	isRecursive      bool
	include, exclude string // globs, in which * stands for / too
}

// directoryOf returns the directory of a source of an Application.
func directoryOf(source map[string]any) *directory {
	says, _ := source["directory"].(map[string]any)
	t := texts(says)
	return &directory{says["recurse"] == true, t["include"], t["exclude"]}
}

// takes reports whether a file is selected, by its path from the folder.
func (d *directory) takes(name string) bool {
	switch {
	case d == nil:
		return true
	case !d.isRecursive && strings.Contains(name, "/"):
		return false
	case d.exclude != "" && matchesGlob(d.exclude, name):
		return false
	}
	return d.include == "" || matchesGlob(d.include, name)
}

// matchesGlob reports whether a name matches a glob of Argo CD: * stands for
// any text, also with slashes, ? for one character, [ab] and [!ab] for one of
// some, and {a,b} for one of several texts. A glob that is none matches
// nothing.
func matchesGlob(glob, name string) bool {
	var out strings.Builder
	depth, isSet := 0, false
	for i := 0; i < len(glob); i++ {
		c := glob[i]
		switch {
		case c == '\\' && i+1 < len(glob):
			i++
			out.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		case isSet:
			isSet = c != ']'
			if c == '!' && glob[i-1] == '[' {
				c = '^'
			}
			out.WriteByte(c)
		case c == '[':
			isSet = true
			out.WriteByte(c)
		case c == '*':
			out.WriteString(".*")
		case c == '?':
			out.WriteByte('.')
		case c == '{':
			depth++
			out.WriteString("(?:")
		case c == '}' && depth > 0:
			depth--
			out.WriteByte(')')
		case c == ',' && depth > 0:
			out.WriteByte('|')
		default:
			out.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		}
	}
	match, err := regexp.Compile(`(?s)\A(?:` + out.String() + `)\z`)
	return err == nil && match.MatchString(name)
}
