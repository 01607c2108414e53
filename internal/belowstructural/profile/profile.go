package profile

import (
	"fmt"
	"reflect"
	"strconv"
	"sync"
)

// Minor is a minor version of Kubernetes, e.g. 33 of 1.33.
type Minor uint8

// The minors that there are profiles for.
const (
	Oldest Minor = 30
	// Default is the newest minor that is released.
	Default Minor = 37
	// Newest is Default, or the minor after it while that is a beta.
	Newest Minor = 38
	// Offered is the newest minor that users can select.
	Offered = Newest
)

// String returns the minor as Kubernetes writes it, e.g. "1.33".
func (m Minor) String() string { return "1." + strconv.Itoa(int(m)) }

// Profile is what one minor does. Each field is a behavior of the newest minor;
// it is true in the minor of its change (see [Changes]) and in all later ones.
// A Profile is immutable. There is one for each minor, so profiles can be
// compared by their pointers.
type Profile struct {
	// Minor is the minor that the profile is of.
	Minor Minor

	Structural
	Definitions
	Values
	Bodies
	Metadata
	Merging
	Expressions
	Costs
	Texts
}

// Structural has the switches of structural schemas.
type Structural struct {
	// ExamplesAreGenerics makes example and externalDocs keywords like title.
	ExamplesAreGenerics bool
	// NestedOptions makes additionalProperties: false in junctors structural,
	// and runs the rules that a stored schema has in allOf.
	NestedOptions bool
}

// Definitions has the switches of the validation of definitions.
type Definitions struct {
	// SelectableFieldsKept keeps selectableFields of a new definition.
	SelectableFieldsKept bool
	// SelectableFieldsRatchet lets an update keep too many selectableFields.
	SelectableFieldsRatchet bool
	// ObservedGenerationKnown makes status.observedGeneration a field of the
	// API.
	ObservedGenerationKnown bool
	// CABundleOnUpdate checks the CA bundle of an update, and before a
	// definition is served.
	CABundleOnUpdate bool
	// MessageExpressionsRatchet lets an update keep a messageExpression that
	// only stored expressions may have.
	MessageExpressionsRatchet bool
	// StringFormatWarnings warns of unknown formats of strings.
	StringFormatWarnings bool
	// TypedFormatWarnings warns of unknown formats of every type.
	TypedFormatWarnings bool
	// SetWarnings warns of sets of objects and lists.
	SetWarnings bool
}

// Values has the switches of the validation of values.
type Values struct {
	// StatusRatcheting drops errors of values that an update of the status does
	// not change.
	StatusRatcheting bool
	// StatusPaths puts "status" before the paths of errors of a status.
	StatusPaths bool
	// TooShortType gives strings that are too short an error of this type.
	TooShortType bool
	// TooFewType does so for lists and objects with too few members.
	TooFewType bool
	// NumericFormats checks the formats of integers and numbers.
	NumericFormats bool
	// NameFormats checks the formats k8s-short-name and k8s-long-name.
	NameFormats bool
	// NameFormatsOfDefaults checks them in defaults of definitions.
	NameFormatsOfDefaults bool
	// RoundedMultiples rounds a quotient before multipleOf looks whether it is
	// an integer.
	RoundedMultiples bool
}

// Bodies has the switches of the bodies of requests.
type Bodies struct {
	// EncodedPatches refuses malformed YAML of a server-side apply, and a patch
	// that is no JSON, before the stored object is read.
	EncodedPatches bool
}

// Metadata has the switches of metadata.
type Metadata struct {
	// ReferenceFieldsRequired reports missing fields of owner references and of
	// managedFields as required, with their index.
	ReferenceFieldsRequired bool
	// DistinctErrors reports each error of the metadata once.
	DistinctErrors bool
	// DeclaredMetadata enforces the declarative rules of metadata.
	DeclaredMetadata bool
	// OmittedTimes leaves out a creationTimestamp that is not set. Without it,
	// the metadata of an object that was decoded has a null there.
	OmittedTimes bool
}

// Merging has the switches of server-side apply.
type Merging struct {
	// OmittedKeys lets items of list-maps omit some of their keys.
	OmittedKeys bool
	// StatusOfVersions keeps what managers of other versions own of metadata
	// and spec when the status is written.
	StatusOfVersions bool
	// KeepsManagers keeps the managedFields of the live object if those of an
	// update cannot be told.
	KeepsManagers bool
	// WholeElements refuses data behind the JSON of a path element of
	// managedFields.
	WholeElements bool
	// PlainElements does not escape characters in the path elements of
	// managedFields.
	PlainElements bool
}

// Expressions has the switches of CEL beyond the libraries, whose versions are
// in the catalogue of CEL functions.
type Expressions struct {
	// QuotedIdentifiers parses identifiers in backticks.
	QuotedIdentifiers bool
	// FormatLiterals checks literals of format() when a rule compiles.
	FormatLiterals bool
	// ScalarSets compares set and map lists without regard to repeated items,
	// and adds them to sets.
	ScalarSets bool
	// NullFieldsEqual makes objects with a null field equal to themselves.
	NullFieldsEqual bool
	// MaskedCIDRs masks the prefix of a network that containsCIDR is asked for.
	MaskedCIDRs bool
	// IndexOfPastEnd makes indexOf and lastIndexOf past the end return -1.
	IndexOfPastEnd bool
	// CopiedReceivers copies the receivers of optMap and optFlatMap, which they
	// have twice.
	CopiedReceivers bool
	// LazyContents reads the receiver of optMap and optFlatMap a second time
	// only if their expression uses its value.
	LazyContents bool
	// DynamicSecondVariables types the second variable of a macro over a
	// dynamic value.
	DynamicSecondVariables bool
	// DenseScientific writes no spaces in numbers of format's %e.
	DenseScientific bool
	// OptionalTypeName names the type of optional values optional_type.
	OptionalTypeName bool
	// BoundedRanges rejects lists.range of negative and of large numbers.
	BoundedRanges bool
	// OptionalReceivers rejects or and orValue of values that are not optional.
	OptionalReceivers bool
	// OptionalContents reads the values of optional variables by their schema.
	OptionalContents bool
	// DurationArguments rejects duration of an integer when a rule compiles.
	DurationArguments bool
	// EmptySearches compares the offset of a search for an empty string with
	// the length of the string.
	EmptySearches bool
	// LastIndexOfEmpty makes lastIndexOf of an empty string return -1.
	LastIndexOfEmpty bool
	// ListErrors reports errors of the arguments of sortBy and flatten.
	ListErrors bool
	// UnorderedNaN makes comparisons with not-a-number false.
	UnorderedNaN bool
	// TypeParameters compares the types of two values by the values, too.
	TypeParameters bool
	// EmptyLoops goes through empty strings as through empty lists.
	EmptyLoops bool
	// StandardBase64 reads values of format byte as standard base64.
	StandardBase64 bool
	// WideIntegers takes quantities of 19 digits for integers.
	WideIntegers bool
	// BoundedQuantities bounds the exponents of quantities.
	BoundedQuantities bool
}

// Costs has the switches of the costs of expressions.
type Costs struct {
	// NameSizes knows how long metadata.name and generateName can be.
	NameSizes bool
	// IntOrStringSizes uses maxLength of x-kubernetes-int-or-string.
	IntOrStringSizes bool
	// OpaqueEquality estimates == of values of Kubernetes types as 1.
	OpaqueEquality bool
	// MatchesFunction charges matches(text, regex) like text.matches(regex).
	MatchesFunction bool
	// PrefixLengths charges startsWith and endsWith by their argument.
	PrefixLengths bool
	// KeptSizes estimates values behind dyn(), optionals and variables by their
	// sizes.
	KeptSizes bool
	// UnsizedMessages gives protobuf messages that an expression makes any
	// size.
	UnsizedMessages bool
	// OptionalSizes charges a comparison of optional values by the sizes of
	// their values.
	OptionalSizes bool
	// FreeErrorSelections charges nothing for a field or an item of a value of
	// the wrong type.
	FreeErrorSelections bool
	// NegativeFlattenDepths charges flatten of a negative depth as one level.
	NegativeFlattenDepths bool
	// NoNegativeDepths charges flatten of a negative depth as no level.
	NoNegativeDepths bool
	// ComputedSizes estimates as cel-go 0.33 does.
	ComputedSizes bool
	// URLSizes knows how long the parts of a URL can be.
	URLSizes bool
	// StopsAtErrors charges nothing for a call with an argument that is an
	// error.
	StopsAtErrors bool
	// ConditionalTests charges has() of a field of a conditional by its parts.
	ConditionalTests bool
	// UnsizedOptionals charges 1 for a comparison of optional values.
	UnsizedOptionals bool
}

// Texts has the switches of messages.
type Texts struct {
	// RuleValues shows scalars in failures of rules, and no lists and objects.
	RuleValues bool
	// JSONValues shows objects, lists and the like as JSON, not as Go prints
	// them.
	JSONValues bool
	// ShortDetails leaves out what the rest of an error says.
	ShortDetails bool
	// MaximumBytes says "may not be more than 5 bytes".
	MaximumBytes bool
	// NameBytes says how many bytes a label may have instead of characters,
	// and calls a qualified name a label key.
	NameBytes bool
	// StoredVersionReasons says why a stored version must be kept.
	StoredVersionReasons bool
	// NestedDecodePaths names fields below items and additionalProperties in
	// errors of decoding.
	NestedDecodePaths bool
	// RegistryAt110 names line 110 of scheme.go in errors about unknown kinds.
	RegistryAt110 bool
	// QuotedTokens names a backtick an unsupported syntax, and shows percent
	// signs in errors of syntax. Without it, a backtick is no token, and what
	// follows a percent sign is read as a verb.
	QuotedTokens bool
	// RegistryMoved names line 111 of scheme.go in errors about unknown kinds.
	RegistryMoved bool
	// InterruptionCauses says why an evaluation was interrupted.
	InterruptionCauses bool
	// NamelessContainer leaves the container out of errors about undeclared
	// names.
	NamelessContainer bool
	// Suggestions suggests names for undeclared ones.
	Suggestions bool
	// SecondJSON words errors of JSON as encoding/json of Go 1.27 does.
	SecondJSON bool
	// RegistryMovedBack names line 110 of it again.
	RegistryMovedBack bool
}

// all returns the profiles, the oldest first.
var all = sync.OnceValue(func() []*Profile {
	changes := Changes()
	var out []*Profile
	for m := Oldest; m <= Newest; m++ {
		p := &Profile{Minor: m}
		for _, c := range changes {
			if c.Switch != "" {
				reflect.ValueOf(p).Elem().FieldByName(c.Switch).SetBool(m >= c.Since)
			}
		}
		out = append(out, p)
	}
	return out
})

// Latest returns the profile of the newest minor that is released, which all
// stages have without an option.
func Latest() *Profile { return Of(Default) }

// Of returns the profile of a minor, nil if it has no profile.
func Of(m Minor) *Profile {
	if m < Oldest || m > Newest {
		return nil
	}
	return all()[m-Oldest]
}

// Parse returns the profile of a minor, e.g. "1.33". The error says which
// minors there are.
func Parse(text string) (*Profile, error) {
	for _, p := range all() {
		if p.Minor.String() == text && p.Minor <= Offered {
			return p, nil
		}
	}
	return nil, fmt.Errorf("unknown Kubernetes minor %q: expected %s to %s", text, Oldest, Offered)
}

// Resolve is like Parse, but an empty text is the newest minor.
func Resolve(text string) (*Profile, error) {
	if text == "" {
		return Latest(), nil
	}
	return Parse(text)
}

// Named is like Resolve for callers without errors: an unknown minor is the
// newest one.
func Named(text string) *Profile {
	if p, err := Resolve(text); err == nil {
		return p
	}
	return Latest()
}
