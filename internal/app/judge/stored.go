package judge

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/structural"
)

// Requests selects what objects are sent as.
type Requests uint8

// The requests.
const (
	// CreateOrUpdate updates stored objects, and creates all others.
	CreateOrUpdate Requests = iota
	// UpdateOnly refuses objects that are not stored.
	UpdateOnly
	// UpdateStatus updates the status of stored objects, and refuses all
	// others.
	UpdateStatus
)

// Store makes a stored object known. An object with its kind, namespace and
// name updates it. It fails if there is such an object already. Definitions are
// added before, and an object without one is left out.
func (j *Judge) Store(object map[string]any) error {
	d, unknown := j.definitionOf(object)
	if unknown != nil {
		return nil
	}
	id := d.identity(object)
	if j.stored[id] != nil {
		return fmt.Errorf("the stored object %s is given twice", id)
	}
	if j.stored == nil {
		j.stored = map[string]map[string]any{}
	}
	j.stored[id] = InNamespace(d.Compiled(), object)
	return nil
}

// StoreDefinition makes a stored definition known. A definition with its name
// updates it. It fails if the object is no definition.
func (j *Judge) StoreDefinition(object map[string]any) error {
	crd, _, err := definition.FromMap(object, structural.Kubernetes(j.Kubernetes))
	if err != nil {
		return err
	}
	if j.StoredDefinitions == nil {
		j.StoredDefinitions = map[string]*definition.CRD{}
	}
	if j.live == nil {
		j.live = map[string]map[string]any{}
	}
	j.StoredDefinitions[crd.Name()], j.live[crd.Name()] = crd, object
	return nil
}

// definitionOf returns the definition of an object's kind, or an error.
func (j *Judge) definitionOf(object map[string]any) (*Definition, *manifest.UnknownKindError) {
	known := j.definitions
	if known == nil {
		known = &manifest.Kinds[*Definition]{}
	}
	d, err := known.Of(object)
	unknown, _ := errors.AsType[*manifest.UnknownKindError](err)
	return d, unknown
}

// identity names an object among those of all kinds, e.g.
// CronTab.stable.example.com default/nightly.
func (d *Definition) identity(object map[string]any) string {
	_, name := typemeta.Name(object)
	id := d.names.GroupKind.String() + " "
	if namespace := Namespace(d.Compiled(), object); namespace != "" {
		id += namespace + "/"
	}
	return id + name
}

// defaultNamespace is where the server puts objects without a namespace.
const defaultNamespace = "default"

// Namespace returns the namespace that an object of a definition has on a
// server: default if it names none, and "" if the kind has no namespaces. The
// definition is nil if it cannot be compiled; then it is "" too.
func Namespace(def *crdsem.Definition, object map[string]any) string {
	if def == nil || def.Model().Scope() == definition.Cluster {
		return ""
	}
	namespace, _ := typemeta.Name(object)
	return cmp.Or(namespace, defaultNamespace)
}

// InNamespace returns an object with the namespace that it has on a server. The
// argument is not changed.
func InNamespace(def *crdsem.Definition, object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	namespace := Namespace(def, object)
	if namespace == "" || metadata["namespace"] == namespace {
		return object
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["namespace"] = namespace
	object["metadata"] = metadata
	return object
}

// warnOfRevision adds a warning about a resourceVersion for which a server
// refuses the request. It is not an error: files often come from a cluster, and
// what counts is whether the rest is valid. A new object with a uid was surely
// read from one, and needs no warning.
func (q *Request) warnOfRevision(r *verdict.Result) {
	given, stored := revision(q.Object), revision(q.Old)
	text := ""
	switch {
	case given == 0:
	case r.Request == "create" && hasUID(q.Object):
	case r.Request == "create":
		text = "a server refuses to create an object with a resourceVersion"
	case stored != 0 && given != stored:
		text = fmt.Sprintf("a server answers with a conflict: the stored object has "+
			"the resourceVersion %d", stored)
	}
	if text != "" {
		f := &Finder{Document: q.Document}
		at := q.Document.Find("metadata.resourceVersion").Value
		r.Findings = append(r.Findings, f.at(verdict.Warning, at, text))
	}
}

// hasUID reports whether an object has a uid, which only a server gives.
func hasUID(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	uid, _ := metadata["uid"].(string)
	return uid != ""
}

// revision returns the resourceVersion of an object, which may be nil: 0 if it
// has none, or one that is not a number.
func revision(object map[string]any) uint64 {
	metadata, _ := object["metadata"].(map[string]any)
	text, _ := metadata["resourceVersion"].(string)
	number, _ := strconv.ParseUint(text, 10, 64)
	return number
}
