package profile

import "slices"

// Change is one difference between a minor and the one before it.
type Change struct {
	// ID identifies the change, e.g. "33-status-ratchet". It starts with the
	// minor.
	ID string
	// Since is the first minor that has the new behavior.
	Since Minor
	// Rules are the rules of the specification that say what the new behavior
	// is, e.g. "RAT-040".
	Rules []string
	// Upstream is the pull request of Kubernetes, or the release of a library,
	// that made the change. It is empty if none was found.
	Upstream string
	// Kind says what the change can affect.
	Kind Kind
	// Summary describes the new behavior and the old one.
	Summary string

	// on returns the switch of the change. It is nil for a change that is in
	// the catalogue of package library, or that no answer shows.
	on func(*Profile) *bool
}

// Kind is what a change can affect.
type Kind string

const (
	// Verdict changes affect whether something is accepted, or the types and
	// fields of errors, an object, or a cost.
	Verdict Kind = "verdict"
	// Text changes affect only messages and warnings.
	Text Kind = "text"
)

// HasSwitch reports whether a field of [Profile] stands for the change.
func (c Change) HasSwitch() bool { return c.on != nil }

// Changes returns all changes, the newest minor first. The caller may change
// the result.
func Changes() []Change {
	return slices.Concat(
		changesOf37(), costsOf37(), changesOf36(), changesOf35(), changesOf34(), changesOf33(),
		changesOf32(), changesOf31(), changesOf30(),
	)
}

func changesOf37() []Change {
	return []Change{
		{
			"37-includes", 37, []string{"LIB-010", "LIB-015", "COST-100", "CEL-004", "CRD-421"},
			"#140016", Verdict,
			"Stored expressions have includes.", nil,
		},
		{
			"37-set-map-lists", 37, []string{"CEL-045", "CEL-046"}, "#140266, #140293", Verdict,
			"A set is equal to a set of the same items, and + returns a set. " +
				"Before, the lists were compared without regard to repeated items.",
			func(p *Profile) *bool { return &p.ScalarSets },
		},
		{
			"37-quoted-ident", 37, []string{"CEL-022"}, "cel-go #1295", Verdict,
			"Identifiers in backticks are parsed.",
			func(p *Profile) *bool { return &p.QuotedIdentifiers },
		},
		{
			"37-optional-receivers", 37, []string{"CEL-096", "LIB-006"}, "cel-go 0.27 to 0.29",
			Verdict,
			"or and orValue fail for a receiver that is not optional. " +
				"Before, they returned it.",
			func(p *Profile) *bool { return &p.OptionalReceivers },
		},
		{
			"37-ownerref", 37, []string{"META-005", "META-009", "META-021"}, "#140381, #139505",
			Verdict,
			"A missing field of an owner reference is required, at its index. " +
				"Before, it was invalid, without an index.",
			func(p *Profile) *bool { return &p.ReferenceFieldsRequired },
		},
		{
			"37-meta-dedup", 37, []string{"META-025"}, "", Verdict,
			"Each error of the metadata is reported once.",
			func(p *Profile) *bool { return &p.DistinctErrors },
		},
		{
			"37-multipleof", 37, []string{"VAL-053"}, "go-openapi/swag", Verdict,
			"A quotient is rounded before multipleOf looks whether it is an integer. " +
				"Before, it was truncated.",
			func(p *Profile) *bool { return &p.RoundedMultiples },
		},
		{
			"37-set-warning", 37, []string{"CRD-014", "CRD-159"}, "#140616", Text,
			"Sets of objects and lists have a warning.",
			func(p *Profile) *bool { return &p.SetWarnings },
		},
		{
			"37-cancel-text", 37, []string{"CEL-097"}, "", Text,
			"An interrupted evaluation names the cause.",
			func(p *Profile) *bool { return &p.InterruptionCauses },
		},
	}
}

func costsOf37() []Change {
	return []Change{
		{
			"37-matches-global", 37, []string{"COST-023", "COST-101"}, "cel-go #1350", Verdict,
			"matches(text, regex) costs as much as text.matches(regex). Before, it cost 1.",
			func(p *Profile) *bool { return &p.MatchesFunction },
		},
		{
			"37-startswith", 37, []string{"COST-023"}, "cel-go 0.29", Verdict,
			"startsWith and endsWith are charged by their argument. " +
				"Before, they were charged by their receiver.",
			func(p *Profile) *bool { return &p.PrefixLengths },
		},
		{
			"37-metaname-cost", 37, []string{"CEL-024", "COST-011"}, "#139573", Verdict,
			"Estimates know how long metadata.name and metadata.generateName can be.",
			func(p *Profile) *bool { return &p.NameSizes },
		},
		{
			"37-extlists", 37, []string{"LIB-003"}, "cel-go 0.27 to 0.29", Verdict,
			"lists.range fails for negative and for large numbers.",
			func(p *Profile) *bool { return &p.BoundedRanges },
		},
		{
			"37-flatten-cost", 37, []string{"COST-023"}, "cel-go 0.27 to 0.29", Verdict,
			"flatten of a negative depth is charged for one level.",
			func(p *Profile) *bool { return &p.NegativeFlattenDepths },
		},
	}
}

func changesOf36() []Change {
	return []Change{
		{
			"36-numeric-formats", 36,
			[]string{"VAL-020", "VAL-021", "VAL-022", "VAL-025", "VAL-052", "VAL-054", "CRD-301"},
			"#136582", Verdict,
			"Formats of integers and numbers are checked, and bounds by type and format.",
			func(p *Profile) *bool { return &p.NumericFormats },
		},
		{
			"36-externaldocs-example", 36, []string{"STR-021", "STR-057", "STR-062"}, "#136977",
			Verdict,
			"The structural rules look at example and externalDocs.",
			func(p *Profile) *bool { return &p.ExamplesAreGenerics },
		},
		{
			"36-format-warnings", 36, []string{"CRD-350"}, "#136582", Text,
			"Formats of all types have a warning if they are unknown.",
			func(p *Profile) *bool { return &p.TypedFormatWarnings },
		},
	}
}

func changesOf35() []Change {
	return []Change{
		{
			"35-extlists-new", 35, []string{"LIB-003"}, "", Verdict,
			"New expressions have the list library of cel-go.", nil,
		},
		{
			"35-k8s-names", 35, []string{"FMT-k8s-short-name", "FMT-k8s-long-name"}, "#132504",
			Verdict,
			"The formats k8s-short-name and k8s-long-name are checked.",
			func(p *Profile) *bool { return &p.NameFormats },
		},
		{
			"35-selectable-ratchet", 35, []string{"CRD-418"}, "#133187", Verdict,
			"An update may keep more than 8 selectableFields.",
			func(p *Profile) *bool { return &p.SelectableFieldsRatchet },
		},
		{
			"35-observedgeneration", 35, []string{"CRD-013"}, "", Verdict,
			"The status of a definition and its conditions may have an observedGeneration.",
			func(p *Profile) *bool { return &p.ObservedGenerationKnown },
		},
		{
			"35-cel-badvalue", 35, []string{"CEL-092", "VAL-008"}, "#132798, #133832", Text,
			"Failures of rules show the value of a scalar. Before, they showed its type.",
			func(p *Profile) *bool { return &p.RuleValues },
		},
		{
			"35-name-msg-text", 35, []string{"COST-105"}, "", Text,
			"Messages about labels and qualified names count bytes. Before, they said characters.",
			func(p *Profile) *bool { return &p.NameBytes },
		},
		{
			"35-registry-line", 35, []string{"PIPE-013"}, "", Text,
			"Errors about unknown kinds name line 111 of the registry. Before, they named line 110.",
			func(p *Profile) *bool { return &p.RegistryMoved },
		},
		{
			"35-decode-paths", 35, []string{"STR-002"}, "sigs.k8s.io/json", Text,
			"Errors of decoding name fields below items and additionalProperties. " +
				"Before, their paths ended there.",
			func(p *Profile) *bool { return &p.NestedDecodePaths },
		},
	}
}

func changesOf34() []Change {
	return []Change{
		{
			"34-extlists-stored", 34, []string{"LIB-003"}, "", Verdict,
			"Stored expressions have the list library of cel-go.", nil,
		},
		{
			"34-semver-new", 34, []string{"LIB-070"}, "#130648", Verdict,
			"New expressions have the library of semantic versions.", nil,
		},
		{
			"34-intorstring-maxlength", 34, []string{"COST-011"}, "#132837", Verdict,
			"Estimates use maxLength of x-kubernetes-int-or-string.",
			func(p *Profile) *bool { return &p.IntOrStringSizes },
		},
		{
			"34-object-eq-null", 34, []string{"CEL-050"}, "", Verdict,
			"Objects with a field that is null are equal to themselves.",
			func(p *Profile) *bool { return &p.NullFieldsEqual },
		},
		{
			"34-default-names", 34, []string{"DEF-053", "FMT-k8s-short-name", "FMT-k8s-long-name"},
			"#132504", Verdict,
			"Defaults of definitions are checked by the formats k8s-short-name and k8s-long-name.",
			func(p *Profile) *bool { return &p.NameFormatsOfDefaults },
		},
		{
			"34-creationtimestamp", 34, []string{"META-023"}, "", Text,
			"The metadata of an object that is read has no creationTimestamp of null. " +
				"Every stored object has a time there.", nil,
		},
		{
			"34-badvalue-json", 34, []string{"CRD-001", "VAL-008"}, "", Text,
			"Errors show objects and lists as JSON. Before, they showed them as in Go. " +
				"The library always shows JSON.", nil,
		},
		{
			"34-text", 34,
			[]string{"CRD-034", "CRD-082", "CRD-202", "VAL-041", "VAL-070", "META-001"},
			"#132472, #132513", Text,
			"Details do not repeat what the rest of an error says.",
			func(p *Profile) *bool { return &p.ShortDetails },
		},
		{
			"34-format-warnings", 34, []string{"CRD-350"}, "#133136, #133896", Text,
			"Unknown formats of strings have a warning.",
			func(p *Profile) *bool { return &p.StringFormatWarnings },
		},
	}
}

func changesOf33() []Change {
	return []Change{
		{
			"33-status-ratchet", 33, []string{"RAT-040"}, "#129506", Verdict,
			"Updates of the status are ratcheted.",
			func(p *Profile) *bool { return &p.StatusRatcheting },
		},
		{
			"33-semver-stored", 33, []string{"LIB-070", "COST-106"}, "#130648", Verdict,
			"Stored expressions have the library of semantic versions.", nil,
		},
		{
			"33-twovar-new", 33, []string{"LIB-001", "LIB-005"}, "#128593", Verdict,
			"New expressions have macros of two variables.", nil,
		},
		{
			"33-optional-v2", 33, []string{"LIB-006"}, "cel-go 0.23", Verdict,
			"All expressions have first, last, optional.unwrap and unwrapOpt.", nil,
		},
		{
			"33-celgo-cost", 33, []string{"COST-010", "COST-011", "COST-023"}, "cel-go 0.23", Verdict,
			"Estimates keep the sizes of values behind dyn(), optionals and variables. " +
				"Before, the values had any size.",
			func(p *Profile) *bool { return &p.KeptSizes },
		},
		{
			"33-optional-sizes", 33, []string{"COST-112"}, "cel-go 0.23", Verdict,
			"A comparison of optional values is charged by the sizes of their values. " +
				"Before, an optional value had the size 1.",
			func(p *Profile) *bool { return &p.OptionalSizes },
		},
		{
			"33-storedversions-text", 33, []string{"CRD-110"}, "", Text,
			"The error for a missing stored version says why it must be kept.",
			func(p *Profile) *bool { return &p.StoredVersionReasons },
		},
	}
}

func changesOf32() []Change {
	return []Change{
		{
			"32-format-new", 32, []string{"LIB-060", "COST-105"}, "#123572", Verdict,
			"New expressions have the library of named formats.", nil,
		},
		{
			"32-reserved-new", 32, []string{"CEL-022", "CEL-031"}, "#126188", Verdict,
			"New expressions may select fields that are named like reserved words.", nil,
		},
		{
			"32-twovar-stored", 32, []string{"LIB-001", "LIB-005"}, "#128593", Verdict,
			"Stored expressions have macros of two variables.", nil,
		},
		{
			"32-opaque-eq-cost", 32, []string{"COST-102", "COST-103", "COST-104", "COST-105"},
			"#126359", Verdict,
			"== of quantities, addresses, networks, URLs and formats costs little.",
			func(p *Profile) *bool { return &p.OpaqueEquality },
		},
		{
			"32-containscidr", 32, []string{"LIB-054"}, "#130450", Verdict,
			"containsCIDR masks both networks with the prefix of the first.",
			func(p *Profile) *bool { return &p.MaskedCIDRs },
		},
		{
			"32-indexof-oob", 32, []string{"LIB-002"}, "cel-go 0.22", Verdict,
			"indexOf past the end returns -1. Before, it failed.",
			func(p *Profile) *bool { return &p.IndexOfPastEnd },
		},
		{
			"32-optmap", 32, []string{"LIB-006"}, "cel-go 0.22", Verdict,
			"optMap and optFlatMap take receivers like optional.none() and results of macros. " +
				"Before, the type checker rejected them.",
			func(p *Profile) *bool { return &p.CopiedReceivers },
		},
		{
			"32-toolong-text", 32, []string{"VAL-005", "VAL-040", "VAL-041"}, "", Text,
			"Errors about long values count bytes.",
			func(p *Profile) *bool { return &p.MaximumBytes },
		},
	}
}

func changesOf31() []Change {
	return []Change{
		{
			"31-nested-options", 31, []string{
				"STR-028", "STR-062", "STR-092", "STR-095", "STR-100", "STR-101", "VAL-097",
				"CEL-061",
			}, "#124381", Verdict,
			"additionalProperties: false in junctors has no effect. " +
				"An update may keep rules and additionalProperties in junctors.",
			func(p *Profile) *bool { return &p.NestedOptions },
		},
		{
			"31-status-path", 31, []string{"RAT-040", "RAT-041", "PIPE-030"}, "", Verdict,
			"Errors of an update of the status have paths that start with status.",
			func(p *Profile) *bool { return &p.StatusPaths },
		},
		{
			"31-cabundle", 31, []string{"CRD-094"}, "#124061", Verdict,
			"An update may not make a valid CA bundle invalid.",
			func(p *Profile) *bool { return &p.CABundleOnUpdate },
		},
		{
			"31-selectable-on", 31, []string{"CRD-080", "CRD-081", "CRD-082", "CRD-083"},
			"#122717", Verdict,
			"A new definition keeps its selectableFields.",
			func(p *Profile) *bool { return &p.SelectableFieldsKept },
		},
		{
			"31-ip-new", 31, []string{"LIB-050", "LIB-052"}, "", Verdict,
			"New expressions have the libraries of IP addresses and networks.", nil,
		},
		{
			"31-format-stored", 31, []string{"LIB-060"}, "#123572", Verdict,
			"Stored expressions have the library of named formats.", nil,
		},
		{
			"31-format-literal", 31, []string{"LIB-002"}, "cel-go 0.20", Verdict,
			"Literals that do not fit the format string of format() do not compile.",
			func(p *Profile) *bool { return &p.FormatLiterals },
		},
		{
			"31-optional-text", 31, []string{"CEL-091", "LIB-006"}, "cel-go 0.20", Verdict,
			"The type of optional values is named optional_type. Before, it was optional.",
			func(p *Profile) *bool { return &p.OptionalTypeName },
		},
		{
			"31-reserved-stored", 31, []string{"CEL-022"}, "#126188", Verdict,
			"Stored expressions may select fields that are named like reserved words.", nil,
		},
		{
			"31-msgexpr-ratchet", 31, []string{"CRD-420", "CRD-421", "CEL-003"}, "", Verdict,
			"An update may keep a messageExpression that only stored expressions may have.",
			func(p *Profile) *bool { return &p.MessageExpressionsRatchet },
		},
		{
			"31-error-selections", 31, []string{"CEL-041", "CEL-064", "CEL-101"}, "cel-go 0.20",
			Verdict, "A field or an item of a value of the wrong type costs nothing. " +
				"Before, the first one cost 1.",
			func(p *Profile) *bool { return &p.FreeErrorSelections },
		},
	}
}

func changesOf30() []Change {
	return []Change{
		{
			"30-ratcheting", 30, []string{"RAT-001", "RAT-035", "CEL-110", "CEL-114"}, "#118990",
			Verdict,
			"Errors of values that an update does not change are ratcheted.",
			func(p *Profile) *bool { return &p.SchemaRatcheting },
		},
		{
			"30-field-paths", 30, []string{"CEL-080", "CEL-082"}, "", Verdict,
			"A failed rule is reported at its own fieldPath. " +
				"Before, it was below the fieldPaths of the failed rules before it.",
			func(p *Profile) *bool { return &p.SeparateFieldPaths },
		},
		{
			"30-optional-oldself", 30, []string{"CEL-100", "CEL-067", "CRD-215"}, "#118990",
			Verdict,
			"Rules may have optionalOldSelf.",
			func(p *Profile) *bool { return &p.OptionalOldSelf },
		},
		{
			"30-selectable-api", 30, []string{"CRD-080", "CRD-418"}, "#122717", Verdict,
			"selectableFields is a field of the API.",
			func(p *Profile) *bool { return &p.SelectableFieldsKnown },
		},
		{
			"30-ip-stored", 30, []string{"LIB-050", "LIB-052"}, "#121912", Verdict,
			"Stored expressions have the libraries of IP addresses and networks.", nil,
		},
		{
			"30-129libs-new", 30, []string{"CEL-004", "CEL-010", "LIB-002", "LIB-004"},
			"#122518, #121577", Verdict,
			"New expressions have sets and format(), and their literals are checked.", nil,
		},
		{
			"30-map-cost", 30, []string{"COST-010", "COST-023"}, "cel-go 0.17.8", Verdict,
			"Estimates give the result of a macro the size of its list. " +
				"Before, filter() and map() returned lists of any size.",
			func(p *Profile) *bool { return &p.LoopSizes },
		},
		{
			"30-quantity-cost", 30, []string{"COST-103"}, "", Verdict,
			"quantity and isQuantity are charged by the length of the text.",
			func(p *Profile) *bool { return &p.QuantityLengths },
		},
	}
}
