package crdsem

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/yamljson"
	"github.com/crdsem/crdsem/internal/metadata"
)

// typeMeta is the type that a body claims to have.
type typeMeta struct{ group, version, kind string }

func (t typeMeta) groupVersion() string {
	if t.group == "" {
		return t.version
	}
	return t.group + "/" + t.version
}

// isTypeOf tells whether an object was decoded as one of the version.
func (v *Version) isTypeOf(out *decoded) bool {
	return v.def.group != "" && out.group == v.def.group && out.version == v.name || out.groupVersion() == v.apiVersion
}

// parse decodes the body of a request. Its second result is what a strict decoder objects to; its error has the server's text.
func (v *Version) parse(data []byte, req *request) (map[string]any, []error, error) {
	format := req.format
	if format == "" {
		format = formatOf(data)
	}
	decode := jsonvalue.DecodeYAML
	if format == JSON {
		decode = jsonvalue.DecodeJSON
	}
	value, strict, err := decode(data)
	if object, ok := value.(map[string]any); ok && err == nil && len(strict) == 0 && hasPlainType(object) {
		return object, nil, nil
	}
	b := body{version: v, data: data, json: data, format: format}
	return b.parse(req.fieldValidation)
}

func formatOf(data []byte) Format {
	if len(data) > 0 && data[0] == '{' {
		return JSON
	}
	return YAML
}

// hasPlainType tells whether an object says clearly what it is, so that nothing that the server does to find out can fail: kind and
// apiVersion are strings, kind is not empty, apiVersion is well-formed, and no other key differs from theirs only in case.
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

// hasTypeInOtherCase tells whether an object has a key that differs from kind or apiVersion only in case.
func hasTypeInOtherCase(object map[string]any) bool {
	for key := range object {
		if key == "" || key == "kind" || key == "apiVersion" {
			continue
		}
		switch first := key[0]; {
		case first == 'k', first == 'K', first == 'a', first == 'A', first >= utf8.RuneSelf: // there is another letter that folds to k
			if strings.EqualFold(key, "kind") || strings.EqualFold(key, "apiVersion") {
				return true
			}
		}
	}
	return false
}

// body is the body of a request that needs a closer look: it is taken apart step by step as the server does it, for the sake of the error
// texts.
type body struct {
	version *Version
	data    []byte // as sent
	json    []byte
	format  Format
}

func (b *body) parse(level FieldValidation) (map[string]any, []error, error) {
	var strict []error
	if b.format == YAML {
		var err error
		if b.json, err = yamljson.ToJSON(b.data); err != nil {
			return nil, nil, b.unrecognized(err)
		}
		if _, err := yaml.YAMLToJSONStrict(b.data); err != nil {
			strict = append(strict, err)
		}
	}
	claimed, err := interpret(b.json)
	if err != nil {
		return nil, nil, b.unrecognized(err)
	}
	claimed = b.version.complete(claimed)
	var object map[string]any
	duplicates, err := kjson.UnmarshalStrict(b.json, &object)
	if err != nil {
		return nil, nil, b.version.unhandled(claimed, err)
	}
	if kind, _ := object["kind"].(string); kind == "" {
		return nil, nil, b.missingKind(claimed, level)
	}
	return object, append(strict, duplicates...), nil
}

// missingKind is the error of an object without a kind. The server's strict decoder takes the kind from the object alone, and its other
// decoder from the URL.
func (b *body) missingKind(claimed typeMeta, level FieldValidation) error {
	if level == Ignore {
		return b.version.unhandled(claimed, missingKindError(strings.TrimSpace(string(b.json))))
	}
	return b.unrecognized(missingKindError(b.data))
}

// missingKindError is the error of an object without a kind; it holds the object's text.
type missingKindError string

func (e missingKindError) Error() string { return "Object 'Kind' is missing in '" + string(e) + "'" }

// missingVersionError is the error of an object without an apiVersion; it holds what the server shows in place of its text.
type missingVersionError string

func (e missingVersionError) Error() string {
	return "Object 'apiVersion' is missing in '" + string(e) + "'"
}

// interpret finds out what a document claims to be. Here, and only here, the server reads keys in any case.
func interpret(data []byte) (typeMeta, error) {
	found := struct {
		// +optional
		APIVersion string `json:"apiVersion,omitempty"`
		// +optional
		Kind string `json:"kind,omitempty"`
	}{}
	if err := json.Unmarshal(data, &found); err != nil {
		return typeMeta{}, fmt.Errorf("couldn't get version/kind; json parse error: %w", err)
	}
	group, version, err := metadata.ParseGroupVersion(found.APIVersion)
	if err != nil {
		return typeMeta{}, err
	}
	return typeMeta{group, version, found.Kind}, nil
}

// complete fills what a claim leaves open with what is expected.
func (v *Version) complete(t typeMeta) typeMeta {
	if t.kind == "" {
		t.kind = v.def.kind
	}
	if t.version == "" && (t.group == "" || t.group == v.def.group) {
		t.group, t.version = v.def.group, v.name
	}
	return t
}

// unhandled is the error of a body of a known type.
func (v *Version) unhandled(t typeMeta, err error) error {
	return badRequest("%s in version %q cannot be handled as a %s: %v", t.kind, t.version, v.def.kind, err)
}

// unrecognized is the error of a body of which not even the type is known.
func (b *body) unrecognized(err error) error {
	return badRequest("the object provided is unrecognized (must be of type %s): %v (%s)", b.version.def.kind, err, b.summary())
}

// summary shows the start of a body.
func (b *body) summary() string {
	const most = 30
	text, rest := b.data, ""
	if len(text) > most {
		text, rest = text[:most], " ..."
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
