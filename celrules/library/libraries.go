package library

// Names of libraries and language options.
const (
	URLs                = "kubernetes.urls"
	Regex               = "kubernetes.regex"
	Lists               = "kubernetes.lists"
	Authz               = "kubernetes.authz"
	AuthzSelectors      = "kubernetes.authzSelectors"
	Quantity            = "kubernetes.quantity"
	IP                  = "kubernetes.net.ip"
	CIDR                = "kubernetes.net.cidr"
	Format              = "kubernetes.format"
	Semver              = "kubernetes.Semver"
	Optionals           = "cel.lib.optional"
	ExtStrings          = "cel.lib.ext.strings"
	ExtSets             = "cel.lib.ext.sets"
	ExtLists            = "cel.lib.ext.lists"
	TwoVarComprehension = "cel.lib.ext.comprev2"

	// CrossTypeComparison lets <, <=, > and >= compare int, uint and double, as
	// in `self.ratio < 1`.
	CrossTypeComparison = "crossTypeNumericComparisons"
	// LiteralValidation rejects invalid literals at compile time: durations,
	// timestamps and regular expressions, and lists and maps of mixed types.
	LiteralValidation = "literalValidation"
	// ReservedFieldNames allows a field with the name of a reserved word to be
	// selected without escaping, e.g. self.namespace (CEL-022). It affects
	// types and not functions.
	ReservedFieldNames = "reservedFieldNames"
)

// Libraries returns all libraries and language options of the API server's base
// environment, whatever their version, in the order in which the server adds
// them (CEL-004). The caller may change the result.
//
// The standard library and its macros are always there and are not listed.
// Math, Encoders, Bindings, Protos, CEL's own Regex and JSONPatch are never
// there (CEL-006). Their source is
// k8s.io/apiserver/pkg/cel/environment/base.go.
func Libraries() []Library {
	return append(librariesTo29(), librariesSince30()...)
}

func librariesTo29() []Library {
	return []Library{
		{Name: URLs, Summary: "parses URLs", functions: urlFunctions},
		{Name: Regex, Summary: "finds matches of regular expressions", functions: regexFunctions},
		{
			Name: Lists, Removed: 37,
			Summary: "sums, extremes, order and search in lists", functions: listFunctions,
		},
		{
			Name: Authz, Introduced: 27,
			Summary:   "authorization checks; declared, but no CRD rule has an authorizer",
			functions: authzFunctions,
		},
		{
			Name: CrossTypeComparison, Introduced: 28,
			Summary: "int, uint and double compare with each other",
		},
		{
			Name: Optionals, Introduced: 28,
			Summary: "optional values and their syntax", functions: optionalFunctions,
		},
		{
			Name: Quantity, Introduced: 28,
			Summary: "resource quantities such as 1500m and 2Gi", functions: quantityFunctions,
		},
		{Name: LiteralValidation, Introduced: 29, Summary: "invalid literals are compile errors"},
		{
			Name: ExtStrings, Removed: 29,
			Summary: "string functions, first edition", functions: stringFunctionsV0,
		},
		{
			Name: ExtStrings, Introduced: 29, Edition: 2,
			Summary: "string functions", functions: stringFunctions,
		},
		{Name: ExtSets, Introduced: 29, Summary: "lists compared as sets", functions: setFunctions},
	}
}

func librariesSince30() []Library {
	return []Library{
		{Name: IP, Introduced: 30, Summary: "IP addresses", functions: ipFunctions},
		{Name: CIDR, Introduced: 30, Summary: "networks in CIDR notation", functions: cidrFunctions},
		{
			Name: Format, Introduced: 31,
			Summary: "named formats such as dns1123Label", functions: formatFunctions,
		},
		{
			Name: AuthzSelectors, Introduced: 31,
			Summary: "selectors of authorization checks", functions: authzSelectorFunctions,
		},
		{
			Name: ReservedFieldNames, Introduced: 31,
			Summary: "fields named like reserved words need no escaping",
		},
		{
			Name: TwoVarComprehension, Introduced: 32,
			Summary: "macros over keys and values", functions: comprehensionFunctions,
		},
		{
			Name: Semver, Introduced: 33, Edition: 1,
			Summary: "semantic versions", functions: semverFunctions,
		},
		{
			Name: ExtLists, Introduced: 34, Edition: 3,
			Summary: "parts, order and distinct elements of lists", functions: extListFunctions,
		},
		{
			Name: Lists, Introduced: 37, Edition: 1,
			Summary:   "sums, extremes, order and search in lists, and includes",
			functions: listFunctionsV1,
		},
	}
}
