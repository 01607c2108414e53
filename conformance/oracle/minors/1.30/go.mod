module github.com/crdsem/crdsem/conformance/oracle

go 1.26.0

require (
	github.com/crdsem/crdsem v0.0.0
	go.yaml.in/yaml/v3 v3.0.4
	k8s.io/apiextensions-apiserver v0.30.14
	k8s.io/apimachinery v0.30.14
	k8s.io/apiserver v0.30.14
	k8s.io/client-go v0.30.14
)

replace github.com/crdsem/crdsem => ../..
