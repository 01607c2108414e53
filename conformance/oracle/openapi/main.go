// Command openapi records the structure of the kinds that are built into
// Kubernetes, for package kit/builtin.
//
//	go run ./openapi          writes kit/builtin/openapi.txt.gz
//	go run ./openapi -check   fails if the file is not what it would write
//
// It runs in the folder conformance/oracle. The sources are the modules
// k8s.io/kubernetes of the supported minors, which the go command downloads and
// compares with the checksum database: the OpenAPI documents of their folder
// api/openapi-spec/v3, and the enums of pkg/generated/openapi, which those
// documents lack and a server publishes. The record names each module with its
// sum.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"

	"github.com/crdsem/crdsem/minors"
)

// file is the record, seen from conformance/oracle.
const file = "../../kit/builtin/openapi.txt.gz"

// versions are the releases that are read: the newest of each minor that the
// module proxy has.
var versions = map[minors.Minor]string{
	"1.30": "v1.30.14",
	"1.31": "v1.31.14",
	"1.32": "v1.32.13",
	"1.33": "v1.33.13",
	"1.34": "v1.34.4",
	"1.35": "v1.35.4",
	"1.36": "v1.36.3",
	"1.37": "v1.37.2",
	"1.38": "v1.38.0-beta.0",
}

func main() {
	check := flag.Bool("check", false, "compare the file instead of writing it")
	flag.Parse()
	if err := run(context.Background(), *check); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, check bool) error {
	r := newRecord()
	for i, minor := range minors.All() {
		version, known := versions[minor]
		if !known {
			return fmt.Errorf("no release of Kubernetes %s is named", minor)
		}
		source, err := download(ctx, "k8s.io/kubernetes@"+version)
		if err != nil {
			return err
		}
		r.add("minor %s k8s.io/kubernetes@%s %s", minor, version, source.Sum)
		if err := r.read(source.Dir, i); err != nil {
			return fmt.Errorf("%s: %w", version, err)
		}
	}
	text := r.text()
	if check {
		return compare(text)
	}
	packed, err := pack(text)
	if err != nil {
		return err
	}
	log.Printf("%d bytes, %d compressed", len(text), len(packed))
	return os.WriteFile(file, packed, 0o644)
}

// module is what the go command says of a module.
type module struct{ Dir, Sum, Error string }

// download returns the folder of a module. For a module that needs a newer Go
// than this one, the go command takes the newer one, which it may download.
func download(ctx context.Context, name string) (module, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", name)
	cmd.Dir, cmd.Stderr = os.TempDir(), os.Stderr
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOTOOLCHAIN=auto")
	out, failed := cmd.Output()
	var found module
	if err := json.Unmarshal(out, &found); err != nil {
		return found, errors.Join(failed, err)
	}
	if found.Dir == "" {
		return found, fmt.Errorf("%s: %s", name, found.Error)
	}
	return found, nil
}

// pack compresses the text. The result has neither a name nor a time.
func pack(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// compare fails if the file has another text.
func compare(want []byte) error {
	packed, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	var got bytes.Buffer
	if _, err := got.ReadFrom(r); err != nil {
		return err
	}
	if bytes.Equal(got.Bytes(), want) {
		return nil
	}
	lines := bytes.Split(got.Bytes(), []byte("\n"))
	for i, line := range bytes.Split(want, []byte("\n")) {
		if i >= len(lines) || !bytes.Equal(lines[i], line) {
			return fmt.Errorf("%s: line %d is another one, expected %.200s", file, i+1, line)
		}
	}
	return fmt.Errorf("%s has more lines than expected", file)
}
