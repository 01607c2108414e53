package conversionreview_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/conformance/vectors"
	"github.com/crdsem/crdsem/internal/chapter/conversionreview"
	"github.com/crdsem/crdsem/internal/chapter/profile"
)

// The errors of decoding an answer are those of the server (CONV-026).
func TestDecodeResponseAsTheServer(t *testing.T) {
	type input struct {
		Strategy       any      `json:"strategy"`
		Group          any      `json:"group"`
		Versions       any      `json:"versions"`
		ReviewVersions []string `json:"conversionReviewVersions"`
		Object         any      `json:"object"`
		To             any      `json:"to"`
		Response       struct {
			Status int    `json:"status"`
			Body   string `json:"body"`
		} `json:"response"`
	}
	type answer struct {
		Headers any    `json:"headers"`
		Object  any    `json:"object"`
		Request any    `json:"request"`
		Error   string `json:"error"`
	}
	decoded, refused := 0, 0
	for _, c := range vectors.Cases[input, answer](t, "webhookConversion") {
		body := strings.ReplaceAll(c.Input.Response.Body, "$UID", "u")
		if body == "" || c.Input.Response.Status >= 300 ||
			!conversionreview.Supports(c.Input.ReviewVersions[0]) {
			continue
		}
		_, err := conversionreview.DecodeResponse(
			[]byte(body), c.Input.ReviewVersions[0], profile.Latest())
		_, reason, _ := strings.Cut(c.Want.Error, " failed: ")
		switch {
		case err != nil && strings.ReplaceAll(reason, "$UID", "u") != err.Error():
			t.Errorf("%s: %v, want %s", c.ID, err, c.Want.Error)
		case err != nil:
			refused++
		case strings.Contains(reason, "cannot unmarshal"), strings.Contains(reason, "no kind "):
			t.Errorf("%s: decoded, want %s", c.ID, c.Want.Error)
		default:
			decoded++
		}
	}
	if decoded < 80 || refused < 10 {
		t.Errorf("only %d answers were decoded and %d refused", decoded, refused)
	}
}

// A request is decoded as it was encoded, in both versions.
func TestRequests(t *testing.T) {
	request := conversionreview.Request{
		UID: "u", DesiredAPIVersion: "g.io/v2",
		Objects: []map[string]any{{"kind": "K", "n": int64(1)<<53 + 1}},
	}
	for _, version := range conversionreview.Versions() {
		text, err := conversionreview.EncodeRequest(version, request)
		if err != nil {
			t.Fatal(err)
		}
		review, err := conversionreview.DecodeRequest(text)
		if err != nil {
			t.Fatal(err)
		}
		want := &conversionreview.ConversionRequest{
			UID: "u", DesiredAPIVersion: "g.io/v2",
			Objects: []conversionreview.RawExtension{
				conversionreview.RawExtension(`{"kind":"K","n":9007199254740993}`),
			},
		}
		if diff := cmp.Diff(want, review.Request); diff != "" {
			t.Errorf("%s: %s", version, diff)
		}
	}
	request.Objects[0]["n"] = func() {}
	if text, err := conversionreview.EncodeRequest("v1", request); err == nil || text != nil {
		t.Errorf("a function is written: %s", text)
	}
	for name, text := range map[string]string{
		"no JSON":         `{`,
		"another kind":    `{"kind":"List","apiVersion":"apiextensions.k8s.io/v1","request":{}}`,
		"another version": `{"kind":"ConversionReview","apiVersion":"g.io/v1","request":{}}`,
		"no request":      `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}`,
	} {
		if _, err := conversionreview.DecodeRequest([]byte(text)); err == nil {
			t.Errorf("%s is decoded", name)
		}
	}
}

// An answer is decoded as it was encoded.
func TestResponses(t *testing.T) {
	object, err := conversionreview.EncodeObject(map[string]any{"kind": "K"})
	if err != nil {
		t.Fatal(err)
	}
	want := &conversionreview.ConversionResponse{
		UID: "u", ConvertedObjects: []conversionreview.RawExtension{object},
		Result: conversionreview.Status{Status: conversionreview.Success, Message: "a\"b"},
	}
	const version = conversionreview.Group + "/v1"
	text, err := conversionreview.EncodeResponse(version, want)
	if err != nil {
		t.Fatal(err)
	}
	review, err := conversionreview.DecodeResponse(text, "v1", profile.Latest())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, review.Response); diff != "" {
		t.Error(diff)
	}
}

// Answers in YAML are those in JSON, up to a length.
func TestYAML(t *testing.T) {
	const text = "apiVersion: apiextensions.k8s.io/v1\nkind: ConversionReview\n" +
		"response:\n  uid: u\n  convertedObjects: [{kind: K}, null]\n"
	review, err := conversionreview.DecodeResponse([]byte(text), "v1", profile.Latest())
	if err != nil {
		t.Fatal(err)
	}
	objects, err := json.Marshal(review.Response.ConvertedObjects)
	if err != nil || string(objects) != `[{"kind":"K"},null]` {
		t.Errorf("%s, %v", objects, err)
	}
	long := text + strings.Repeat("#\n", 1<<19)
	if _, err := conversionreview.DecodeResponse([]byte(long), "v1", profile.Latest()); err == nil {
		t.Error("1 MB of YAML is decoded")
	}
	if _, failed := conversionreview.DecodeStatus([]byte(long)); failed {
		t.Error("1 MB of YAML is a Status")
	}
}

// An answer that is no review of the version is refused.
func TestOtherAnswers(t *testing.T) {
	const group = conversionreview.Group
	typed := func(apiVersion, kind, more string) string {
		return `{"apiVersion":"` + apiVersion + `","kind":"` + kind + `"` + more + `}`
	}
	noKind := func(version, kind string) string {
		return `no kind "` + kind + `" is registered for version "` + version +
			`" in scheme "pkg/runtime/scheme.go:111"`
	}
	for text, want := range map[string]string{
		typed(group+"/v1", "ConversionReview", ""): "",
		`{"response":{}}`:                          "",
		`{"apiVersion":"apiextensions.k8s.io"}`:    noKind("apiextensions.k8s.io", "ConversionReview"),
		`{"apiVersion":"v1"}`:                      noKind("v1", "ConversionReview"),
		`{"apiVersion":"g.io/"}`:                   "Object 'apiVersion' is missing in '{\"apiVersion\":\"g.io/\"}'",
		`{"apiVersion":"/v1"}`:                     noKind("v1", "ConversionReview"),
		`{"apiVersion":"a/b/c"}`:                   "unexpected GroupVersion string: a/b/c",
		`{`:                                        "couldn't get version/kind; json parse error: unexpected end of JSON input",
		typed(group+"/v1beta1", "ConversionReview", ""): "converting (v1beta1.ConversionReview) to " +
			"(v1.ConversionReview): unknown conversion",
		typed(group+"/v1beta1", "CustomResourceDefinition", ""): "converting (v1beta1.CustomResourceDefinition) " +
			"to (v1.ConversionReview): unknown conversion",
		typed(group+"/v1", "CustomResourceDefinitionList", ""): "converting (v1.CustomResourceDefinitionList) " +
			"to (v1.ConversionReview): unknown conversion",
		typed(group+"/v1beta1", "WatchEvent", ""):               "converting (v1.WatchEvent) to (v1.ConversionReview): unknown conversion",
		typed("v1", "Status", ""):                               "converting (v1.Status) to (v1.ConversionReview): unknown conversion",
		typed("g.io/v7", "Status", ""):                          "converting (v1.Status) to (v1.ConversionReview): unknown conversion",
		typed("g.io/v7", "WatchEvent", ""):                      noKind("g.io/v7", "WatchEvent"),
		typed(group+"/v2", "ConversionReview", `,"response":1`): noKind(group+"/v2", "ConversionReview"),
		typed(group+"/__internal", "X", ""): `no kind "X" is registered for the internal version of ` +
			`group "apiextensions.k8s.io" in scheme "pkg/runtime/scheme.go:111"`,
		typed(group+"/v1", "ConversionReview", `,"response":1`): "json: cannot unmarshal number into " +
			"Go struct field ConversionReview.response of type v1.ConversionResponse",
		typed(group+"/v1beta1", "ConversionReview", `,"response":1`): "json: cannot unmarshal number into " +
			"Go struct field ConversionReview.response of type v1beta1.ConversionResponse",
		typed(group+"/v1", "ConversionReview", `,"response":{"result":1}`): "json: cannot unmarshal number " +
			"into Go struct field ConversionResponse.response.result of type v1.Status",
		typed(group+"/v1", "ConversionReview", `,"response":{"uid":1}`): "json: cannot unmarshal number " +
			"into Go struct field ConversionResponse.response.uid of type types.UID",
	} {
		_, err := conversionreview.DecodeResponse([]byte(text), "v1", profile.Latest())
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// Only a Status of a failure is one; other bodies are not.
func TestDecodeStatus(t *testing.T) {
	for text, want := range map[string]bool{
		`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m"}`: true,
		`{"kind":"Status","apiVersion":"v1","status":"Success"}`:               false,
		`{"kind":"Pod","apiVersion":"v1","status":"Failure"}`:                  false,
		`{"kind":"Status","apiVersion":"a/b/c","status":"Failure"}`:            false,
		"kind: Status\napiVersion: v1\nstatus: Failure\nmessage: m\n":          true,
		`<html>`: false,
		``:       false,
	} {
		status, failed := conversionreview.DecodeStatus([]byte(text))
		if failed != want || failed && status.Message != "m" {
			t.Errorf("%s: %v, %+v", text, failed, status)
		}
	}
}

// An object needs a kind and an apiVersion that parses.
func TestDecodeObject(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"kind":"K","apiVersion":"g.io/v1"}`: true,
		`{"kind":"K"}`:                        true,
		`{"apiVersion":"g.io/v1"}`:            false,
		`{"kind":1}`:                          false,
		`{"kind":"K","apiVersion":"a/b/c"}`:   false,
		`[]`:                                  false,
	} {
		if _, err := conversionreview.DecodeObject([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A CA bundle without a certificate that parses is refused, with the reason.
func TestCertPool(t *testing.T) {
	for bundle, want := range map[string]string{
		"":     "no valid certificate authority data seen",
		"text": "unable to parse bytes as PEM block",
		"-----BEGIN KEY-----\nYQ==\n-----END KEY-----\n":                 "no valid certificate",
		"-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n": "failed to parse certificate",
	} {
		pool, err := conversionreview.CertPool([]byte(bundle))
		if pool != nil || err == nil ||
			!strings.Contains(err.Error(), "unable to load root certificates: "+want) {
			t.Errorf("%q: %v, want %s", bundle, err, want)
		}
	}
}
