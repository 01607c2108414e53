package library

// NamedFormat is one format of the format library, e.g. dns1123Label.
type NamedFormat struct {
	// Name is what a rule writes, e.g. dns1123Label in `format.dns1123Label()`
	// and in `format.named("dns1123Label")`.
	Name string
	// Identity is the name by which two formats are equal.
	Identity string
	// RegexSize is the size of a regular expression. A call of validate costs
	// as much as matching it.
	RegexSize uint64
	// Introduced is the first version that has the format, if it is later than
	// that of the library.
	Introduced Version
}

// NamedFormats returns the formats of LIB-060, sorted by name. The caller may
// change the result. The sizes are those of apiserver/pkg/cel/format.go.
func NamedFormats() []NamedFormat {
	return []NamedFormat{
		{Name: "byte", Identity: "byte", RegexSize: 84},
		{Name: "date", Identity: "date", RegexSize: 71},
		{Name: "datetime", Identity: "datetime", RegexSize: 71},
		{Name: "dns1035Label", Identity: "DNS1035Label", RegexSize: 30},
		{Name: "dns1035LabelPrefix", Identity: "DNS1035LabelPrefix", RegexSize: 30},
		{Name: "dns1123Label", Identity: "DNS1123Label", RegexSize: 30},
		{Name: "dns1123LabelPrefix", Identity: "DNS1123LabelPrefix", RegexSize: 30},
		{Name: "dns1123Subdomain", Identity: "DNS1123Subdomain", RegexSize: 60},
		{Name: "dns1123SubdomainPrefix", Identity: "DNS1123SubdomainPrefix", RegexSize: 60},
		{Name: "labelValue", Identity: "LabelValue", RegexSize: 40},
		{Name: "qualifiedName", Identity: "QualifiedName", RegexSize: 60},
		{Name: "uri", Identity: "URI", RegexSize: 1103},
		{Name: "uuid", Identity: "uuid", RegexSize: 70},
	}
}

// formatFunctions returns the functions of LIB-060.
func formatFunctions() []Function {
	const f = "kubernetes.NamedFormat"
	out := []Function{
		{
			Name: "validate", Cost: CostFormatValidate,
			Summary: "optional.none() if the string has the format, otherwise the errors",
			Overloads: []Overload{
				method("format-validate", f, "optional_type(list(string))", "string"),
			},
		},
		{
			Name: "format.named", Cost: CostNominal,
			Summary:   "the format of that name, optional.none() if there is no such format",
			Overloads: []Overload{global("format-named", "optional_type("+f+")", "string")},
		},
	}
	for _, n := range NamedFormats() {
		name := "format." + n.Name
		out = append(out, Function{
			Name: name, Summary: "the format " + n.Name,
			Overloads: []Overload{global(name, f).since(n.Introduced)},
		})
	}
	return out
}
