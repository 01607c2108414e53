package kube

import (
	"net/http"
	"sync"
	"time"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	genericadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// maxRequestBody is the number of bytes of a body that a server takes.
const maxRequestBody = 3 << 20

// servers are the handlers of definitions, by the JSON or YAML of a definition.
// A program asks few of them.
var servers sync.Map

// serving returns the definition of an input and the server's handler of its
// objects. The handler keeps them in the store in a request's context.
func serving(in protocol.Input) (*served, error) {
	text, _ := in.Document()
	if found, ok := servers.Load(string(text)); ok {
		return found.(*served), nil
	}
	crd, err := servedDefinition(in)
	if err != nil {
		return nil, err
	}
	settle(crd)
	informer := externalversions.NewSharedInformerFactory(nil, 0).
		Apiextensions().V1().CustomResourceDefinitions()
	if err := informer.Informer().GetIndexer().Add(crd); err != nil {
		return nil, err
	}
	handler, err := apiserver.NewCustomResourceDefinitionHandler(nil, nil, informer,
		http.NotFoundHandler(), storeOptions{}, genericadmission.NewChainHandler(), nil,
		unreachable{}, sameAuthentication, 1, authorizerfactory.NewAlwaysAllowAuthorizer(),
		time.Minute, time.Minute, map[string]*spec.Schema{}, maxRequestBody)
	s := &served{crd, handler}
	if err == nil {
		servers.Store(string(text), s)
	}
	return s, err
}

// served is a definition with its handler.
type served struct {
	crd     *v1.CustomResourceDefinition
	handler http.Handler
}

// settle gives a definition the status of one that is served under the names
// in its spec for a while.
func settle(crd *v1.CustomResourceDefinition) {
	crd.UID = "served"
	crd.Status.AcceptedNames = crd.Spec.Names
	crd.Status.Conditions = nil
	before := metav1.NewTime(time.Now().Add(-time.Hour))
	names := v1.CustomResourceDefinitionCondition{
		Type: v1.NamesAccepted, Status: v1.ConditionTrue, LastTransitionTime: before,
	}
	established := names
	established.Type = v1.Established
	crd.Status.Conditions = append(crd.Status.Conditions, names, established)
}
