package conversionreview_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/belowfacade/conversionreview"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/internal/test/vectors"
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
		const sent = `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/%s","request":{` +
			`"uid":"u","desiredAPIVersion":"g.io/v2","objects":[{"kind":"K","n":9007199254740993}]},` +
			`"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}` + "\n"
		if want := strings.Replace(sent, "%s", version, 1); string(text) != want {
			t.Errorf("got %s, want %s", text, want)
		}
		if !conversionreview.Supports(version) || conversionreview.Supports(version+"1") {
			t.Errorf("%s is not supported, or %[1]s1 is", version)
		}
	}
	request.Objects[0]["n"] = func() {}
	if text, err := conversionreview.EncodeRequest("v1", request); err == nil || text != nil {
		t.Errorf("a function is written: %s", text)
	}
	const other = "want a ConversionReview of apiextensions.k8s.io/v1 or " +
		"apiextensions.k8s.io/v1beta1, got "
	const cannot = "decoding a ConversionReview: json: cannot unmarshal "
	for text, want := range map[string]string{
		`{`:  "decoding a ConversionReview: unexpected end of JSON input",
		`[]`: cannot + "array into Go value of type v1.ConversionReview",
		`{"request":1}`: cannot + "number into Go struct field ConversionReview.request of type " +
			"v1.ConversionRequest",
		`{"request":{"objects":{}}}`: cannot + "object into Go struct field " +
			"ConversionRequest.request.objects of type []runtime.RawExtension",
		`{"kind":"List","apiVersion":"apiextensions.k8s.io/v1","request":{}}`: other +
			`"List" of "apiextensions.k8s.io/v1"`,
		`{"kind":"ConversionReview","apiVersion":"g.io/v1","request":{}}`: other +
			`"ConversionReview" of "g.io/v1"`,
		`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}`: "the " +
			"ConversionReview has no request",
	} {
		if review, err := conversionreview.DecodeRequest([]byte(text)); review != nil ||
			err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
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
	const wrote = `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{` +
		`"uid":"u","convertedObjects":[{"kind":"K"}],"result":{"metadata":{},"status":"Success",` +
		`"message":"a\"b"}}}` + "\n"
	if string(text) != wrote {
		t.Errorf("got %s, want %s", text, wrote)
	}
	_, err = conversionreview.DecodeResponse(text, "v1beta1", profile.Latest())
	const refusal = "converting (v1.ConversionReview) to (v1beta1.ConversionReview): " +
		"unknown conversion"
	if err == nil || err.Error() != refusal {
		t.Errorf("of another version: %v, want %s", err, refusal)
	}
}

// What is no JSON is not written.
func TestNoJSON(t *testing.T) {
	text, err := conversionreview.EncodeObject(map[string]any{"a": func() {}})
	if text != nil || err == nil || err.Error() != "json: unsupported type: func()" {
		t.Errorf("%s, %v", text, err)
	}
	out, err := conversionreview.EncodeResponse("v1", &conversionreview.ConversionResponse{
		ConvertedObjects: []conversionreview.RawExtension{conversionreview.RawExtension("{")}})
	const want = "json: error calling MarshalJSON for type conversionreview.RawExtension: " +
		"unexpected end of JSON input"
	if out != nil || err == nil || err.Error() != want {
		t.Errorf("%s, %v, want %s", out, err, want)
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
	long := text + strings.Repeat("#", 1<<20-len(text))
	if _, err := conversionreview.DecodeResponse([]byte(long), "v1", profile.Latest()); err != nil {
		t.Error(err)
	}
	long += "#"
	const want = "an answer in YAML is longer than 1048576 bytes"
	_, err = conversionreview.DecodeResponse([]byte(long), "v1", profile.Latest())
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, failed := conversionreview.DecodeStatus([]byte(long)); failed {
		t.Error("YAML that is too long is a Status")
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
		`{"apiVersion":"apiextensions.k8s.io/"}`:   "",
		`{"kind":"X"}`:                             noKind(group+"/v1", "X"),
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
	for text, want := range map[string]string{
		`{"kind":"K","apiVersion":"g.io/v1"}`: "",
		`{"kind":"K"}`:                        "",
		`{"apiVersion":"g.io/v1"}`:            "missing",
		`{"kind":1}`:                          "missing",
		`{"kind":"K","apiVersion":"a/b/c"}`:   "missing",
		`[]`:                                  "json: cannot unmarshal array into Go value of type map[string]interface {}",
	} {
		if want == "missing" {
			want = "Object 'Kind' is missing in '" + text + "'"
		}
		object, err := conversionreview.DecodeObject([]byte(text))
		switch {
		case want != "" && (object != nil || err == nil || err.Error() != want):
			t.Errorf("%s: %v, %v, want %s", text, object, err, want)
		case want == "" && (object["kind"] != "K" || err != nil):
			t.Errorf("%s: %v, %v", text, object, err)
		}
	}
}

// certificate returns a certificate of its own, and one whose key is no point
// of its curve.
func certificate(t *testing.T) (good, bad []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	good, err = x509.CreateCertificate(rand.Reader, &x509.Certificate{SerialNumber: big.NewInt(1)},
		&x509.Certificate{}, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	outside := bytes.Repeat([]byte{0xff}, len(point))
	outside[0] = point[0]
	return good, bytes.Replace(good, point, outside, 1)
}

// A CA bundle without a certificate that parses is refused, with the reason
// that the first one has.
func TestCertPool(t *testing.T) {
	good, bad := certificate(t)
	block := func(kind string, content []byte, headers map[string]string) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content, Headers: headers}))
	}
	const none, broken = "no valid certificate authority data seen",
		"failed to parse certificate: x509: malformed certificate"
	key, short := block("KEY", []byte("a"), nil), block("CERTIFICATE", []byte("a"), nil)
	headed := block("CERTIFICATE", []byte("a"), map[string]string{"a": "b"})
	for bundle, want := range map[string]string{
		"": none, key: none, headed: none, key + headed: none, short: broken,
		key + headed + short: broken, short + "text": broken,
		"text":       "unable to parse bytes as PEM block",
		key + "text": "unable to parse bytes as PEM block",
		block("CERTIFICATE", bad, nil): "failed to parse certificate: invalid P256 element " +
			"encoding",
		block("CERTIFICATE", good, nil):                    "",
		"text\n" + short + block("CERTIFICATE", good, nil): "",
	} {
		pool, err := conversionreview.CertPool([]byte(bundle))
		switch {
		case want != "" && (pool != nil || err == nil ||
			err.Error() != "unable to load root certificates: "+want):
			t.Errorf("%q: %v, want %s", bundle, err, want)
		case want == "" && (err != nil || pool == nil || pool.Equal(x509.NewCertPool())):
			t.Errorf("%q: %v", bundle, err)
		}
	}
}
