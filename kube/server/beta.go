package server

import (
	"maps"
	"slices"
)

// fromBeta returns a definition of v1beta1 as one of v1, which says everything
// for each version. A definition that was stored long ago is one of v1beta1.
func fromBeta(crd map[string]any) map[string]any {
	spec, ok := crd["spec"].(map[string]any)
	if !ok || crd["apiVersion"] != definitionGroup+"/v1beta1" {
		return crd
	}
	spec = maps.Clone(spec)
	versions, _ := spec["versions"].([]any)
	if name, ok := spec["version"].(string); ok && len(versions) == 0 {
		versions = []any{map[string]any{"name": name, "served": true, "storage": true}}
	}
	all := make([]any, len(versions))
	for i, item := range versions {
		all[i] = item
		if version, ok := item.(map[string]any); ok {
			all[i] = versionFromBeta(maps.Clone(version), spec)
		}
	}
	spec["versions"] = all
	if spec["preserveUnknownFields"] == nil {
		spec["preserveUnknownFields"] = true
	}
	former := []string{"version", "validation", "subresources", "additionalPrinterColumns"}
	for _, key := range former {
		delete(spec, key)
	}
	if conversion, ok := spec["conversion"].(map[string]any); ok {
		spec["conversion"] = conversionFromBeta(conversion)
	}
	out := maps.Clone(crd)
	out["apiVersion"], out["spec"] = definitionGroup+"/v1", spec
	return out
}

// versionFromBeta completes a version with what the spec says for all.
func versionFromBeta(version, spec map[string]any) map[string]any {
	for of, from := range map[string]string{
		"schema": "validation", "subresources": "subresources",
		"additionalPrinterColumns": "additionalPrinterColumns",
	} {
		if value := spec[from]; version[of] == nil && value != nil {
			version[of] = value
		}
	}
	if columns, ok := version["additionalPrinterColumns"].([]any); ok {
		columns = slices.Clone(columns) // they may be those of other versions, too
		for i, item := range columns {
			if column, ok := item.(map[string]any); ok {
				column = maps.Clone(column)
				column["jsonPath"] = column["JSONPath"]
				delete(column, "JSONPath")
				columns[i] = column
			}
		}
		version["additionalPrinterColumns"] = columns
	}
	return version
}

func conversionFromBeta(beta map[string]any) map[string]any {
	out := map[string]any{"strategy": beta["strategy"]}
	if beta["webhookClientConfig"] != nil {
		reviews := beta["conversionReviewVersions"]
		if reviews == nil {
			reviews = []any{"v1beta1"}
		}
		out["webhook"] = map[string]any{
			"clientConfig": beta["webhookClientConfig"], "conversionReviewVersions": reviews,
		}
	}
	return out
}
