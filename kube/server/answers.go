package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/kit/columns"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/kube/server/internal/tables"
)

// form is the form of an answer that a client accepts.
type form struct {
	media string // the media type
	as    string // the kind of the answer, empty for the objects themselves
	group string // the apiVersion of that kind
	watch bool   // whether it is a watch, which has no YAML and no CBOR
	// headless tables have no columns: only the first one of a watch has them.
	headless bool
}

// The kinds that objects are shown as.
const (
	asTable       = "Table"
	asPartial     = "PartialObjectMetadata"
	asPartialList = "PartialObjectMetadataList"
)

// accepts returns the first form of the Accept header that the server has.
func (r *request) accepts() (form, error) {
	header := strings.TrimSpace(r.http.Header.Get("Accept"))
	if header == "" {
		header = "*/*"
	}
	for clause := range strings.SplitSeq(header, ",") {
		media, parameters, err := mime.ParseMediaType(strings.TrimSpace(clause))
		if err != nil {
			continue
		}
		f := form{media: media, as: parameters["as"]}
		if f.group = parameters["v"]; parameters["g"] != "" {
			f.group = parameters["g"] + "/" + f.group
		}
		other := r.refused && f.as != "" // an error is shown as no other kind
		if f.watch = r.isWatch() && !r.refused; !other && r.has(&f) {
			return f, nil
		}
	}
	accepted := []string{
		runtime.ContentTypeJSON, runtime.ContentTypeYAML, runtime.ContentTypeProtobuf,
	}
	if r.server.cbor {
		accepted = append(accepted, runtime.ContentTypeCBOR)
	}
	return form{media: runtime.ContentTypeJSON}, notAcceptable(
		"only the following media types are accepted: " + strings.Join(accepted, ", "))
}

// errIsList is the error of a list where a client asks for the metadata of an
// object. The server names the Go type of its list.
func (r *request) errIsList() error {
	of := "*unstructured.UnstructuredList"
	if r.builtin != nil {
		of = "*" + internalPackage(r.resource.Group) + "." + r.names.ListKind
	}
	return notAcceptable("you requested PartialObjectMetadata, but the requested object is a " +
		"list (" + of + ")")
}

// errIsNoList is the error of an object where a client asks for the metadata of
// a list.
func (r *request) errIsNoList() error {
	if r.builtin == nil {
		return unclassified("content is not a list")
	}
	return notAcceptable("you requested PartialObjectMetadataList, but the requested object is " +
		"not a list (*" + internalPackage(r.resource.Group) + "." + r.names.Kind + ")")
}

func notAcceptable(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusNotAcceptable,
		Reason: metav1.StatusReasonNotAcceptable, Message: message,
	}}
}

// internalPackage returns the package of the server's own types of a group, the
// subfolder of pkg/apis in k8s.io/kubernetes.
func internalPackage(group string) string {
	switch group {
	case "", "events.k8s.io":
		return "core"
	case "internal.apiserver.k8s.io":
		return "apiserverinternal"
	}
	name, _, _ := strings.Cut(group, ".")
	return name
}

// has reports whether the server answers in a form. A media type with * becomes
// JSON.
func (r *request) has(f *form) bool {
	switch f.media {
	case "*/*", "application/*":
		f.media = runtime.ContentTypeJSON
	case runtime.ContentTypeJSON:
	case runtime.ContentTypeYAML:
		if f.watch {
			return false
		}
	case runtime.ContentTypeProtobuf:
		hasType := r.refused || r.builtin != nil && r.builtin.HasType()
		isPartial := f.as == asPartial || f.as == asPartialList
		if !isPartial && (!hasType || f.as != "") {
			return false
		}
	case runtime.ContentTypeCBOR:
		if !r.server.cbor || f.watch {
			return false
		}
	default:
		return false
	}
	switch f.as {
	case "":
		return f.group == ""
	case asTable, asPartial, asPartialList:
		return f.group == "meta.k8s.io/v1" || f.group == "meta.k8s.io/v1beta1"
	}
	return false
}

// send writes an answer in the form that the client accepts. Errors are JSON.
func (r *request) send(w http.ResponseWriter, out *answer, f form) {
	_, isMap := out.object.(map[string]any)
	_, isScale := out.object.(*autoscalingv1.Scale)
	if !isMap && !(isScale && r.builtin != nil) && f.media == runtime.ContentTypeProtobuf {
		f.media = runtime.ContentTypeJSON // of a Status
	}
	shown, err := r.shownAs(out.object, f)
	if err != nil {
		r.refuse(w, err)
		return
	}
	text, err := r.encode(shown, f)
	if err != nil {
		r.refuse(w, apierrors.NewInternalError(err))
		return
	}
	r.warnings(w)
	w.Header().Set("Content-Type", f.media)
	w.WriteHeader(out.code)
	_, _ = w.Write(text) // the client has gone
}

// encode returns an answer as bytes.
func (r *request) encode(object any, f form) ([]byte, error) {
	if f.media == runtime.ContentTypeProtobuf {
		return builtin.EncodeProtobuf(object)
	}
	text, err := json.Marshal(object)
	switch {
	case err != nil:
		return nil, err
	case f.media == runtime.ContentTypeYAML:
		return yaml.JSONToYAML(text)
	case f.media == runtime.ContentTypeCBOR:
		return toCBOR(text)
	case isPretty(r.http):
		var pretty bytes.Buffer
		if json.Indent(&pretty, text, "", "  ") == nil {
			return pretty.Bytes(), nil
		}
	}
	return append(text, '\n'), nil
}

// isPretty reports whether a client reads JSON by eye.
func isPretty(r *http.Request) bool {
	if asked := r.URL.Query().Get("pretty"); asked != "" {
		return asked == "1" || asked == "true"
	}
	agent := r.UserAgent()
	return slices.ContainsFunc([]string{"curl", "Wget", "Mozilla/5.0"}, func(name string) bool {
		return strings.HasPrefix(agent, name)
	})
}

// shownAs returns an object or a list as the kind that the client accepts.
func (r *request) shownAs(object any, f form) (any, error) {
	fields, ok := object.(map[string]any)
	if !ok {
		return object, nil
	}
	items, isList := fields["items"].([]any)
	isList = isList && r.name == "" && r.http.Method != http.MethodPost && !f.watch
	switch f.as {
	case asTable:
		return r.table(fields, f)
	case asPartial:
		if isList {
			return nil, r.errIsList()
		}
		return partialObject(fields, f), nil
	case asPartialList:
		if f.watch {
			return partialObject(fields, f), nil
		}
		if !isList {
			return nil, r.errIsNoList()
		}
		return partialList(fields, items, f), nil
	}
	return object, nil
}

// partialList returns a list of objects with only their metadata. It has the Go
// type of the API: an empty one is null, and so is its continue.
func partialList(list map[string]any, items []any, f form) any {
	var partial []any
	for _, item := range items {
		partial = append(partial, partialObject(item, f))
	}
	metadata, _ := list["metadata"].(map[string]any)
	if metadata["continue"] == "" {
		metadata = maps.Clone(metadata)
		delete(metadata, "continue")
	}
	return map[string]any{
		"apiVersion": f.group, "kind": asPartialList, "metadata": metadata, "items": partial,
	}
}

// partialObject returns an object with only its metadata.
func partialObject(object any, f form) any {
	fields, _ := object.(map[string]any)
	return map[string]any{
		"apiVersion": f.group, "kind": asPartial, "metadata": fields["metadata"],
	}
}

// table returns the table of an object or a list.
func (r *request) table(fields map[string]any, f form) (any, error) {
	include := columns.Included(r.http.URL.Query().Get("includeObject"))
	switch include {
	case "":
		include = columns.IncludeMetadata
	case columns.IncludeMetadata, columns.IncludeNone, columns.IncludeObject:
	default:
		return nil, apierrors.NewBadRequest(fmt.Sprintf(
			"Unable to convert to Table as requested: includeObject: Invalid value: %q: "+
				"must be 'Metadata', 'Object', 'None', or empty", include))
	}
	now := r.server.now()
	table, err := columns.New(r.model).Table(fields, now, columns.Include(include))
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	table.APIVersion = f.group
	for _, row := range table.Rows {
		if include == columns.IncludeMetadata {
			row.Object["apiVersion"] = f.group
		}
	}
	if f.headless {
		table.ColumnDefinitions = nil
	}
	if r.builtin == nil {
		return table, nil
	}
	return tables.Of(r.builtin.Kind.GroupKind()).Fill(table, fields, now), nil
}
