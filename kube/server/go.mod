module github.com/crdsem/crdsem/kube/server

go 1.26.0

require (
	github.com/crdsem/crdsem v0.0.0
	github.com/google/gnostic-models v0.7.0
	github.com/google/go-cmp v0.7.0
	google.golang.org/protobuf v1.36.8
	k8s.io/api v0.35.0
	k8s.io/apiextensions-apiserver v0.35.0
	k8s.io/apimachinery v0.35.0
	k8s.io/client-go v0.35.0
	k8s.io/kube-openapi v0.0.0-20250910181357-589584f1c912
	k8s.io/utils v0.0.0-20251002143259-bc988d571ff4
	sigs.k8s.io/controller-runtime v0.23.0
	sigs.k8s.io/structured-merge-diff/v6 v6.3.0
	sigs.k8s.io/yaml v1.6.0
)
