package live

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/fake"
	"github.com/crdsem/crdsem/kube/server"
)

// twins are the API server and the fake one, of package kube/fake or of package
// kube/server. Both get the same requests, one after the other, and their
// answers are compared.
type twins struct {
	*session
	fake     *apiServer
	answered *exchange      // the fake server's last answer
	started  *server.Server // nil for the one of kube/fake
	steps    int
	clock    time.Time                 // the fake server's
	stale    map[string]map[string]any // a copy of each object as it once was

	// What the servers make up: by the real server's text, the fake one's.
	uids, names, revisions map[string]string
	// Times of deletions that differ: objects that are deleted together get
	// times of their own from the real server, and one time from the fake one.
	deletions map[string]string
	// The same revisions by the fake one's.
	real map[string]string
}

// noTwins returns twins without the fake one.
func noTwins(s *session) *twins {
	return &twins{
		session: s,
		stale:   map[string]map[string]any{}, uids: map[string]string{},
		names: map[string]string{}, revisions: map[string]string{}, real: map[string]string{},
		deletions: map[string]string{},
	}
}

// newTwins returns twins that serve one CRD. The real server serves it already,
// as the exchange shows.
func newTwins(s *session, _ *exchange) (*twins, error) {
	var options []crdsem.DefinitionOption
	if s.hook != nil {
		options = append(options, crdsem.ConversionWebhook(s.hook))
	}
	definition, err := kube.Parse(encode(s.resource.object), options...)
	if err != nil {
		return nil, fmt.Errorf("the fake server's definition: %w", err)
	}
	server, err := fake.NewServer(definition)
	if err != nil {
		return nil, err
	}
	config, t := server.Config(), noTwins(s)
	t.fake = &apiServer{
		url: config.Host, client: &http.Client{Transport: agent{config.Transport}},
	}
	server.Now = func() time.Time { return t.clock }
	return t, nil
}

// agent sends the user agent that the real server sees. The server derives the
// field manager from it.
type agent struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (a agent) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", "Go-http-client/2.0")
	return a.RoundTripper.RoundTrip(r)
}

// send sends a request to both servers, compares the answers and returns the
// real one.
func (t *twins) send(method, path, media string, body []byte) (*exchange, error) {
	return t.sendAs(mediaJSON, &exchange{
		Method: method, Path: path, Media: media, Body: string(body),
	})
}

// sendAs is send for an answer in a media type.
func (t *twins) sendAs(accept string, x *exchange) (*exchange, error) {
	t.steps++
	method, path := x.Method, x.Path
	other := *x
	other.Path, other.Body = t.translated(path), t.translated(x.Body)
	begin := time.Now().UTC().Truncate(time.Second)
	real, err := t.doAs(accept, x)
	if err != nil {
		return nil, err
	}
	if err := t.setClock(begin, method, path, real.Response); err != nil {
		return nil, err
	}
	fake, err := t.fake.doAs(accept, &other)
	if err != nil {
		return nil, fmt.Errorf("the fake server: %s %s: %w", method, path, err)
	}
	t.note("twin", real, []byte(fake.Response), t.compareTwins(real, fake))
	t.answered = fake
	return real, nil
}

// setClock sets the fake server's clock to the second in which the real one
// answered. Otherwise a time that is sent back could be a change.
func (t *twins) setClock(begin time.Time, method, path, response string) error {
	crossed := !time.Now().UTC().Truncate(time.Second).Equal(begin)
	path, _, _ = strings.Cut(path, "?")
	deletesAll := method == http.MethodDelete && strings.HasSuffix(path, t.resource.plural)
	if crossed || deletesAll {
		// An answer may lack the times of what it stored: a scale has none,
		// and a deleted list has the objects as they were.
		stored, err := t.do(http.MethodGet, strings.TrimSuffix(path, "/scale"), "", nil)
		if err != nil {
			return err
		}
		response += stored.Response
	}
	now := begin
	for _, text := range times.FindAllString(response, -1) {
		if at, err := time.Parse(time.RFC3339, text); err == nil && at.After(now) &&
			!at.After(time.Now()) {
			now = at
		}
	}
	t.clock = now
	return nil
}

// Places of revisions in requests and in messages. The digits that a uid begins
// with are none.
var revisionPlaces = []*regexp.Regexp{
	regexp.MustCompile(`(resourceVersion\\*"?: ?\\*"?)([0-9]+)\b`),
	regexp.MustCompile(`((?:resourceVersion|revision)=)([0-9]+)\b`),
	regexp.MustCompile(`("/metadata/resourceVersion","value":(?:"\w*","value":)?")([0-9]+)\b`),
	regexp.MustCompile(`(ResourceVersion in (?:the )?(?:precondition|record) \()([0-9]+)\b`),
}

// uidText matches a uid that a server made.
var uidText = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// badText matches a bad name that a server made: nothing has it.
var badText = regexp.MustCompile(`\bBad_[0-9a-z]{5}\b`)

// generatedText matches a name that a server made.
var generatedText = regexp.MustCompile(`\b(?:made|gen)-[0-9a-z]{5}\b`)

// translated returns a text with what the real server made up replaced by what
// the fake one made up in its place.
func (t *twins) translated(text string) string {
	for _, place := range revisionPlaces {
		text = place.ReplaceAllStringFunc(text, func(match string) string {
			parts := place.FindStringSubmatch(match)
			number := strings.TrimLeft(parts[2], "0")
			if fake, ok := t.revisions[number]; ok {
				return parts[1] + strings.TrimSuffix(parts[2], number) + fake
			}
			return match
		})
	}
	text = deletionPlace.ReplaceAllStringFunc(text, func(match string) string {
		parts := deletionPlace.FindStringSubmatch(match)
		return parts[1] + cmp.Or(t.deletions[parts[2]], parts[2])
	})
	return t.translatedNames(text)
}

// deletionPlace matches the time of a deletion in a request.
var deletionPlace = regexp.MustCompile(`(deletionTimestamp\\*"?: ?\\*"?)(` + times.String() + `)`)

// translatedNames translates uids and names only.
func (t *twins) translatedNames(text string) string {
	known := func(names map[string]string) func(string) string {
		return func(match string) string {
			if fake, ok := names[match]; ok {
				return fake
			}
			return match
		}
	}
	text = uidText.ReplaceAllStringFunc(text, known(t.uids))
	text = cutUID.ReplaceAllStringFunc(text, t.translatedCut)
	return generatedText.ReplaceAllStringFunc(text, known(t.names))
}

// cutUID matches a part of a uid at the end of what a message has of a body.
var cutUID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{0,27} \.\.\.\)`)

// translatedCut translates a part of a uid.
func (t *twins) translatedCut(match string) string {
	part := strings.TrimSuffix(match, " ...)")
	for real, fake := range t.uids {
		if strings.HasPrefix(real, part) {
			return fake[:len(part)] + " ...)"
		}
	}
	return match
}

// times matches a time to the second.
var times = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z`)

// compareTwins returns how the fake server's answer differs.
func (t *twins) compareTwins(real, fake *exchange) []string {
	if real.Status == 0 { // the server panicked
		if fake.Status == http.StatusInternalServerError {
			return nil
		}
		return []string{fmt.Sprintf("the server panics, the fake one answers %d %s", fake.Status,
			fake.Response)}
	}
	if real.Status == http.StatusGatewayTimeout && fake.Status >= http.StatusBadRequest {
		return nil // too slow to refuse the body, e.g. one of 10,000 levels on a busy machine
	}
	if real.Status != fake.Status {
		return []string{fmt.Sprintf("status: server %d, fake %d\n  server %.600s\n  fake   %.600s",
			real.Status, fake.Status, real.Response, fake.Response)}
	}
	all := compareWarnings(translatedAll(t, real.Warnings), fake.Warnings)
	if real.Type != fake.Type {
		all = append(all, fmt.Sprintf("media type: server %s, fake %s", real.Type, fake.Type))
	}
	if real.Type == mediaYAML && fake.Type == mediaYAML {
		var details []string
		real, fake, details = asJSON(real, fake)
		all = append(all, details...)
	}
	if real.Type == mediaProtobuf && real.Status >= http.StatusBadRequest {
		return all // it has the names of the real server's store
	}
	realObject, err := real.object()
	if err != nil { // e.g. a path that is not found
		if strings.TrimSpace(real.Response) != strings.TrimSpace(fake.Response) {
			all = append(all, fmt.Sprintf("text: server %q, fake %q", real.Response, fake.Response))
		}
		return all
	}
	fakeObject, err := fake.object()
	if err != nil {
		return append(all, err.Error())
	}
	if real.Status >= http.StatusBadRequest {
		return append(all, t.compareRefusals(real, fake)...)
	}
	all = append(all, t.learn(realObject, fakeObject)...)
	return append(all, compareValues("answer", t.settled(real.Response, true),
		t.settled(fake.Response, false))...)
}

// asJSON returns two answers in YAML as the same in JSON, which has what the
// servers made up in one form. It reports a text that is YAML of another style
// than the real server's, and one that is no YAML.
func asJSON(real, fake *exchange) (*exchange, *exchange, []string) {
	a, b := *real, *fake
	var details []string
	styles := [2]bool{}
	for i, x := range []*exchange{&a, &b} {
		text, err := yaml.YAMLToJSON([]byte(x.Response))
		if err != nil {
			details = append(details, err.Error())
			continue
		}
		style, err := yaml.JSONToYAML(text)
		styles[i] = err == nil && string(style) == x.Response
		x.Response = string(text)
	}
	if styles[0] != styles[1] {
		details = append(details, fmt.Sprintf("style of YAML: server %q, fake %q", real.Response,
			fake.Response))
	}
	return &a, &b, details
}

func translatedAll(t *twins, texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = t.translated(text)
	}
	return out
}

// learn records what both servers made up at the same places. A revision must
// always stand for the same one of the other server.
func (t *twins) learn(real, fake any) []string {
	switch real := real.(type) {
	case []any:
		list, _ := fake.([]any)
		var all []string
		for i := range min(len(real), len(list)) {
			all = append(all, t.learn(real[i], list[i])...)
		}
		return all
	case map[string]any:
		object, _ := fake.(map[string]any)
		if isList(real) {
			all := t.learn(real["items"], object["items"])
			return append(all, t.learn(real["rows"], object["rows"])...)
		}
		all := t.learnMetadata(child(real, "metadata"), child(object, "metadata"))
		return append(all, t.learn(real["object"], object["object"])...)
	}
	return nil
}

// isList reports whether an answer is a list of objects, or a table.
func isList(object map[string]any) bool {
	if text(object, "kind") == "Table" {
		return true
	}
	_, ok := object["items"] // null, if nothing is in a list of metadata
	return ok && strings.HasSuffix(text(object, "kind"), "List")
}

func (t *twins) learnMetadata(real, fake map[string]any) []string {
	if uid := text(real, "uid"); uidText.MatchString(uid) && t.uids[uid] == "" {
		t.uids[uid] = text(fake, "uid")
	}
	if name := text(real, "name"); generatedText.MatchString(name) && t.names[name] == "" {
		t.names[name] = text(fake, "name")
	}
	a, b := text(real, "deletionTimestamp"), text(fake, "deletionTimestamp")
	if a != b && a != "" && b != "" {
		t.deletions[a] = b
	}
	a, b = text(real, "resourceVersion"), text(fake, "resourceVersion")
	if a == "" || b == "" {
		return nil // compared with the rest of the object
	}
	if t.revisions[a] == "" && t.real[b] == "" {
		t.revisions[a], t.real[b] = b, a
	}
	if t.revisions[a] != b || t.real[b] != a {
		return []string{fmt.Sprintf("resourceVersion: server %s, fake %s; "+
			"but %s was %s, and %s was %s", a, b, a, t.revisions[a], b, t.real[b])}
	}
	return nil
}

// settled returns an answer without what follows from clocks, from the order of
// managers in one second, and from the store.
func (t *twins) settled(response string, isReal bool) any {
	if isReal {
		response = t.translated(response)
	}
	response = reviewUID.ReplaceAllString(times.ReplaceAllString(response, "T"), "${1}made")
	value, err := decodeJSON([]byte(response))
	if err != nil {
		return err.Error()
	}
	return settle(value)
}

func settle(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = settle(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = settle(value[key])
		}
		if managed, ok := value["managedFields"].([]any); ok {
			slices.SortFunc(managed, func(a, b any) int {
				return strings.Compare(string(encode(a)), string(encode(b)))
			})
		}
		if isList(value) { // several CRDs share the revisions of the store
			child(value, "metadata")["resourceVersion"] = "revision"
		}
		if text(value, "continue") != "" {
			value["continue"] = "token"
		}
		settleAges(value)
	}
	return value
}

// age matches how old an object is that was made in this test.
var age = regexp.MustCompile(`^[0-9]{1,3}s$`)

// settleAges leaves out the ages in a table, which the clock changes.
func settleAges(table map[string]any) {
	columns, _ := table["columnDefinitions"].([]any)
	rows, _ := table["rows"].([]any)
	for i := range columns {
		column, _ := columns[i].(map[string]any)
		for _, row := range rows {
			fields, _ := row.(map[string]any)
			cells, _ := fields["cells"].([]any)
			if i >= len(cells) || text(column, "type") != "date" {
				continue
			}
			if cell, _ := cells[i].(string); age.MatchString(cell) {
				cells[i] = "age"
			}
		}
	}
}

// refusal is a Status that refuses a request.
type refusal struct {
	Message, Reason string
	Details         *struct {
		Name, Group, Kind, UID string
		RetryAfterSeconds      int
		Causes                 []struct{ Reason, Message, Field string }
	}
}

// translatedRefusal translates a refusal, which can have the whole document.
func (t *twins) translatedRefusal(text string) string {
	if !strings.Contains(text, "patch: Invalid value") {
		return t.translated(text)
	}
	return withoutNumbers(t.translatedNames(text))
}

// withoutNumbers leaves out the numbers in the strings of a document in a
// message. They can be revisions.
func withoutNumbers(text string) string {
	if !strings.Contains(text, "patch: Invalid value") {
		return text
	}
	text = withoutMade(uidText.ReplaceAllString(text, "uid")) // times begin with numbers
	return quotedNumber.ReplaceAllString(text, `\"N`)
}

// withoutMade leaves out times, and names that a server made for nothing.
func withoutMade(text string) string {
	return badText.ReplaceAllString(times.ReplaceAllString(text, "T"), "Bad_made")
}

// compareRefusals returns how the fake server refuses differently.
func (t *twins) compareRefusals(real, fake *exchange) []string {
	var a, b refusal
	text := withoutMade(t.translatedRefusal(real.Response))
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return []string{err.Error()}
	}
	text = withoutMade(withoutNumbers(fake.Response))
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		return []string{err.Error()}
	}
	var all []string
	if a.Reason != b.Reason {
		all = append(all, fmt.Sprintf("reason: server %s, fake %s", a.Reason, b.Reason))
	}
	if (a.Details == nil) != (b.Details == nil) {
		return append(all, fmt.Sprintf("details:\n  server %s\n  fake   %s", real.Response,
			fake.Response))
	}
	causes := 0
	if a.Details != nil {
		first, second := once(findingsOf(a)), once(findingsOf(b))
		causes = len(first)
		for i := range first {
			first[i].Field = strings.TrimPrefix(first[i].Field, storagePrefix)
			first[i].Message = t.message(first[i].Message)
		}
		for i := range second {
			second[i].Message = t.message(second[i].Message)
		}
		all = append(all, compareLists("cause", findingTexts(first), findingTexts(second))...)
		a.Details.Causes, b.Details.Causes = nil, nil
		a.Details.Name = generatedText.ReplaceAllString(a.Details.Name, "made-")
		b.Details.Name = generatedText.ReplaceAllString(b.Details.Name, "made-")
		all = append(all, compareValues("details", plain(a.Details), plain(b.Details))...)
	}
	first, second := t.message(a.Message), t.message(b.Message)
	if real.Media == mediaApply && real.Status == http.StatusInternalServerError {
		return all // a misfit of any of the managers' versions (see mergeFaults)
	}
	if causes <= 1 && first != second && !tellsSome(first, second) {
		all = append(all, fmt.Sprintf("message:\n  server %s\n  fake   %s", first, second))
	}
	return all
}

func findingsOf(r refusal) []finding {
	var all []finding
	for _, c := range r.Details.Causes {
		all = append(all, finding{c.Reason, c.Field, c.Message})
	}
	return all
}

// embeddedFault matches which malformed embedded resource an error is about. Of
// several ones, the server reports any.
var embeddedFault = regexp.MustCompile(`[a-z]+(?:\.\w+(?:\[\w+\])?)*: Invalid value: .*`)

// hasEmbedded reports whether a CRD has embedded resources.
func (r *resource) hasEmbedded() bool {
	return strings.Contains(string(r.text), "x-kubernetes-embedded-resource")
}

// quotedNumber matches a number in a string of a document in a message.
var quotedNumber = regexp.MustCompile(`\\"[0-9]+`)

// parsedTime matches the error of a time that does not parse. It quotes parts
// of the text, which can be a uid.
var parsedTime = regexp.MustCompile(`parsing time .*`)

// missingKind matches the error of a body without a kind, which has all of the
// body, and madeUID that of a webhook which gives a new object another uid.
var (
	missingKind = regexp.MustCompile(`(?s)Object 'Kind' is missing in '.*'`)
	madeUID     = regexp.MustCompile(`must have the same UID: \S+`)
)

// reviewUID matches the uid of a review that a webhook does not repeat.
var reviewUID = regexp.MustCompile(`(expected response\.uid=\\*")[0-9a-f-]{36}`)

// message returns a message without the names of the real server's store.
func (t *twins) message(text string) string {
	text = strings.ReplaceAll(text, storagePrefix+"/", "/")
	if t.resource.hasEmbedded() && !strings.Contains(text, "is invalid: ") {
		text = embeddedFault.ReplaceAllString(text, "malformed")
	}
	text = parsedTime.ReplaceAllString(text, "parsing time")
	text = missingKind.ReplaceAllString(text, "Object 'Kind' is missing")
	text = madeUID.ReplaceAllString(text, "must have the same UID: made")
	text = reviewUID.ReplaceAllString(text, "${1}made")
	return nominal(failureFrame.ReplaceAllString(text, ""))
}
