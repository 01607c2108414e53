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
