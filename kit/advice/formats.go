package advice

import (
	"fmt"
	"sync"
)

// formatExamples has a valid value for each format that the server checks.
var formatExamples = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"date": "2026-07-01", "date-time": "2026-07-01T12:30:00Z", "datetime": "2026-07-01T12:30:00Z",
		"duration": "1h30m", "byte": "aGVsbG8=", "email": "ann@example.com",
		"creditcard": "4111111111111111", "ssn": "123-45-6789", "hexcolor": "#ff8800",
		"rgbcolor": "rgb(255,136,0)", "isbn": "0321751043", "isbn10": "0321751043",
		"isbn13": "978-0321751041", "ipv4": "10.0.0.1", "ipv6": "fd00::1", "cidr": "10.0.0.0/8",
		"mac": "01:23:45:67:89:ab", "hostname": "node-1.example.com", "uri": "https://example.com/a",
		"uuid":           "123e4567-e89b-42d3-a456-426614174000",
		"uuid3":          "123e4567-e89b-32d3-a456-426614174000",
		"uuid4":          "123e4567-e89b-42d3-a456-426614174000",
		"uuid5":          "123e4567-e89b-52d3-a456-426614174000",
		"bsonobjectid":   "507f1f77bcf86cd799439011",
		"k8s-short-name": "web-1", "k8sshortname": "web-1",
		"k8s-long-name": "web-1.example.com", "k8slongname": "web-1.example.com",
	}
})

func format(f *finding) string {
	name := f.at.schema.Values().Format
	example, ok := formatExamples()[name]
	if !ok {
		return wrongType(f)
	}
	return fmt.Sprintf("format %s looks like %s", code(name), code(example))
}
