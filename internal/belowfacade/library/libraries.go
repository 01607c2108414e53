package library

import "slices"

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
func Libraries() []Library { return slices.Clone(libraries) }

var libraries = []Library{
	{Name: URLs, Rule: "LIB-030", Summary: "parses URLs"},
	{Name: Regex, Rule: "LIB-020", Summary: "finds matches of regular expressions"},
	{
		Name: Lists, Rule: "LIB-010", Removed: 37,
		Summary: "sums, extremes, order and search in lists",
	},
	{
		Name: Authz, Rule: "LIB-009", Introduced: 27,
		Summary: "authorization checks; declared, but no CRD rule has an authorizer",
	},
	{
		Name: CrossTypeComparison, Introduced: 28,
		Summary: "int, uint and double compare with each other",
	},
	{
		Name: Optionals, Rule: "LIB-006", Introduced: 28,
		Summary: "optional values and their syntax",
	},
	{
		Name: Quantity, Rule: "LIB-040", Introduced: 28,
		Summary: "resource quantities such as 1500m and 2Gi",
	},
	{Name: LiteralValidation, Introduced: 29, Summary: "invalid literals are compile errors"},
	{
		Name: ExtStrings, Rule: "LIB-002", Introduced: 29, Edition: 2,
		Summary: "string functions",
	},
	{Name: ExtSets, Rule: "LIB-004", Introduced: 29, Summary: "lists compared as sets"},
	{Name: IP, Rule: "LIB-050", Introduced: 30, Summary: "IP addresses"},
	{
		Name: CIDR, Rule: "LIB-052", Introduced: 30, Removed: 38,
		Summary: "networks in CIDR notation, first edition",
	},
	{
		Name: CIDR, Rule: "LIB-052", Introduced: 38, Edition: 1,
		Summary: "networks in CIDR notation",
	},
	{
		Name: Format, Rule: "LIB-060", Introduced: 31,
		Summary: "named formats such as dns1123Label",
	},
	{
		Name: AuthzSelectors, Rule: "LIB-009", Introduced: 31,
		Summary: "selectors of authorization checks",
	},
	{
		Name: ReservedFieldNames, Rule: "CEL-022", Introduced: 31,
		Summary: "fields named like reserved words need no escaping",
	},
	{
		Name: TwoVarComprehension, Rule: "LIB-005", Introduced: 32,
		Summary: "macros over keys and values",
	},
	{Name: Semver, Rule: "LIB-070", Introduced: 33, Edition: 1, Summary: "semantic versions"},
	{
		Name: ExtLists, Rule: "LIB-003", Introduced: 34, Edition: 3,
		Summary: "parts, order and distinct elements of lists",
	},
	{
		Name: Lists, Rule: "LIB-010", Introduced: 37, Edition: 1,
		Summary: "sums, extremes, order and search in lists, and includes",
	},
}
