// Package yamlfast is a fast reader for ordinary YAML manifests. It answers
// only where it agrees with the YAML library of the API server (package
// yamljson), and hands over everything else, e.g. documents with anchors or
// folded text.
package yamlfast
