package metadata

// kind is how a field of ObjectMeta, or of a struct in it, is held and written.
type kind uint8

const (
	text         kind = iota // string, written when not empty
	textAlways               // string, written always
	integer                  // int64, written when not 0
	integerPtr               // *int64, written when set
	boolPtr                  // *bool, written when set
	timestamp                // time, written when not zero
	timestampPtr             // *time, written when set (as null when zero)
	textMap                  // map of strings, written when not empty
	textList                 // list of strings, written when not empty
	structList               // list of structs, written when not empty
	raw                      // any JSON value, written when not null
)

// fieldSpec describes one field of a struct.
type fieldSpec struct {
	name string
	// goType is the type as the decoder's errors name it.
	goType string
	kind   kind
	// elem describes the elements of a structList.
	elem *structSpec
}

// structSpec describes a struct: its name as the decoder's errors show it, and
// its fields.
type structSpec struct {
	name   string
	goType string
	fields []fieldSpec
	// always is the number of fields that are written even when empty.
	always int
}

// field returns the field of this exact name. Names are case-sensitive.
func (s *structSpec) field(name string) *fieldSpec {
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i]
		}
	}
	return nil
}

// The tables are read-only. Frequent fields come first, because fields are
// searched in this order.
var (
	objectMetaSpec = structSpec{
		name: "ObjectMeta", goType: "v1.ObjectMeta",
		fields: []fieldSpec{
			{name: "name", goType: "string", kind: text},
			{name: "namespace", goType: "string", kind: text},
			{name: "labels", goType: "map[string]string", kind: textMap},
			{name: "annotations", goType: "map[string]string", kind: textMap},
			{name: "uid", goType: "types.UID", kind: text},
			{name: "resourceVersion", goType: "string", kind: text},
			{name: "generation", goType: "int64", kind: integer},
			{name: "creationTimestamp", goType: "string", kind: timestamp},
			{
				name:   "managedFields",
				goType: "[]v1.ManagedFieldsEntry",
				kind:   structList,
				elem:   &managedFieldsSpec,
			},
			{
				name:   "ownerReferences",
				goType: "[]v1.OwnerReference",
				kind:   structList,
				elem:   &ownerReferenceSpec,
			},
			{name: "finalizers", goType: "[]string", kind: textList},
			{name: "generateName", goType: "string", kind: text},
			{name: "deletionTimestamp", goType: "string", kind: timestampPtr},
			{name: "deletionGracePeriodSeconds", goType: "int64", kind: integerPtr},
			{name: "selfLink", goType: "string", kind: text},
		},
	}

	ownerReferenceSpec = structSpec{
		name: "OwnerReference", goType: "v1.OwnerReference", always: 4,
		fields: []fieldSpec{
			{name: "apiVersion", goType: "string", kind: textAlways},
			{name: "kind", goType: "string", kind: textAlways},
			{name: "name", goType: "string", kind: textAlways},
			{name: "uid", goType: "types.UID", kind: textAlways},
			{name: "controller", goType: "bool", kind: boolPtr},
			{name: "blockOwnerDeletion", goType: "bool", kind: boolPtr},
		},
	}

	managedFieldsSpec = structSpec{
		name: "ManagedFieldsEntry", goType: "v1.ManagedFieldsEntry",
		fields: []fieldSpec{
			{name: "manager", goType: "string", kind: text},
			{name: "operation", goType: "v1.ManagedFieldsOperationType", kind: text},
			{name: "apiVersion", goType: "string", kind: text},
			{name: "time", goType: "string", kind: timestampPtr},
			{name: "fieldsType", goType: "string", kind: text},
			{name: "fieldsV1", kind: raw},
			{name: "subresource", goType: "string", kind: text},
		},
	}
)
