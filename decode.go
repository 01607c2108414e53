package crdsem

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/base/yamljson"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

// Decoding has a fast way and an exact way. The fast way takes what plainly
// decodes. Everything else is decoded exactly: step by step as in the server,
// for the sake of its error texts. Both give the same object.

// decode decodes the body of the request (step 1). kind and apiVersion of the
// object must be strings.
func (r *request) decode() bool {
	switch {
	case r.source.isDecoded():
		return true
	case r.source == fromPatch:
		return r.decodePatched()
	case r.source == fromBody:
		return r.decodeBody()
	}
	if root, ok := metadata.NormalRoot(r.given); ok && !hasTypeInOtherCase(r.given) {
		r.decoded = newUnchecked(root, r.given)
		return true
	}
	if err := checkValues(r.given); err != nil {
		return r.refuse(err)
	}
	if hasPlainType(r.given) {
		r.decoded = newDecoded(r.given)
		return true
	}
	data, err := jsonvalue.EncodeJSON(r.given)
	if err != nil {
		return r.refuse(&ValueError{err})
	}
	r.body, r.choices.format = data, JSON
	return r.decodeBody()
}

// decodeBody decodes bytes that a client sent.
func (r *request) decodeBody() bool {
	object, strict, err := r.version.decodeBytes(r.body, &r.choices)
	if err != nil {
		return r.refuse(err)
	}
	r.decoded, r.strict = newDecoded(object), strict
	r.decoded.owned = true
	return true
}

// refuseBody ends the request with an error of steps 2 to 7 in the frame that
// the server gives it. The rule is that of an error without a rule of its own.
func (r *request) refuseBody(rule string, err error) bool {
	switch err.(type) {
	case nil:
		return true
	case *ValueError, *LimitError:
		return r.refuse(err)
	}
	if r.source == fromPatch {
		return r.refuse(invalidPatch(ruleOf(err, rule), r.body, err))
	}
	return r.refuse(r.version.unhandled(rule, claimOf(r.decoded.object), err))
}

// decoded is an object in steps 2 to 6. Requests, stored objects and converted
// objects all take them. The object that it starts from is not changed, unless
// it is owned.
type decoded struct {
	typeMeta
	object  map[string]any
	unknown []string // paths of the unknown fields that were removed
	changes []Change
	omitted omission
	state   metaState
	// unchecked is set by newUnchecked if the object may hold any Go value.
	// normalize reads it, and checks the values as it walks over them.
	unchecked bool
	// owned is set if nothing else has a part of the object: it was decoded
	// from bytes.
	owned bool
}

// metaState is what is known of the metadata of an object.
type metaState uint8

const (
	metaRaw    metaState = iota // not read yet
	metaRead                    // read, and not known to be in normal form
	metaNormal                  // in normal form
)

// newDecoded returns an object that holds JSON values only.
func newDecoded(object map[string]any) decoded { return decoded{object: object} }

// newUnchecked returns an object that may hold any Go value, except in its
// apiVersion, kind and metadata, which are in normal form
// (see [metadata.NormalRoot]).
func newUnchecked(root metadata.Root, object map[string]any) decoded {
	return decoded{
		typeMeta: typeMeta{root.Group, root.Version, root.Kind}, object: object,
		state: metaNormal, unchecked: true,
	}
}

// checkValues returns the error of an object that holds values that are not
// JSON, or that is nested too deep. It is a *[ValueError].
func checkValues(object map[string]any) error {
	if err := jsonvalue.Check(object); err != nil {
		return &ValueError{err}
	}
	return nil
}

// typeMeta is the type that a body claims to have, e.g. CronTab in version v1
// of stable.example.com.
type typeMeta struct{ group, version, kind string }

func (t typeMeta) groupVersion() string {
	if t.group == "" {
		return t.version
	}
	return t.group + "/" + t.version
}

// claimOf is the type that an object claims to have, as far as it can be read.
func claimOf(object map[string]any) typeMeta {
	kind, _ := object["kind"].(string)
	apiVersion, _ := object["apiVersion"].(string)
	group, version := typemeta.Split(apiVersion)
	return typeMeta{group, version, kind}
}

// decodeBytes decodes the body of a request. strict is what a strict decoder
// objects to. The error has the server's text.
func (v *Version) decodeBytes(
	data []byte, c *choices,
) (object map[string]any, strict []error, err error) {
	format := c.format
	if format == "" {
		format = formatOf(data)
	}
	decode := jsonvalue.DecodeYAML
	if format == JSON {
		decode = jsonvalue.DecodeJSON
	}
	value, strict, err := decode(data)
	if object, ok := value.(map[string]any); ok && err == nil && len(strict) == 0 &&
		hasPlainType(object) {
		return object, nil, nil
	}
	b := exactBody{version: v, data: data, json: data, format: format}
	return b.decode(c.fieldValidation)
}

func formatOf(data []byte) Encoding {
	if len(data) > 0 && data[0] == '{' {
		return JSON
	}
	return YAML
}

// hasPlainType reports whether an object states its type plainly, so that the
// server cannot fail to find out: kind and apiVersion are strings, kind is not
// empty, apiVersion is well-formed, and no other key differs from theirs only
// in case.
func hasPlainType(object map[string]any) bool {
	kind, ok := object["kind"].(string)
	if !ok || kind == "" {
		return false
	}
	apiVersion, present := object["apiVersion"]
	text, ok := apiVersion.(string)
	if present && !ok {
		return false
	}
	if _, _, err := metadata.ParseGroupVersion(text); err != nil {
		return false
	}
	return !hasTypeInOtherCase(object)
}

// hasTypeInOtherCase reports whether an object has a key that differs from kind
// or apiVersion only in case, e.g. Kind.
func hasTypeInOtherCase(object map[string]any) bool {
	for key := range object {
		if key == "" || key == "kind" || key == "apiVersion" {
			continue
		}
		switch first := key[0]; {
		case first == 'k', first == 'K', first == 'a', first == 'A',
			first >= utf8.RuneSelf: // the Kelvin sign folds to k
			if strings.EqualFold(key, "kind") || strings.EqualFold(key, "apiVersion") {
				return true
			}
		}
	}
	return false
}

// exactBody is a body that is decoded step by step as in the server.
type exactBody struct {
	version *Version
	data    []byte // as sent
	json    []byte
	format  Encoding
}

func (b *exactBody) decode(level Strictness) (map[string]any, []error, error) {
	var strict []error
	if b.format == YAML {
		var err error
		if b.json, err = yamljson.ToJSON(b.data); err != nil {
			return nil, nil, b.unrecognized("PIPE-005", err)
		}
		if _, err := yaml.YAMLToJSONStrict(b.data); err != nil {
			strict = append(strict, err)
		}
	}
	claimed, err := b.version.def.interpret(b.json)
	if err != nil {
		return nil, nil, b.unrecognized("PIPE-002", err)
	}
	claimed = b.version.complete(claimed)
	var object map[string]any
	duplicates, err := jsonvalue.UnmarshalStrict(b.json, &object)
	if err != nil {
		return nil, nil, b.version.unhandled("PIPE-002", claimed, err)
	}
	if kind, _ := object["kind"].(string); kind == "" {
		return nil, nil, b.missingKind(claimed, level)
	}
	return object, append(strict, duplicates...), nil
}

// missingKind is the error of an object without a kind. The server's strict
// decoder takes the kind from the object alone, and its other decoder from the
// URL.
func (b *exactBody) missingKind(claimed typeMeta, level Strictness) error {
	if level == Ignore {
		missing := missingKindError(strings.TrimSpace(string(b.json)))
		return b.version.unhandled("PIPE-010", claimed, missing)
	}
	return b.unrecognized("PIPE-010", missingKindError(b.data))
}

// missingKindError is the error of an object without a kind. It holds the text
// of the object.
type missingKindError string

func (e missingKindError) Error() string {
	return "Object 'Kind' is missing in '" + string(e) + "'"
}

// missingVersionError is the error of an object without an apiVersion. It holds
// what the server shows in place of the object's text.
type missingVersionError string

func (e missingVersionError) Error() string {
	return "Object 'apiVersion' is missing in '" + string(e) + "'"
}

// interpret finds out what a document claims to be. Here, and only here, the
// server reads keys in any case.
func (d *Definition) interpret(data []byte) (typeMeta, error) {
	found := struct {
		// +optional
		APIVersion string `json:"apiVersion,omitempty"`
		// +optional
		Kind string `json:"kind,omitempty"`
	}{}
	if err := json.Unmarshal(data, &found); err != nil {
		return typeMeta{}, fmt.Errorf("couldn't get version/kind; json parse error: %w",
			d.profile.JSONError(data, err))
	}
	group, version, err := metadata.ParseGroupVersion(found.APIVersion)
	if err != nil {
		return typeMeta{}, ruledError{err, "META-022"}
	}
	return typeMeta{group, version, found.Kind}, nil
}

// complete fills in what a claim leaves open.
func (v *Version) complete(t typeMeta) typeMeta {
	if t.kind == "" {
		t.kind = v.def.kind
	}
	if t.version == "" && (t.group == "" || t.group == v.def.group) {
		t.group, t.version = v.def.group, v.name
	}
	return t
}

// unhandled is the error of a body of a known type. The rule is that of an
// error without a rule of its own.
func (v *Version) unhandled(rule string, t typeMeta, err error) error {
	return unhandledAs(rule, t, v.def.kind, err)
}

// unhandledAs is the error of a body that is decoded as a kind.
func unhandledAs(rule string, t typeMeta, kind string, err error) error {
	const text = "%s in version %q cannot be handled as a %s: %v"
	return badRequest(ruleOf(err, rule), text, t.kind, t.version, kind, err)
}

// unrecognized is the error of a body whose type is not known. The rule is that
// of an error without a rule of its own.
func (b *exactBody) unrecognized(rule string, err error) error {
	const text = "the object provided is unrecognized (must be of type %s): %v (%s)"
	return badRequest(ruleOf(err, rule), text, b.version.def.kind, err, b.summary())
}

// summary shows the start of a body.
func (b *exactBody) summary() string {
	const longest = 30
	text, rest := b.data, ""
	if len(text) > longest {
		text, rest = text[:longest], " ..."
	}
	switch {
	case len(b.data) == 0:
		return "<empty>"
	case b.data[0] == '{':
		return string(text) + rest
	default:
		return hex.EncodeToString(text) + rest
	}
}
