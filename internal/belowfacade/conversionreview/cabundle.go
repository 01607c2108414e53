package conversionreview

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// CertPool returns the certificates of a webhook's CA bundle. It returns an
// error with the server's text if no certificate parses (CONV-042, CONV-055).
func CertPool(bundle []byte) (*x509.CertPool, error) {
	pool := x509.NewCertPool()
	if pool.AppendCertsFromPEM(bundle) {
		return pool, nil
	}
	return nil, fmt.Errorf("unable to load root certificates: %w", bundleError(bundle))
}

// bundleError returns why the first certificate of a bundle does not parse.
func bundleError(bundle []byte) error {
	for len(bundle) > 0 {
		var block *pem.Block
		if block, bundle = pem.Decode(bundle); block == nil {
			return errors.New("unable to parse bytes as PEM block")
		}
		if block.Type == "CERTIFICATE" && len(block.Headers) == 0 {
			_, err := x509.ParseCertificate(block.Bytes) // fails, as for the pool
			return errors.New("failed to parse certificate: " + onServers(fmt.Sprint(err)))
		}
	}
	return errors.New("no valid certificate authority data seen")
}

// onServers returns the text of an error as Go has it on the processors that
// servers run on. WebAssembly, among others, has another implementation of
// P-256, with a text of its own.
func onServers(text string) string {
	return strings.ReplaceAll(text, "invalid P256Element encoding", "invalid P256 element encoding")
}

// HasValidCABundle reports whether the CA bundle of a conversion has a
// certificate. A missing or empty bundle counts as valid.
func HasValidCABundle(conversion *crd.CustomResourceConversion) bool {
	if conversion == nil || conversion.WebhookClientConfig == nil {
		return true
	}
	bundle := conversion.WebhookClientConfig.CABundle
	if len(bundle) == 0 {
		return true
	}
	_, err := CertPool(bundle)
	return err == nil
}
