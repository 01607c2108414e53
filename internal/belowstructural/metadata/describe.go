package metadata

// Type is the type of a field of ObjectMeta, as far as it is not one of JSON
// Schema.
type Type string

// The types. A field of any value has the empty one.
const (
	Time       Type = "time"    // a string
	Strings    Type = "strings" // an object of strings
	StringList Type = "string list"
	Structs    Type = "structs" // a list of objects
)

// Field is a field of ObjectMeta, or of a struct in it.
type Field struct {
	Name string
	Type Type
	Elem []Field // the fields of a struct
}

var types = map[kind]Type{
	text: "string", textAlways: "string", integer: "integer", integerPtr: "integer",
	boolPtr: "boolean", timestamp: Time, timestampPtr: Time, textMap: Strings,
	textList: StringList, structList: Structs,
}

// Fields returns the fields of ObjectMeta.
func Fields() []Field { return objectMetaSpec.describe() }

func (s *structSpec) describe() []Field {
	var out []Field
	for _, f := range s.fields {
		field := Field{Name: f.name, Type: types[f.kind]}
		if f.elem != nil {
			field.Elem = f.elem.describe()
		}
		out = append(out, field)
	}
	return out
}
