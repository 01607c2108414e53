package validate

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/conversionreview"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// conversion validates spec.conversion (CRD-090 to CRD-094, CONV-050 to
// CONV-056).
func (c *checker) conversion(conversion *crd.CustomResourceConversion, path *field.Path) {
	if conversion == nil {
		return
	}
	c.oneOf("CONV-050", path.Child("strategy"), conversion.Strategy,
		[]string{crd.NoneConverter, crd.WebhookConverter})
	configPath := path.Child("webhookClientConfig")
	versionsPath := path.Child("conversionReviewVersions")
	if conversion.Strategy == crd.WebhookConverter {
		c.clientConfig(conversion.WebhookClientConfig, configPath)
		c.reviewVersions(conversion.ConversionReviewVersions, versionsPath)
		return
	}
	const notSet = "should not be set when strategy is not set to Webhook"
	if conversion.WebhookClientConfig != nil {
		c.forbidden("CONV-051", configPath, notSet)
	}
	if len(conversion.ConversionReviewVersions) > 0 {
		c.forbidden("CONV-051", versionsPath, notSet)
	}
}

func (c *checker) clientConfig(config *crd.WebhookClientConfig, path *field.Path) {
	if config == nil {
		c.required("CONV-052", path, "required when strategy is set to Webhook")
		return
	}
	switch {
	case (config.URL == nil) == (config.Service == nil):
		c.required("CONV-052", path, "exactly one of url or service is required")
	case config.URL != nil:
		c.webhookURL(*config.URL, path.Child("url"))
	default:
		c.webhookService(config.Service, path.Child("service"))
	}
	if len(config.CABundle) > 0 && c.caBundle {
		if _, err := conversionreview.CertPool(config.CABundle); err != nil {
			c.invalid("CONV-055", path.Child("caBundle"), config.CABundle, err.Error())
		}
	}
}

// webhookURL checks the URL of a webhook (CONV-053).
func (c *checker) webhookURL(text string, path *field.Path) {
	const form = "; desired format: https://host[/path]"
	u, err := url.Parse(text)
	if err != nil {
		c.required("CONV-053", path, "url must be a valid URL: "+err.Error()+form)
		return
	}
	if u.Scheme != "https" {
		c.invalid("CONV-053", path, u.Scheme, "'https' is the only allowed URL scheme"+form)
	}
	if u.Host == "" {
		c.invalid("CONV-053", path, u.Host, "host must be specified"+form)
	}
	if u.User != nil {
		c.invalid("CONV-053", path, u.User.String(), "user information is not permitted in the URL")
	}
	if u.Fragment != "" {
		c.invalid("CONV-053", path, u.Fragment, "fragments are not permitted in the URL")
	}
	if u.RawQuery != "" {
		c.invalid("CONV-053", path, u.RawQuery, "query parameters are not permitted in the URL")
	}
}

// webhookService checks the Service of a webhook (CONV-054). The server reports
// a missing name as a missing namespace, and the reverse.
func (c *checker) webhookService(s *crd.ServiceReference, path *field.Path) {
	if s.Namespace == "" {
		c.required("CONV-054", path.Child("name"), c.profile.Full("service name is required", ""))
	}
	if s.Name == "" {
		detail := c.profile.Full("service namespace is required", "")
		c.required("CONV-054", path.Child("namespace"), detail)
	}
	if reasons := validation.IsValidPortNum(int(s.Port)); len(reasons) > 0 {
		detail := "port is not valid: " + strings.Join(reasons, ", ")
		c.invalid("CONV-054", path.Child("port"), s.Port, detail)
	}
	if s.Path != nil {
		c.invalidAll("CONV-054", path.Child("path"), *s.Path, urlPathReasons(*s.Path))
	}
}

// urlPathReasons returns the reasons why a path is not a URL path.
func urlPathReasons(path string) (reasons []string) {
	switch path {
	case "", "/":
		return nil
	case "//":
		return []string{"segment[0] may not be empty"}
	}
	if path[0] != '/' {
		reasons = append(reasons, "must start with a '/'")
	}
	for i, segment := range strings.Split(strings.TrimSuffix(path[1:], "/"), "/") {
		if segment == "" {
			reasons = append(reasons, fmt.Sprintf("segment[%d] may not be empty", i))
			continue
		}
		for _, reason := range validation.IsDNS1123Subdomain(segment) {
			reasons = append(reasons, fmt.Sprintf("segment[%d]: %s", i, reason))
		}
	}
	return reasons
}

// reviewVersions checks the versions that a webhook understands (CONV-056).
func (c *checker) reviewVersions(versions []string, path *field.Path) {
	if len(versions) == 0 {
		c.required("CONV-056", path, "")
		return
	}
	seen := map[string]bool{}
	for i, v := range versions {
		if seen[v] {
			c.invalid("CONV-056", path.Index(i), v, "duplicate version")
			continue
		}
		seen[v] = true
		c.invalidAll("CONV-056", path.Index(i), v, validation.IsDNS1035Label(v))
	}
	if c.knownReviewVersion && !slices.ContainsFunc(versions, conversionreview.Supports) {
		c.invalid("CONV-056", path, versions,
			"must include at least one of "+strings.Join(conversionreview.Versions(), ", "))
	}
}
