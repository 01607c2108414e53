package judge

import (
	"fmt"
	"maps"
	"strings"

	"github.com/crdsem/crdsem/definition"
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
	d := j.definitionOf(object)
	if d == nil {
		return nil
	}
	id := d.identity(object)
	if j.stored[id] != nil {
		return fmt.Errorf("the stored object %s is given twice", id)
	}
	if j.stored == nil {
		j.stored = map[string]map[string]any{}
	}
	j.stored[id] = d.inNamespace(object)
	return nil
}

// StoreDefinition makes a stored definition known. A definition with its name
// updates it. It fails if the object is no definition.
func (j *Judge) StoreDefinition(object map[string]any) error {
	crd, _, err := definition.FromMap(object, definition.Kubernetes(j.Kubernetes))
	if err != nil {
		return err
	}
	if j.StoredDefinitions == nil {
		j.StoredDefinitions = map[string]*definition.CRD{}
	}
	j.StoredDefinitions[crd.Name()] = crd
	return nil
}

func (j *Judge) definitionOf(object map[string]any) *Definition {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	group, _, _ := strings.Cut(apiVersion, "/")
	return j.definitions[groupKind(group, kind)]
}

// defaultNamespace is where the server puts objects without a namespace.
const defaultNamespace = "default"

// identity names an object among those of all kinds, e.g.
// CronTab.stable.example.com default/nightly. Objects of a kind with namespaces
// are in the namespace default if they name none; others are in none.
func (d *Definition) identity(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	namespace, _ := metadata["namespace"].(string)
	switch {
	case !d.isNamespaced():
		namespace = ""
	case namespace == "":
		namespace = defaultNamespace
	}
	id := groupKind(d.group, d.kind) + " "
	if namespace != "" {
		id += namespace + "/"
	}
	return id + name
}

func (d *Definition) isNamespaced() bool {
	return d.compiled != nil && d.compiled.Model().Scope() != definition.Cluster
}

// inNamespace returns a stored object with the namespace that it has on a
// server. The argument is not changed.
func (d *Definition) inNamespace(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	if namespace, _ := metadata["namespace"].(string); namespace != "" || !d.isNamespaced() {
		return object
	}
	object, metadata = maps.Clone(object), maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["namespace"] = defaultNamespace
	object["metadata"] = metadata
	return object
}
