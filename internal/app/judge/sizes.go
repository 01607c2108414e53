package judge

import (
	"fmt"
	"maps"
	"strings"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/manifest"
)

// The limits of bytes on the way to storage.
const (
	// maxRequest is the limit of a server for the body of a request
	// (MaxRequestBodyBytes of k8s.io/apiserver/pkg/server).
	maxRequest = 3 << 20
	// maxStored is the limit of etcd for a request, unless --max-request-bytes
	// says otherwise.
	maxStored = 3 << 19
	// maxAnnotations is the limit of all annotations of an object
	// (TotalAnnotationSizeLimitB of k8s.io/apimachinery/pkg/api/validation).
	maxAnnotations = 256 << 10
	// lastApplied is the annotation into which kubectl apply writes the object.
	lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
)

// measure adds findings about the size of a document: an error if it is more
// than a server takes, a warning if etcd or kubectl apply takes less. It
// reports whether a server takes it.
func (j *Judge) measure(
	r *verdict.Result, doc *manifest.Document, object map[string]any, isDefinition bool,
) bool {
	// A short text is no large object, unless it has aliases.
	isShort := doc.Data != nil && len(doc.Data) < maxAnnotations/4 && !hasAlias(doc)
	if isShort || r.APIVersion == "" || r.Kind == "" {
		return true
	}
	size := sizeOf(object)
	f := &Finder{Document: doc}
	what, cure := "object", keepLess
	if isDefinition {
		what, cure = "definition", cureOf(object, size)
	}
	switch {
	case size > maxRequest:
		r.Verdict = verdict.Refused
		r.Refusal = fmt.Sprintf("Request entity too large: limit is %d", maxRequest)
		finding := f.at(verdict.Error, doc.Start(), r.Refusal)
		finding.Rule, finding.Hint = "PIPE-002",
			fmt.Sprintf("the %s has %d bytes as JSON: %s", what, size, cure)
		r.Findings = append(r.Findings, finding)
		return false
	case size > maxStored:
		r.Findings = append(r.Findings, f.tooLargeForStorage(what, cure, size))
	}
	if n := applied(object, size); n > maxAnnotations && !j.Writing.isOne() &&
		j.Requests != UpdateStatus { // which kubectl apply does not write
		finding := f.at(verdict.Warning, doc.Start(), fmt.Sprintf("kubectl apply fails: it writes "+
			"the whole %s into an annotation, and annotations may have %d bytes: these would "+
			"have %d", what, maxAnnotations, n))
		finding.Hint = "use kubectl apply --server-side, or kubectl create and kubectl replace"
		if isDefinition {
			finding.Hint = "use kubectl apply --server-side, or " + cure
		}
		r.Findings = append(r.Findings, finding)
	}
	return true
}

// tooLargeForStorage warns of an object that is larger than etcd takes.
func (f *Finder) tooLargeForStorage(what, cure string, size int) verdict.Finding {
	finding := f.at(verdict.Warning, f.Document.Start(), fmt.Sprintf(
		"the %s has %d bytes as JSON, and etcd takes requests of %d bytes by default: "+
			"a server may answer \"etcdserver: request is too large\"", what, size, maxStored))
	finding.Hint = cure
	return finding
}

// grown warns if a patch or an apply makes the object larger than etcd takes.
func (q *Request) grown(r *verdict.Result, f *Finder, admitted map[string]any) {
	if !q.Writing.isOne() || sizeOf(q.Object) > maxStored {
		return
	}
	if size := sizeOf(admitted); size > maxStored {
		r.Findings = append(r.Findings, f.tooLargeForStorage("object with the change",
			keepLess, size))
	}
}

// keepLess says how an object gets smaller.
const keepLess = "keep less in it, e.g. refer to a ConfigMap or to files elsewhere"

// sizeOf returns the bytes of an object as JSON, 0 if it is none.
func sizeOf(object map[string]any) int {
	text, err := jsonvalue.EncodeJSON(object)
	if err != nil {
		return 0 // the error is reported later
	}
	return len(text)
}

// hasAlias reports whether the text of a document may repeat a value by an
// alias of YAML.
func hasAlias(doc *manifest.Document) bool { return strings.Contains(string(doc.Data), " *") }

// applied returns the number of bytes that the annotations of an object of a
// size have after kubectl apply. The annotation has the object without itself,
// and a line break.
func applied(object map[string]any, size int) int {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	total := 1 + len(lastApplied)
	for key, value := range annotations {
		if text, _ := value.(string); key != lastApplied {
			total += len(key) + len(text)
		}
	}
	if annotations[lastApplied] != nil {
		object, metadata = maps.Clone(object), maps.Clone(metadata)
		annotations = maps.Clone(annotations)
		delete(annotations, lastApplied)
		object["metadata"], metadata["annotations"] = metadata, annotations
		size = sizeOf(object)
	}
	return total + size
}

// cureOf says how a definition gets shorter: mostly by its descriptions.
func cureOf(crd map[string]any, size int) string {
	described := descriptions(crd["spec"])
	if described*4 < size {
		return "split the kind, or embed fewer fields of other types, e.g. of a PodSpec"
	}
	return fmt.Sprintf("shorten the descriptions, which have %d bytes, e.g. by "+
		"controller-gen crd:maxDescLen=0", described)
}

// descriptions returns the bytes of all descriptions below a value.
func descriptions(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if text, ok := member.(string); ok && key == "description" {
				n += len(text)
			}
			n += descriptions(member)
		}
	case []any:
		for _, item := range v {
			n += descriptions(item)
		}
	}
	return n
}
