// The requirements of the main module, as far as the packages need them that a
// minor's oracle uses. minors/overlay.json puts this file in the place of its
// go.mod; otherwise the newest Kubernetes libraries would be linked.
module github.com/crdsem/crdsem

go 1.26.0

require (
	github.com/go-json-experiment/json v1.27.2
	go.yaml.in/yaml/v3 v3.0.4
)
