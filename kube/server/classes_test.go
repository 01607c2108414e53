package server_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem/kube/server"
)

// New objects get what the plugins of a server add: the default class of their
// kind, protection, the taint of a node.
func TestAdmissionPlugins(t *testing.T) {
	const (
		ingresses = "/apis/networking.k8s.io/v1/namespaces/default/ingresses"
		networks  = "/apis/networking.k8s.io/v1/ingressclasses"
		claims    = "/api/v1/namespaces/default/persistentvolumeclaims"
		storages  = "/apis/storage.k8s.io/v1/storageclasses"
		nodes     = "/api/v1/nodes"
		backend   = `"defaultBackend":{"service":{"name":"s","port":{"number":80}}}`
		claimed   = `"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1"}}`
		merge     = "Content-Type: application/merge-patch+json"
	)
	named := func(name, annotations, spec string) string {
		return `{"metadata":{"name":"` + name + `","annotations":{` + annotations + `}},"spec":{` + spec + `}}`
	}
	class := func(name, mark, rest string) string {
		return `{"metadata":{"name":"` + name + `","annotations":{"` + mark + `":"true"}},` + rest + `}`
	}
	calls(t, []call{
		{"POST", ingresses, "", named("a", "", backend), 201, "!ingressClassName"},
		{"POST", networks, "", class("z", "ingressclass.kubernetes.io/is-default-class", `"spec":{"controller":"a.b/c"}`), 201, ""},
		{"POST", networks, "", class("y", "other", `"spec":{"controller":"a.b/c"}`), 201, ""},
		{"POST", ingresses, "", named("b", "", backend), 201, `"ingressClassName":"z"|!"f:ingressClassName"`},
		{"POST", ingresses, "", named("c", `"kubernetes.io/ingress.class":"old"`, backend), 201, "!ingressClassName"},
		{"POST", ingresses, "", named("d", "", `"ingressClassName":"y",`+backend), 201, `"ingressClassName":"y"`},
		{"PATCH", ingresses + "/a", merge, `{"metadata":{"labels":{"a":"b"}}}`, 200, "!ingressClassName"},
		{"POST", claims, "", named("a", "", claimed), 201, `!storageClassName|"finalizers":["kubernetes.io/pvc-protection"]`},
		{"POST", storages, "", class("z", "storageclass.kubernetes.io/is-default-class", `"provisioner":"p"`), 201, ""},
		{"POST", claims, "", named("b", "", claimed), 201, `"storageClassName":"z"`},
		{"POST", claims, "", named("c", "", `"storageClassName":"",`+claimed), 201, `"storageClassName":""`},
		{"POST", claims, "", named("d", `"volume.beta.kubernetes.io/storage-class":""`, claimed), 201, "!storageClassName"},
		{"POST", claims, "", `{"metadata":{"name":"e","finalizers":["kubernetes.io/pvc-protection","a.b/c"]},"spec":{` + claimed + `}}`, 201,
			`"finalizers":["kubernetes.io/pvc-protection","a.b/c"]`},
		{"PATCH", claims + "/a", merge, `{"metadata":{"finalizers":null}}`, 200, "!pvc-protection"},
		{"POST", "/api/v1/persistentvolumes", "", named("v", "", `"capacity":{"storage":"1"},"accessModes":["ReadWriteOnce"],`+
			`"hostPath":{"path":"/"}`), 201, `"finalizers":["kubernetes.io/pv-protection"]`},
		{"POST", nodes, "", named("a", "", ""), 201, `"taints":[{"effect":"NoSchedule","key":"node.kubernetes.io/not-ready"}]`},
		{"POST", nodes, "", named("b", "", `"taints":[{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule","value":"x"}]`), 201,
			`"taints":[{"effect":"NoSchedule","key":"node.kubernetes.io/not-ready","value":"x"}]`},
		{"POST", nodes, "", named("c", "", `"taints":[{"key":"a","effect":"NoExecute"}]`), 201, `"key":"a"},{"effect":"NoSchedule",`},
		{"PATCH", nodes + "/a", merge, `{"spec":{"taints":null}}`, 200, "!not-ready"},
	})
}

// Where the server is the only controller, volumes have no protection, which it
// would not remove.
func TestNoProtection(t *testing.T) {
	s, _ := begun(t, server.Options{CollectGarbage: true})
	c := typed(t, s.Config())
	body := `{"metadata":{"name":"a"},"spec":{"accessModes":["ReadWriteOnce"],` +
		`"resources":{"requests":{"storage":"1"}}}}`
	const claims = "/api/v1/namespaces/default/persistentvolumeclaims"
	err := c.CoreV1().RESTClient().Post().AbsPath(claims).Body([]byte(body)).Do(t.Context()).Error()
	if err != nil {
		t.Fatal(err)
	}
	claim, err := c.CoreV1().PersistentVolumeClaims("default").
		Get(t.Context(), "a", metav1.GetOptions{})
	if err != nil || len(claim.Finalizers) > 0 {
		t.Errorf("%v, %v", claim.Finalizers, err)
	}
}

// An autoscaler names the group of what it scales, unless it is of the core or
// as it was, and a request for a certificate is one.
func TestValues(t *testing.T) {
	const (
		scalers  = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers"
		requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
		merge    = "Content-Type: application/merge-patch+json"
	)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, key)
	if err != nil {
		t.Fatal(err)
	}
	inPEM := func(der []byte, kind string) string {
		text := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
		return base64.StdEncoding.EncodeToString(text)
	}
	const kind = "CERTIFICATE REQUEST"
	whole := inPEM(der, kind)
	der[len(der)-1] ^= 1
	request := func(name, pem string) string {
		return `{"metadata":{"name":"` + name + `"},"spec":{"signerName":"a.b/c","usages":["client auth"],` +
			`"request":"` + pem + `"}}`
	}
	scaler := func(name, target string) string {
		return `{"metadata":{"name":"` + name + `"},"spec":{"maxReplicas":3,"scaleTargetRef":{"name":"d",` + target + `}}}`
	}
	calls(t, []call{
		{"POST", scalers, "", scaler("a", `"kind":"Deployment"`), 422,
			`spec.scaleTargetRef.apiVersion: Invalid value: \"\": apiVersion must specify API group`},
		{"POST", scalers, "", scaler("a", `"kind":"Deployment","apiVersion":"v1"`), 422, "apiVersion must specify API group"},
		{"POST", scalers, "", scaler("a", `"kind":"Deployment","apiVersion":"a/b/c"`), 422, "unexpected GroupVersion string: a/b/c"},
		{"POST", scalers, "", scaler("a", `"kind":"Deployment","apiVersion":"apps/v1"`), 201, ""},
		{"POST", scalers, "", scaler("b", `"kind":"ReplicationController"`), 201, ""},
		{"PATCH", scalers + "/b", merge, `{"spec":{"maxReplicas":4}}`, 200, ""},
		{"PATCH", scalers + "/a", merge, `{"spec":{"scaleTargetRef":{"apiVersion":"v1"}}}`, 422, "apiVersion must specify API group"},
		{"POST", requests, "", request("a", whole), 201, ""},
		{"POST", requests, "", request("b", "eA=="), 422, "spec.request: Invalid value: "},
		{"POST", requests, "", request("b", inPEM(der, "CERTIFICATE")), 422, "PEM block type must be CERTIFICATE REQUEST"},
		{"POST", requests, "", request("b", inPEM([]byte("x"), kind)), 422, "asn1: "},
		{"POST", requests, "", request("b", inPEM(der, kind)), 422, "x509: ECDSA verification failure"},
		{"PATCH", requests + "/a", merge, `{"metadata":{"labels":{"a":"b"}}}`, 200, ""},
	})
}
