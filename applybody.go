package crdsem

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/yamljson"
)

// configBody is the decoded body of a server-side apply. Its content type is
// YAML, so that a body that starts with { is YAML, too: 1.0 is the integer 1,
// and a comma may follow the last field.
type configBody struct {
	object map[string]any
	strict []error // repeated keys
	// unread is the error of a body that is refused before the stored object
	// is read, and malformed that of one that is refused afterwards.
	unread, malformed error
}

// decodeConfig decodes the configuration of an apply. An Object that was sent
// in place of a body needs no decoding.
func (v *Version) decodeConfig(q *Request) configBody {
	if q.Body == nil {
		return configBody{object: q.Object}
	}
	value, strict, err := jsonvalue.DecodeYAML(q.Body)
	object, ok := value.(map[string]any)
	if err == nil && (ok || value == nil) {
		return configBody{object: object, strict: strict}
	}
	format := "error decoding YAML: %v"
	if v.def.profile.EncodedPatches {
		format = "error decoding patch: %v"
		if err := encodingFault(q.Body); err != nil {
			return configBody{unread: badRequest(patchRule, "error encoding patch: %v", err)}
		}
	}
	return configBody{malformed: badRequest(patchRule, format, decodingFault(q.Body, err))}
}

// encodingFault returns the error of the server's log of requests, which has a
// patch as JSON. It takes a body that starts with { for JSON.
func encodingFault(body []byte) error {
	if jsonvalue.LooksLikeJSON(body) {
		return nil
	}
	_, err := yamljson.ToJSON(body)
	return err
}

// decodingFault returns the server's error of a body that is no object.
func decodingFault(body []byte, err error) error {
	text, conversion := yamljson.ToJSON(body)
	if conversion != nil {
		return fmt.Errorf("error converting YAML to JSON: %w", conversion)
	}
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if other := decoder.Decode(&object); other != nil {
		return fmt.Errorf("error unmarshaling JSON: while decoding JSON: %w", other)
	}
	return err
}

// strictConfig refuses or warns of repeated keys of a configuration. The server
// looks for them after the merge.
func (r *request) strictConfig(strict []error) error {
	if r.choices.fieldValidation == Ignore {
		return nil
	}
	for _, err := range strict {
		if r.choices.fieldValidation != Strict {
			r.warn(jsonvalue.SplitYAMLErrors(err.Error())...)
			continue
		}
		format := "error strict decoding YAML: error converting YAML to JSON: %v"
		if r.version.def.profile.EncodedPatches {
			format = "error strict decoding patch: error converting YAML to JSON: %v"
		}
		return badRequest(patchRule, format, err)
	}
	return nil
}
