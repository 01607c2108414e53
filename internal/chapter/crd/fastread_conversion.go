package crd

import "github.com/crdsem/crdsem/internal/base/dom"

// conversion reads spec.conversion. v1 has the webhook's configuration in
// webhook.clientConfig, v1beta1 in webhookClientConfig (CRD-012).
func (r *reader) conversion(to *CustomResourceConversion, value *dom.Node, from form) {
	r.fields(value, func(key string, v *dom.Node) bool {
		switch {
		case key == "strategy":
			read(r, &to.Strategy, v)
		case key == "webhook" && from == formV1:
			r.fields(v, func(key string, v *dom.Node) bool {
				return r.webhook(to, "clientConfig", key, v)
			})
		case from == formV1beta1:
			return r.webhook(to, "webhookClientConfig", key, v)
		default:
			return false
		}
		return true
	})
}

// webhook reads one field of a webhook. It reports whether it knows the key.
func (r *reader) webhook(to *CustomResourceConversion, configKey, key string, v *dom.Node) bool {
	switch key {
	case configKey:
		optional(&to.WebhookClientConfig, v, r.clientConfig)
	case "conversionReviewVersions":
		r.strings(&to.ConversionReviewVersions, v)
	default:
		return false
	}
	return true
}

func (r *reader) clientConfig(to *WebhookClientConfig, value *dom.Node) {
	r.fields(value, func(key string, v *dom.Node) bool {
		switch key {
		case "url":
			readPointer(r, &to.URL, v)
		case "service":
			optional(&to.Service, v, r.service)
		case "caBundle":
			r.bytes(&to.CABundle, v)
		default:
			return false
		}
		return true
	})
}

// defaultServicePort is the port of a service without a port.
const defaultServicePort = 443

func (r *reader) service(to *ServiceReference, value *dom.Node) {
	to.Port = defaultServicePort
	r.fields(value, func(key string, v *dom.Node) bool {
		switch key {
		case "namespace":
			read(r, &to.Namespace, v)
		case "name":
			read(r, &to.Name, v)
		case "path":
			readPointer(r, &to.Path, v)
		case "port":
			if v != nil {
				r.int32(&to.Port, v)
			}
		default:
			return false
		}
		return true
	})
}
