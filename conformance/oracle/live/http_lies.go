package live

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

// lieKey is the annotation of an object that says how the conversion webhook
// lies about it: both servers ask the same webhook about the same object.
const lieKey = "lie"

// review is a ConversionReview as JSON has it.
type review = map[string]any

// lies are the ways in which a conversion webhook lies, or fails. Each changes
// the answer, which is right before.
var lies = []func(w http.ResponseWriter, answer review){
	func(_ http.ResponseWriter, a review) { converted(a, []any{}) },
	func(_ http.ResponseWriter, a review) {
		list := child(a, "response")["convertedObjects"].([]any)
		converted(a, append(list, list...))
	},
	func(_ http.ResponseWriter, a review) { converted(a, []any{nil}) },
	func(_ http.ResponseWriter, a review) { first(a)["kind"] = "Other" },
	func(_ http.ResponseWriter, a review) { first(a)["apiVersion"] = "other.example.com/v1" },
	func(_ http.ResponseWriter, a review) { child(first(a), "metadata")["name"] = "other" },
	func(_ http.ResponseWriter, a review) { child(first(a), "metadata")["namespace"] = "other" },
	func(_ http.ResponseWriter, a review) { child(first(a), "metadata")["uid"] = "other" },
	func(_ http.ResponseWriter, a review) { delete(first(a), "metadata") },
	func(_ http.ResponseWriter, a review) { first(a)["metadata"] = "text" },
	func(_ http.ResponseWriter, a review) { child(first(a), "metadata")["labels"] = "text" },
	func(_ http.ResponseWriter, a review) {
		child(first(a), "metadata")["labels"] = map[string]any{"a b": "c"}
	},
	func(_ http.ResponseWriter, a review) {
		child(a, "response")["result"] = map[string]any{"status": "Failure", "message": "I will not"}
	},
	func(_ http.ResponseWriter, a review) {
		child(a, "response")["result"] = map[string]any{"status": "Failure"}
	},
	func(_ http.ResponseWriter, a review) { delete(a, "response") },
	func(_ http.ResponseWriter, a review) { child(a, "response")["uid"] = "other" },
	func(_ http.ResponseWriter, a review) { a["apiVersion"] = "apiextensions.k8s.io/v9" },
	func(_ http.ResponseWriter, a review) { converted(a, map[string]any{}) },
	func(_ http.ResponseWriter, a review) { converted(a, "text") },
	func(w http.ResponseWriter, a review) {
		clear(a)
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, "I am ill")
	},
	func(w http.ResponseWriter, a review) {
		clear(a)
		w.Header().Set("Content-Type", mediaJSON)
		w.WriteHeader(http.StatusOK)
	},
	func(w http.ResponseWriter, a review) { w.Header().Set("Content-Type", "text/plain") },
	func(_ http.ResponseWriter, a review) { first(a)["spec"] = "text" },
	func(_ http.ResponseWriter, a review) {
		metadata := child(first(a), "metadata")
		metadata["creationTimestamp"], metadata["finalizers"] = nil, []any{"example.com/lie"}
		metadata["generation"], metadata["managedFields"] = 99, []any{}
	},
	func(_ http.ResponseWriter, a review) {
		delete(child(first(a), "metadata"), "annotations")
		delete(child(first(a), "metadata"), "labels")
	},
	func(_ http.ResponseWriter, a review) {
		first(a)["spec"] = map[string]any{"unknown": map[string]any{"a": nil}, "replicas": 7}
	},
}

// converted sets the objects of an answer.
func converted(answer review, objects any) {
	child(answer, "response")["convertedObjects"] = objects
}

// first returns the first object of an answer.
func first(answer review) map[string]any {
	list, _ := child(answer, "response")["convertedObjects"].([]any)
	if len(list) == 0 {
		return map[string]any{}
	}
	object, _ := list[0].(map[string]any)
	return object
}

// liar is a conversion webhook that changes the apiVersion, and lies about the
// objects that ask for it.
func liar(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	value, err := decodeJSON(body)
	if err != nil {
		return
	}
	sent, _ := value.(map[string]any)
	request := child(sent, "request")
	objects, _ := request["objects"].([]any)
	lie := 0
	for i := range objects {
		object, _ := objects[i].(map[string]any)
		annotations := child(child(object, "metadata"), "annotations")
		if n, err := strconv.Atoi(text(annotations, lieKey)); err == nil && lie == 0 {
			lie = n
		}
		object["apiVersion"] = request["desiredAPIVersion"]
	}
	answer := review{
		"apiVersion": sent["apiVersion"], "kind": sent["kind"],
		"response": map[string]any{
			"uid": request["uid"], "convertedObjects": objects,
			"result": map[string]any{"status": "Success"},
		},
	}
	if 0 < lie && lie <= len(lies) {
		lies[lie-1](w, answer)
	}
	if len(answer) == 0 { // it is written
		return
	}
	if out, err := json.Marshal(answer); err == nil {
		_, _ = w.Write(out)
	}
}

// attachLiar makes the liar the webhook of a definition that has one.
func attachLiar(h *hooks, r *resource) {
	stanza := child(child(r.object, "spec"), "conversion")
	if stanza == nil {
		return
	}
	h.lies.Do(func() { h.mux.HandleFunc("/liar", liar) })
	child(stanza, "webhook")["clientConfig"] = map[string]any{
		"url": h.url + "/liar", "caBundle": h.caBundle,
	}
}
