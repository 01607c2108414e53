package conversion

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/crdsem/crdsem/internal/belowfacade/conversionreview"
)

// convertByWebhook converts one object (CONV-021 to CONV-031).
func (c *Converter) convertByWebhook(
	ctx context.Context, object map[string]any, target groupVersion,
) (map[string]any, error) {
	version, err := c.reviewVersion()
	if err != nil {
		return nil, err
	}
	from := kindOf(object)
	if from.groupVersion == target {
		return object, nil
	}
	converted, err := c.exchange(ctx, from, version, request{target, []map[string]any{object}})
	if err != nil {
		return nil, err
	}
	out, err := conversionreview.DecodeObject(converted[0])
	if err != nil {
		return nil, ruled("CONV-030", err)
	}
	if err := checkType(object, out, target); err != nil {
		const text = "conversion webhook for %v returned invalid object at index 0: %v"
		return nil, refused("CONV-030", text, from, err)
	}
	if err := checkIdentity(object, out); err != nil {
		const text = "conversion webhook for %v returned invalid object: %v"
		return nil, refused("CONV-030", text, from, err)
	}
	if err := c.restoreMetadata(object, out); err != nil {
		const text = "conversion webhook for %v returned invalid metadata: %v"
		return nil, refused("CONV-031", text, from, err)
	}
	return out, nil
}

// convertListByWebhook converts the items of another version, in one review
// (CONV-021 to CONV-032).
func (c *Converter) convertListByWebhook(
	ctx context.Context, list map[string]any, items []map[string]any, target groupVersion,
) (map[string]any, error) {
	version, err := c.reviewVersion()
	if err != nil {
		return nil, err
	}
	values := make([]any, len(items))
	var places []int
	send := request{target: target}
	for i, item := range items {
		values[i] = item
		if stringAt(item, "apiVersion") != target.String() {
			places = append(places, i)
			send.objects = append(send.objects, item)
		}
	}
	out := maps.Clone(list)
	out["apiVersion"] = target.String()
	out["items"] = values
	if len(places) == 0 {
		return out, nil
	}
	from := kindOf(list)
	converted, err := c.exchange(ctx, from, version, send)
	if err != nil {
		return nil, err
	}
	for index, place := range places {
		at := itemPlace{from, index}
		item, err := c.checkedItem(send.objects[index], converted[index], target, at)
		if err != nil {
			return nil, err
		}
		values[place] = item
	}
	return out, nil
}

// itemPlace locates an item in error texts: the kind of the list, and the index
// of the item among those that were sent.
type itemPlace struct {
	list  groupVersionKind
	index int
}

// checkedItem decodes one converted item and checks it.
func (c *Converter) checkedItem(
	original map[string]any, text conversionreview.RawExtension, target groupVersion, at itemPlace,
) (map[string]any, error) {
	item, err := conversionreview.DecodeObject(text)
	if err == nil {
		err = checkType(original, item, target)
	}
	if err == nil {
		err = checkIdentity(original, item)
	}
	if err != nil {
		const text = "conversion webhook for %v returned invalid converted object at index %v: %v"
		return nil, refused("CONV-030", text, at.list, at.index, err)
	}
	if err := c.restoreMetadata(original, item); err != nil {
		const text = "conversion webhook for %v returned invalid metadata in object at index %v: %v"
		return nil, refused("CONV-031", text, at.list, at.index, err)
	}
	return item, nil
}

// reviewVersion returns the first of the webhook's review versions that the
// server sends (CONV-024).
func (c *Converter) reviewVersion() (string, error) {
	if i := slices.IndexFunc(c.spec.ReviewVersions, conversionreview.Supports); i >= 0 {
		return c.spec.ReviewVersions[i], nil
	}
	return "", refused("CONV-022", "no supported conversion review versions")
}

// request is what a webhook is asked to convert.
type request struct {
	target  groupVersion
	objects []map[string]any
}

// exchange sends a review and returns the converted objects, as many as were
// sent (CONV-025 to CONV-029).
func (c *Converter) exchange(
	ctx context.Context, from groupVersionKind, version string, send request,
) ([]conversionreview.RawExtension, error) {
	converted, err := c.call(ctx, version, conversionreview.Request{
		UID: c.spec.NewUID(), DesiredAPIVersion: send.target.String(), Objects: send.objects,
	})
	if err != nil {
		return nil, failed(from, err)
	}
	if len(converted) != len(send.objects) {
		const text = "conversion webhook for %v returned %d objects, expected %d"
		return nil, refused("CONV-029", text, from, len(converted), len(send.objects))
	}
	return converted, nil
}

// failed returns the error of an exchange. Its rule is that of its cause, if
// the cause has one.
func failed(from groupVersionKind, err error) error {
	return ruled("CONV-027", fmt.Errorf("conversion webhook for %v failed: %w", from, err))
}

// call sends a review and decodes the answer.
func (c *Converter) call(
	ctx context.Context, version string, r conversionreview.Request,
) ([]conversionreview.RawExtension, error) {
	text, err := conversionreview.EncodeRequest(version, r)
	if err != nil {
		return nil, err
	}
	answer, err := c.hook.Call(ctx, text)
	if err != nil {
		return nil, err
	}
	got, err := conversionreview.DecodeResponse(answer, version, c.profile)
	if err != nil {
		return nil, ruled("CONV-026", err)
	}
	return convertedObjects(got, version, r.UID)
}

// convertedObjects returns the objects of a response. It checks the response as
// a whole, in the server's order (CONV-028).
func convertedObjects(
	r *conversionreview.ConversionReview, version, uid string,
) ([]conversionreview.RawExtension, error) {
	if version == "v1" {
		want := groupVersionKind{groupVersion{conversionreview.Group, "v1"}, conversionreview.Kind}
		got := kindOf(map[string]any{"apiVersion": r.APIVersion, "kind": r.Kind})
		if got != want {
			return nil, refused("CONV-028", "expected webhook response of %v, got %v", want, got)
		}
	}
	if r.Response == nil {
		return nil, refused("CONV-028", "no response provided")
	}
	if got := string(r.Response.UID); version == "v1" && got != uid {
		return nil, refused("CONV-028", "expected response.uid=%q, got %q", uid, got)
	}
	if result := r.Response.Result; result.Status != conversionreview.Success {
		if result.Message != "" {
			return nil, ruled("CONV-028", errors.New(result.Message))
		}
		const text = "response.result.status was '%s', not 'Success'"
		return nil, refused("CONV-028", text, result.Status)
	}
	return r.Response.ConvertedObjects, nil
}
