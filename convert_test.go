package crdsem_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// None conversion changes apiVersion only, of objects and of lists, and goes to
// versions of the definition only (CONV-003, CONV-010).
func TestConvert(t *testing.T) {
	def := requests.Parse(t, requests.DefinitionText)
	ctx := context.Background()
	in := requests.Object(t, `{`+requests.Head+`,"spec":{"a":"x","junk":1}}`)
	out, err := def.Convert(ctx, in, "g.io/v2")
	if diff := cmp.Diff(requests.Object(t, `{"apiVersion":"g.io/v2","kind":"K","metadata":{"name":"n"},"spec":{"a":"x","junk":1}}`), out); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	list, err := def.ConvertList(ctx,
		requests.Object(t, `{"apiVersion":"g.io/v1","kind":"KList","items":[{`+requests.Head+`}]}`),
		"g.io/v1beta1")
	if err != nil || nested(list, "apiVersion") != "g.io/v1beta1" ||
		list["items"].([]any)[0].(map[string]any)["apiVersion"] != "g.io/v1beta1" {
		t.Errorf("%v %v", err, list)
	}
	for name, convert := range map[string]func(context.Context, map[string]any,
		string) (map[string]any, error){
		"Convert": def.Convert, "ConvertList": def.ConvertList,
	} {
		_, err := convert(ctx, map[string]any{"items": 1}, "g.io/v1")
		if _, ok := errors.AsType[*crdsem.ValueError](err); !ok {
			t.Errorf("%s of a value that is not JSON: %v", name, err)
		}
	}
	if r := def.Store(ctx,
		map[string]any{"spec": 1}); r.Stage != crdsem.StageDecode || r.Err() == nil ||
		!strings.HasPrefix(r.Err().Error(), "spec: a value of type int ") {
		t.Errorf("what is stored of a value that is not JSON: %v", r.Err())
	}
	if _, err := def.Convert(ctx, in, "g.io/v9"); err == nil ||
		err.Error() != "request to convert CR to an invalid group/version: g.io/v9" {
		t.Errorf("an unknown version: %v", err)
	}
}

// Of a context that ended, the result has the context's error, unless another
// one has nothing to do with it.
func TestConversionOfEndedContext(t *testing.T) {
	text := strings.Replace(requests.DefinitionText, `"scope": "Namespaced",`, `"scope": "Namespaced",
		"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com"}}},`, 1)
	cause, other := errors.New("cause"), errors.New("other")
	for _, failure := range []error{cause, context.Canceled, other} {
		ctx, cancel := context.WithCancelCause(t.Context())
		hook := conversion.WebhookFunc(func(context.Context, []byte) ([]byte, error) {
			cancel(cause)
			return nil, failure
		})
		def, err := crdsem.Parse([]byte(text), crdsem.ConversionWebhook(hook))
		if err != nil {
			t.Fatal(err)
		}
		v, err := def.Version("v1beta1")
		if err != nil {
			t.Fatal(err)
		}
		r := v.Read(ctx, requests.Object(t, `{`+requests.Head+`}`))
		if isOther := errors.Is(r.Err(), other); isOther != (failure == other) ||
			!isOther && r.Err() != context.Canceled || r.Stage != crdsem.StageDecode ||
			r.Object != nil {
			t.Errorf("%v: %s, %v", failure, r.Stage, r.Err())
		}
		r = v.Do(ctx, crdsem.Request{Verb: "upsert"})
		if _, ok := errors.AsType[*crdsem.RequestError](r.Err()); !ok {
			t.Errorf("a request that is none: %v", r.Err())
		}
	}
}

// A definition with a webhook asks it; without one, what needs a conversion
// fails and all else works.
func TestConversionWebhook(t *testing.T) {
	text := strings.Replace(requests.DefinitionText, `"scope": "Namespaced",`, `"scope": "Namespaced",
		"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com"}}},`, 1)
	stored := requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":"x"}}`)
	ctx := context.Background()
	read := func(options ...crdsem.DefinitionOption) *crdsem.Result {
		def, err := crdsem.Parse([]byte(text), options...)
		if err != nil {
			t.Fatal(err)
		}
		v, err := def.Version("v1beta1")
		if err != nil {
			t.Fatal(err)
		}
		return v.Read(ctx, stored)
	}
	if r := read(); !errors.Is(r.Err(), crdsem.ErrNoWebhook) ||
		r.Err().Error() != "conversion webhook for g.io/v1, Kind=K failed: no webhook was given" {
		t.Errorf("without a webhook: %v", r.Err())
	}
	if v, err := requests.Parse(t, text).Version("v1"); err != nil ||
		v.Read(ctx, stored).Err() != nil {
		t.Errorf("a read of the stored version needs a webhook (%v)", err)
	}
	hook, err := conversion.Pairwise(
		conversion.Route{
			From: "g.io/v1",
			To:   "g.io/v1beta1",
			Convert: func(_ context.Context, o map[string]any) (map[string]any, error) {
				o["spec"] = map[string]any{"a": "converted", "junk": "pruned afterwards"}
				return o, nil
			},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	r := read(crdsem.ConversionWebhook(hook))
	if r.Err() != nil || nested(r.Object, "spec", "a") != "converted" ||
		nested(r.Object, "spec", "junk") != nil {
		t.Errorf("%v %v", r.Err(), r.Object)
	}
}
