package server_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/kube/server"
)

// transcripts have requests and the answers of a real API server, which a run
// with CRDSEM_RECORD, the kubeconfig of one, writes. A request is a line with a
// method and a path, its headers, and after an empty line its body. The lines
// of an answer begin with a >. Of one that is known to differ only the code and
// the media type are compared after a ?, and nothing after two.
const transcripts = "testdata/*.txt"

// TestTranscript sends the requests of a real server's transcripts, and
// compares the whole answers: code, headers and body. What a server makes up is
// numbered in both.
func TestTranscript(t *testing.T) {
	all, err := filepath.Glob(transcripts)
	if err != nil || len(all) < 2 {
		t.Fatal(all, err)
	}
	for _, file := range all {
		t.Run(filepath.Base(file), func(t *testing.T) { compare(t, file) })
	}
}

// compare sends the requests of a transcript.
func compare(t *testing.T, transcript string) {
	t.Helper()
	text, err := os.ReadFile(transcript)
	if err != nil {
		t.Fatal(err)
	}
	var config *rest.Config
	recording := os.Getenv("CRDSEM_RECORD")
	if recording == "" {
		now := time.Now() // one for all, by which managers are in order
		s, _ := begun(t, server.Options{
			Now: func() time.Time { return now }, NoValidationWarnings: true,
		})
		defer func() {
			if err := s.Stop(); err != nil {
				t.Error(err)
			}
		}()
		config = s.Config()
	} else if config, err = clientcmd.BuildConfigFromFlags("", recording); err != nil {
		t.Fatal(err)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{
		Client: client, host: config.Host, numbers: map[string]string{},
		made: map[string]string{}, latest: map[string]string{},
	}
	var out strings.Builder
	for entry := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n\n") {
		request, want, _ := strings.Cut(strings.Trim(entry, "\n"), "\n> ")
		if strings.HasPrefix(request, "#") { // a heading
			fmt.Fprintf(&out, "%s\n\n\n", request)
			continue
		}
		request, unlike := strings.CutPrefix(request, "?? ")
		request, alike := strings.CutPrefix(request, "? ")
		got := s.answer(t, request)
		if alike {
			got, _, _ = strings.Cut(got, "\n")
		}
		fmt.Fprintf(&out, "%s\n> %s\n\n\n", request, got)
		diff := cmp.Diff(steady(want), steady(got))
		if diff != "" && recording == "" && !unlike {
			t.Errorf("%s\n%s", request, diff)
		}
		if diff == "" && unlike {
			t.Errorf("%s: is alike", request)
		}
	}
	if recording != "" {
		if err := os.WriteFile(transcript, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// owners matches a list of managers, and owner one of a built-in kind.
var (
	owners = regexp.MustCompile(`"managedFields":\[.*?"time":"<time>"\}\]`)
	owner  = regexp.MustCompile(
		`\{"apiVersion":"[a-z0-9/]+","fieldsType":"FieldsV1","fieldsV1":.*?"time":"<time>"\}`)
)

// builtInOwners puts managers of built-in kinds in one order: they are tracked
// by Kubernetes' own library, which has no other clock than the machine's, and
// orders them by the second of the request.
func builtInOwners(answer string) string {
	return owners.ReplaceAllStringFunc(answer, func(list string) string {
		return strings.Join(slices.Sorted(slices.Values(owner.FindAllString(list, -1))), "") +
			owner.ReplaceAllString(list, "")
	})
}

// quotedRevision matches the revision of an object in a text.
var quotedRevision = regexp.MustCompile(`(resourceVersion\\+":\\+")[0-9]+`)

// steady returns an answer without what differs from run to run.
func steady(answer string) string {
	return quotedRevision.ReplaceAllString(builtInOwners(answer), "${1}<revision>")
}

// script is a client that numbers what a server makes up.
type script struct {
	*http.Client

	host    string
	numbers map[string]string // by what was made up
	made    map[string]string // by their number, e.g. uid-1
	latest  map[string]string // revisions by the name of the object, and of the last list
}

// madeUp are what servers make up, and how it is shown.
var madeUp = []struct {
	name  string
	match *regexp.Regexp
}{
	{"uid", regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)},
	{"revision", regexp.MustCompile(`resourceVersion":"[1-9][0-9]*"`)},
	{"token", regexp.MustCompile(`"continue":"[^"]+"`)},
	{"name", regexp.MustCompile(`gen-[0-9a-z]{5}\b`)},
}

// times matches a time, or the age of an object in a table.
var times = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]+)?Z|\b[0-9]+s\b`)

// answer sends a request and returns its answer.
func (s *script) answer(t *testing.T, text string) string {
	t.Helper()
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	method, path, _ := strings.Cut(s.filledIn(lines[0]), " ")
	events := 0
	if n, rest, ok := strings.Cut(path, " "); ok { // a watch of so many events
		if _, err := fmt.Sscan(n, &events); err != nil {
			t.Fatal(err)
		}
		path = rest
	}
	if method == "WAIT" || method == "WATCH" {
		lines[0], method = method, http.MethodGet
	}
	request, err := http.NewRequestWithContext(t.Context(), method, s.host+path,
		strings.NewReader(s.filledIn(body)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("User-Agent", "script/1")
	request.Header.Set("Content-Type", "application/json")
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Set(name, value)
	}
	response, err := s.Do(request)
	// A real server serves a definition some time after it has it.
	for tries := 0; err == nil && lines[0] == "WAIT" && tries < 10_000; tries++ {
		if response.StatusCode == http.StatusOK {
			break
		}
		_ = response.Body.Close()
		response, err = s.Do(request)
	}
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	return s.read(t, response, events)
}

// read returns an answer, or so many events of a watch.
func (s *script) read(t *testing.T, response *http.Response, events int) string {
	t.Helper()
	out := fmt.Sprintln(response.StatusCode, response.Header.Get("Content-Type"))
	for _, warning := range response.Header.Values("Warning") {
		out += "> Warning: " + warning + "\n"
	}
	if events == 0 {
		raw, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		s.remember(raw)
		return out + "> " + s.numbered(plain(t, raw))
	}
	frames := bufio.NewReader(response.Body)
	for range events {
		line, err := frames.ReadBytes('\n')
		if err != nil {
			return out + "> " + err.Error()
		}
		out += "> " + s.numbered(plain(t, line)) + "\n"
	}
	return strings.TrimSuffix(out, "\n")
}

// remember keeps the revision of an object or a list.
func (s *script) remember(raw []byte) {
	var object struct {
		Metadata struct{ Name, ResourceVersion string }
		Items    *[]any
	}
	if json.Unmarshal(raw, &object) != nil || object.Metadata.ResourceVersion == "" {
		return
	}
	if object.Items != nil {
		object.Metadata.Name = "list"
	}
	s.latest[object.Metadata.Name] = object.Metadata.ResourceVersion
}

// plain returns a body as JSON with sorted fields, or as it is.
func plain(t *testing.T, raw []byte) string {
	t.Helper()
	var value any
	if len(raw) > 4 && string(raw[:4]) == "k8s\x00" {
		known := runtime.NewScheme()
		utilruntime.Must(scheme.AddToScheme(known))
		utilruntime.Must(metav1.AddMetaToScheme(known))
		codecs := serializer.NewCodecFactory(known)
		object, _, err := codecs.UniversalDeserializer().Decode(raw, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if value, err = runtime.DefaultUnstructuredConverter.ToUnstructured(object); err != nil {
			t.Fatal(err)
		}
	} else if err := json.Unmarshal(raw, &value); err != nil {
		if yaml.Unmarshal(raw, &value) != nil {
			return strings.TrimSpace(string(raw))
		}
	}
	if _, isText := value.(string); isText || value == nil {
		return strings.TrimSpace(string(raw))
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

// numbered returns a text with numbers in place of what is made up.
func (s *script) numbered(text string) string {
	for _, kind := range madeUp {
		text = kind.match.ReplaceAllStringFunc(text, func(made string) string {
			if kind.name == "revision" || kind.name == "uid" {
				return s.seen(kind.name, made)
			}
			number, ok := s.numbers[made]
			if !ok {
				for n := 1; !ok; n++ {
					number = fmt.Sprintf("%s-%d", kind.name, n)
					_, taken := s.made[number]
					ok = !taken
				}
				s.numbers[made], s.made[number] = number, made
			}
			return "<" + number + ">"
		})
	}
	return times.ReplaceAllString(text, "<time>")
}

// seen shows a revision or a uid by whether it was in an answer before.
func (s *script) seen(name, made string) string {
	_, old := s.numbers[made]
	s.numbers[made] = ""
	out := fmt.Sprintf("<%s old %t>", name, old)
	if name == "revision" {
		return `resourceVersion":"` + out + `"`
	}
	return out
}

// quoted are the digits of a revision, or a token.
var quoted = regexp.MustCompile(`"([^"]*)"$`)

// filledIn returns a text with what was made up in place of its number, e.g. of
// <uid-1>. That of a revision or a token is the bare value.
func (s *script) filledIn(text string) string {
	text = regexp.MustCompile(`@[a-z0-9]+`).ReplaceAllStringFunc(text, func(name string) string {
		return s.latest[name[1:]]
	})
	numbers := regexp.MustCompile(`<([a-z]+-[0-9]+)>`)
	return numbers.ReplaceAllStringFunc(text, func(n string) string {
		made := s.made[strings.Trim(n, "<>")]
		if match := quoted.FindStringSubmatch(made); match != nil {
			return match[1]
		}
		return made
	})
}
