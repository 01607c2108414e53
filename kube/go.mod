module github.com/crdsem/crdsem/kube

go 1.26.0

require (
	github.com/crdsem/crdsem v0.0.0
	github.com/crdsem/crdsem/kube/server v0.0.0
	k8s.io/api v0.35.0
	k8s.io/apiextensions-apiserver v0.35.0
	k8s.io/apimachinery v0.35.0
	k8s.io/client-go v0.35.0
	sigs.k8s.io/controller-runtime v0.23.0
)
