package merge

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Operation is how a manager became the owner of fields.
type Operation string

// The operations.
const (
	OperationApply  Operation = "Apply"
	OperationUpdate Operation = "Update"
)

// fieldsTypeV1 is the only format of field sets.
const fieldsTypeV1 = "FieldsV1"

// ManagedFieldsEntry is an entry of metadata.managedFields: a manager and the
// fields that it owns.
type ManagedFieldsEntry struct {
	Manager     string
	Operation   Operation
	APIVersion  string
	Subresource string
	// Time is when the entry last changed, to the second; zero if unknown.
	Time   time.Time
	Fields FieldSet
}

// ManagedFields reads metadata.managedFields of an object, which is not
// changed. The error, with the server's text, is about an entry with a wrong
// value. If an entry has a field of a wrong type, the whole list counts as
// absent, as for the server.
func ManagedFields(object map[string]any) ([]ManagedFieldsEntry, error) {
	return managedFieldsOf(object, profile.Latest())
}

// managedFieldsOf is ManagedFields with the texts of a minor.
func managedFieldsOf(object map[string]any, p *profile.Profile) ([]ManagedFieldsEntry, error) {
	entries, ok := entriesOf(object)
	if !ok {
		return nil, nil
	}
	owners := make([]ManagedFieldsEntry, len(entries))
	for i, e := range entries {
		var err error
		if owners[i], err = e.owner(i, p); err != nil {
			return nil, err
		}
	}
	return owners, nil
}

// entry is an entry of managedFields whose values are not checked yet.
type entry struct {
	manager, operation, apiVersion, subresource, fieldsType string
	time                                                    time.Time
	hasTime                                                 bool
	fields                                                  any
}

// entriesOf reads the list; ok is false if it is absent or has a wrong type.
func entriesOf(object map[string]any) (entries []entry, ok bool) {
	metadata, _ := object["metadata"].(map[string]any)
	list, ok := metadata["managedFields"].([]any)
	if !ok {
		return nil, false
	}
	entries = make([]entry, len(list))
	for i, item := range list {
		fields, ok := item.(map[string]any)
		if !ok || !entries[i].read(fields) {
			return nil, false
		}
	}
	return entries, true
}

// read reads the fields of an entry. It returns false if one has a wrong type.
func (e *entry) read(fields map[string]any) bool {
	for name, target := range map[string]*string{
		"manager": &e.manager, "operation": &e.operation, "apiVersion": &e.apiVersion,
		"subresource": &e.subresource, "fieldsType": &e.fieldsType,
	} {
		value, ok := fields[name].(string)
		if !ok && fields[name] != nil {
			return false
		}
		*target = value
	}
	e.fields = fields["fieldsV1"]
	text, ok := fields["time"].(string)
	if !ok {
		return fields["time"] == nil
	}
	t, err := time.Parse(time.RFC3339, text)
	e.time, e.hasTime = t.UTC(), true
	return err == nil
}

// isEmpty reports whether the entry has no field.
func (e entry) isEmpty() bool {
	return e.manager+e.operation+e.apiVersion+e.subresource+e.fieldsType == "" && e.time.IsZero() &&
		e.fields == nil
}

// String returns the entry as the server shows it, which is in UTC.
func (e entry) String() string {
	at, fields := "<nil>", "<nil>"
	if e.hasTime {
		at = e.time.String()
	}
	if text, err := json.Marshal(e.fields); err == nil && e.fields != nil {
		fields = string(text)
	}
	return fmt.Sprintf("{%s %s %s %s %s %s %s}", e.manager, e.operation, e.apiVersion, at,
		e.fieldsType, fields, e.subresource)
}

func (e entry) owner(index int, p *profile.Profile) (ManagedFieldsEntry, error) {
	switch {
	case e.operation != string(OperationApply) && e.operation != string(OperationUpdate):
		return ManagedFieldsEntry{}, errors.New("operation must be `Apply` or `Update`")
	case e.apiVersion == "":
		return ManagedFieldsEntry{}, errors.New("apiVersion must not be empty")
	case e.fieldsType == "":
		return ManagedFieldsEntry{}, fmt.Errorf("missing fieldsType in managed fields entry %d",
			index)
	case e.fieldsType != fieldsTypeV1:
		return ManagedFieldsEntry{}, fmt.Errorf("invalid fieldsType %q in managed fields entry %d",
			e.fieldsType, index)
	}
	set, err := parseFieldsV1(e.fields, p)
	if err != nil {
		return ManagedFieldsEntry{}, fmt.Errorf("error decoding versioned set from %s: %w", e, err)
	}
	return ManagedFieldsEntry{
		Manager:     e.manager,
		Operation:   Operation(e.operation),
		APIVersion:  e.apiVersion,
		Subresource: e.subresource,
		Time:        e.time,
		Fields:      set,
	}, nil
}

// identity distinguishes managers. Its JSON is the key of a manager.
type identity struct {
	Manager     string    `json:"manager,omitempty"`
	Operation   Operation `json:"operation,omitempty"`
	APIVersion  string    `json:"apiVersion,omitempty"`
	Subresource string    `json:"subresource,omitempty"`
}

// key returns the JSON of an identity. A manager with the operation Apply is
// the same in all versions.
func (id identity) key() string {
	if id.Operation == OperationApply {
		id.APIVersion = ""
	}
	text, err := json.Marshal(id)
	if err != nil {
		return "" // Strings always marshal.
	}
	return string(text)
}

// identityOf returns the identity that a key was made from.
func identityOf(key string) identity {
	var id identity
	// Every key was written by identity.key.
	_ = json.Unmarshal([]byte(key), &id)
	return id
}

// managed holds the owned fields of all managers, by their keys.
type managed struct {
	fields fieldpath.ManagedFields
	times  map[string]time.Time
}

func noManagers() managed {
	return managed{fields: fieldpath.ManagedFields{}, times: map[string]time.Time{}}
}

// managedOf converts entries to the form of the merge library. Sets of a
// version without a type are left as they are.
func (r *FieldManager) managedOf(owners []ManagedFieldsEntry) managed {
	m := noManagers()
	for _, o := range owners {
		key := identity{o.Manager, o.Operation, o.APIVersion, o.Subresource}.key()
		set := o.Fields.orEmpty()
		if v, ok := r.versions[o.APIVersion]; ok {
			set = v.Type.withAbsent(set)
		}
		m.fields[key] = fieldpath.NewVersionedSet(set, fieldpath.APIVersion(o.APIVersion),
			o.Operation == OperationApply)
		m.times[key] = o.Time
	}
	return m
}

// entries lists the managers in the order in which they are stored.
func (m managed) entries() []ManagedFieldsEntry {
	list := make([]ManagedFieldsEntry, 0, len(m.fields))
	for key, set := range m.fields {
		id := identityOf(key)
		o := ManagedFieldsEntry{
			Manager:     id.Manager,
			Operation:   id.Operation,
			APIVersion:  string(set.APIVersion()),
			Subresource: id.Subresource,
			Time:        m.times[key],
			Fields:      FieldSet{withoutAbsent(set.Set())},
		}
		if set.Applied() {
			o.Operation = OperationApply
		}
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b ManagedFieldsEntry) int {
		return cmp.Or(strings.Compare(string(a.Operation), string(b.Operation)),
			cmp.Compare(a.seconds(), b.seconds()), strings.Compare(a.Manager, b.Manager),
			strings.Compare(a.APIVersion, b.APIVersion),
			strings.Compare(a.Subresource, b.Subresource))
	})
	return list
}

// seconds returns the time that entries are sorted by; 0 if it is unknown.
func (o ManagedFieldsEntry) seconds() int64 {
	if o.Time.IsZero() {
		return 0
	}
	return o.Time.Unix()
}

// asMap returns the entry as managedFields of a minor has it.
func (o ManagedFieldsEntry) asMap(p *profile.Profile) (map[string]any, error) {
	fields, err := o.Fields.FieldsV1()
	if err != nil {
		return nil, fmt.Errorf("error encoding set: %w", err)
	}
	if p.PlainElements {
		fields = plain(fields)
	}
	out := map[string]any{
		"operation":  string(o.Operation),
		"apiVersion": o.APIVersion,
		"fieldsType": fieldsTypeV1,
		"fieldsV1":   fields,
	}
	for name, value := range map[string]string{"manager": o.Manager, "subresource": o.Subresource} {
		if value != "" {
			out[name] = value
		}
	}
	if !o.Time.IsZero() {
		out["time"] = o.Time.UTC().Format(time.RFC3339)
	}
	return out, nil
}

// setManagedFields sets metadata.managedFields of an object in a request for a
// version; without entries it removes them. It changes the object.
func (r *FieldManager) setManagedFields(
	object map[string]any, owners []ManagedFieldsEntry, version string,
) error {
	if len(owners) == 0 {
		removeManagedFields(object)
		return nil
	}
	entries := make([]any, len(owners))
	for i, o := range owners {
		e, err := o.asMap(r.profile(version))
		if err != nil {
			return fmt.Errorf("failed to encode managed fields: %w", err)
		}
		entries[i] = e
	}
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	metadata["managedFields"] = entries
	return nil
}

// removeManagedFields removes metadata.managedFields of an object.
func removeManagedFields(object map[string]any) {
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "managedFields")
	}
}
