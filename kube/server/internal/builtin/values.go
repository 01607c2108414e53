package builtin

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// valuesOf are the rules for values of single kinds that their structure does
// not show. The old object is nil on a create.
var valuesOf = map[string]func(object, old map[string]any) field.ErrorList{
	"CertificateSigningRequest": certificateRequest,
	"HorizontalPodAutoscaler":   scaleTarget,
}

// scaleTarget requires the group of what is scaled, unless it is as it was
// (k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler).
func scaleTarget(object, old map[string]any) field.ErrorList {
	targetOf := func(object map[string]any) (apiVersion, kind string) {
		spec, _ := object["spec"].(map[string]any)
		target, _ := spec["scaleTargetRef"].(map[string]any)
		apiVersion, _ = target["apiVersion"].(string)
		kind, _ = target["kind"].(string)
		return apiVersion, kind
	}
	apiVersion, kind := targetOf(object)
	before, former := targetOf(old)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err == nil && gv.Group == "" && kind != "ReplicationController" {
		err = errors.New("apiVersion must specify API group")
	}
	if err == nil || old != nil && before == apiVersion && former == kind {
		return nil
	}
	at := field.NewPath("spec", "scaleTargetRef", "apiVersion")
	return field.ErrorList{field.Invalid(at, apiVersion, err.Error())}
}

// certificateRequest requires a signed request in PEM
// (k8s.io/kubernetes/pkg/apis/certificates/validation).
func certificateRequest(object, _ map[string]any) field.ErrorList {
	spec, _ := object["spec"].(map[string]any)
	text, _ := spec["request"].(string)
	request, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = checkRequest(request)
	}
	if err == nil {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "request"), request, err.Error())}
}

// checkRequest returns what is wrong with a certificate request in PEM.
func checkRequest(text []byte) error {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE REQUEST" {
		return errors.New("PEM block type must be CERTIFICATE REQUEST")
	}
	request, err := x509.ParseCertificateRequest(block.Bytes)
	if err != nil {
		return err
	}
	return request.CheckSignature()
}
