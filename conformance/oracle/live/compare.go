package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// The server's limits for warnings. Above the first, each warning is cut to the
// second (in runes). Warnings after the first is reached again are dropped.
const (
	maxWarningsText = 4096
	maxWarningText  = 256
)

// status holds the members of a metav1.Status that describe a refusal.
type status struct {
	Message string
	Reason  string
	Details struct {
		Causes []struct{ Reason, Message, Field string }
	}
}

// failureFrame matches the server's words before the reason of a failure, and
// the store's words before the reason why an object cannot be read.
var failureFrame = regexp.MustCompile(`^Internal error occurred: (StorageError: .* object not decodable revision=[0-9]+: )?`)

// earlyRefusals holds the status reason of each code for refusals before
// validation.
var earlyRefusals = map[int]string{
	http.StatusBadRequest: "BadRequest", http.StatusConflict: "Conflict", http.StatusRequestEntityTooLarge: "RequestEntityTooLarge",
	http.StatusUnsupportedMediaType: "UnsupportedMediaType",
}

// verdictOf decodes the server's answer to a write. An answer without a
// verdict, e.g. an internal error, is an error.
func verdictOf(x *exchange) (*verdict, error) {
	v := &verdict{warnings: x.Warnings, code: x.Status}
	if x.Status == http.StatusOK || x.Status == http.StatusCreated {
		object, err := x.object()
		v.stage, v.returned = stageAdmitted, object
		return v, err
	}
	var refusal status
	if err := json.Unmarshal([]byte(x.Response), &refusal); err != nil {
		return nil, fmt.Errorf("status %d: %w", x.Status, err)
	}
	v.reason = refusal.Reason
	switch {
	case earlyRefusals[x.Status] == refusal.Reason && refusal.Reason != "":
		v.stage, v.message = stageDecode, refusal.Message
	case x.Status == http.StatusUnprocessableEntity && refusal.Reason == "Invalid":
		v.stage = stageInvalid
		for _, cause := range refusal.Details.Causes {
			v.errors = append(v.errors, finding{cause.Reason, cause.Field, cause.Message})
		}
		if len(once(v.errors)) <= 1 {
			v.message = refusal.Message
		}
	case x.Status == http.StatusInternalServerError:
		v.stage, v.message = stageFailed, failureFrame.ReplaceAllString(refusal.Message, "")
	default:
		return nil, fmt.Errorf("status %d, reason %s: %s", x.Status, refusal.Reason,
			refusal.Message)
	}
	return v, nil
}

// compareVerdicts returns how the judge's verdict differs from the server's. It
// returns nothing if the verdict, or one of its alternatives, is equal.
func compareVerdicts(server, judged *verdict) []string {
	all := compareVerdict(server, judged)
	if len(all) == 0 {
		return nil
	}
	if server.stage != stageFailed && dependsOnOrder(judged) {
		return nil
	}
	for _, other := range judged.alternatives() {
		if len(compareVerdict(server, other)) == 0 {
			return nil
		}
	}
	return all
}

// dependsOnOrder reports whether a merge fails in some order of the managers'
// versions. Fields that are added back for one version can make the object fit
// the next. The server takes them in the order of a map; the judge fails if one
// order does.
func dependsOnOrder(judged *verdict) bool {
	return judged.stage == stageFailed && strings.HasPrefix(judged.message,
		"failed to prune fields: failed add back owned items: failed to convert pruned object")
}

// compareVerdict returns how one verdict differs from the server's.
func compareVerdict(server, judged *verdict) []string {
	if server.stage != judged.stage {
		return []string{
			fmt.Sprintf("stage: server %s, judge %s", describe(server), describe(judged)),
		}
	}
	var all []string
	if judged.code != 0 && (server.code != judged.code || server.reason != judged.reason) {
		all = append(
			all,
			fmt.Sprintf("status: server %d %s, judge %d %s", server.code, server.reason,
				judged.code, judged.reason),
		)
	}
	told := judged.code != 0 ||
		server.stage != stageInvalid // the judge of a definition has no message for its errors
	if told && nominal(server.message) != nominal(judged.message) &&
		!tellsSome(server.message, judged.message) {
		all = append(all,
			fmt.Sprintf("message:\n  server %s\n  judge  %s", server.message, judged.message))
	}
	all = append(
		all,
		compareLists("error", findingTexts(once(server.errors)),
			findingTexts(once(judged.errors)))...)
	all = append(all, compareWarnings(server.warnings, judged.warnings)...)
	if judged.returned != nil {
		all = append(all, compareObjects("returned object", server.returned, judged.returned)...)
	}
	if server.stored != nil && judged.stored != nil {
		all = append(
			all,
			compareObjects("stored object", withoutMinusZero(server.stored),
				json.RawMessage(judged.stored))...)
	}
	return all
}

// severalProblems starts the list of the problems with a merged object.
const severalProblems = "errors:\n"

// tellsSome reports whether the server's message has one or more of the judge's
// problems with a merged object. The server may stop at any of them.
func tellsSome(server, judged string) bool {
	frame, all, several := strings.Cut(judged, severalProblems)
	told, ok := strings.CutPrefix(server, frame)
	if !several || !ok {
		return false
	}
	problems := problemsOf(all)
	for _, problem := range problemsOf(strings.TrimPrefix(told, severalProblems)) {
		if !slices.Contains(problems, problem) {
			return false
		}
	}
	return true
}

func problemsOf(list string) []string {
	lines := strings.Split(list, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}

// describe returns a verdict on one line.
func describe(v *verdict) string {
	return string(v.stage) + " " + v.message + strings.Join(findingTexts(v.errors), "; ")
}

func findingTexts(list []finding) []string {
	texts := make([]string, len(list))
	for i, f := range list {
		texts[i] = f.Type + " " + f.Field + ": " + nominal(f.Message)
	}
	return texts
}

// selfType matches the server's name for the type of a rule's self.
var selfType = regexp.MustCompile(`selfType[0-9]+`)

// generatedName matches a name that the server made from generateName, for an
// object whose name was removed (see envelope).
var generatedName = regexp.MustCompile(`"made-[0-9a-z]{5}"`)

// nominal removes what is random: the number in the names of types, the end of
// generated names, and the order of the letters of a message that prints maps.
func nominal(message string) string {
	if strings.Contains(message, "valueUnstructured") {
		letters := strings.Split(message, "")
		slices.Sort(letters)
		message = strings.Join(letters, "")
	}
	return generatedName.ReplaceAllString(selfType.ReplaceAllString(message, "selfType"), `"made-"`)
}

// once drops repeated findings of the object's own metadata. On an update the
// server checks it twice and reports everything twice.
func once(list []finding) []finding {
	var kept []finding
	for _, f := range list {
		if !strings.HasPrefix(f.Field, "metadata") || !slices.Contains(kept, f) {
			kept = append(kept, f)
		}
	}
	return kept
}

// compareLists compares lists as multisets, because the server's order is
// random in places.
func compareLists(what string, server, judged []string) []string {
	counts := map[string]int{}
	for _, s := range server {
		counts[s]++
	}
	for _, s := range judged {
		counts[s]--
	}
	var all []string
	for text, n := range counts {
		side := "only the server's"
		if n < 0 {
			side, n = "only the judge's", -n
		}
		for range n {
			all = append(all, fmt.Sprintf("%s, %s: %s", what, side, text))
		}
	}
	sort.Strings(all)
	return all
}

// compareWarnings compares the warnings that the server sends, each once. If
// the list is so long that the server cuts it, the order decides which warnings
// are sent. Then the cut texts must be among the judge's.
func compareWarnings(server, judged []string) []string {
	var sent []string
	total := 0
	for _, warning := range judged {
		if warning != "" && !slices.Contains(sent, warning) {
			sent = append(sent, warning)
			total += utf8.RuneCountInString(warning)
		}
	}
	if total <= maxWarningsText {
		return compareLists("warning", server, sent)
	}
	for i, warning := range sent {
		if runes := []rune(warning); len(runes) > maxWarningText {
			sent[i] = string(runes[:maxWarningText])
		}
	}
	var all []string
	for _, warning := range server {
		if !slices.Contains(sent, warning) {
			all = append(all, "warning, only the server's (cut): "+warning)
		}
	}
	return all
}

// compareObjects compares two objects without the fields that the server owns.
func compareObjects(what string, server, judged any) []string {
	a, okA := plain(server).(map[string]any)
	b, okB := plain(judged).(map[string]any)
	if !okA || !okB {
		return []string{fmt.Sprintf("%s: server %T, judge %T", what, server, judged)}
	}
	return compareValues(what, withoutServerOwned(a), withoutServerOwned(b))
}

// minusZero matches a zero as the server writes it if the request has it with a
// point and a minus. It reads back as the integer 0.
var minusZero = regexp.MustCompile(`([:,\[])-0([,\]}])`)

// withoutMinusZero returns a stored object with these zeros as they read back.
// The server writes no space between tokens. A match inside a string can
// therefore only add a difference, never hide one.
func withoutMinusZero(stored []byte) json.RawMessage {
	once := minusZero.ReplaceAll(stored, []byte("${1}0${2}"))
	return minusZero.ReplaceAll(once, []byte("${1}0${2}")) // neighbors share a comma
}

// plain returns a value as it reads back from JSON, with the spelling of its
// numbers.
func plain(value any) any {
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	decoded, err := decodeJSON(encoded)
	if err != nil {
		return nil
	}
	return decoded
}

// maxValueDifferences is the maximum number of differences that are reported of
// two objects.
const maxValueDifferences = 6

// compareValues returns the places where two values differ.
func compareValues(at string, a, b any) []string {
	mapA, okA := a.(map[string]any)
	mapB, okB := b.(map[string]any)
	if okA && okB {
		return compareMembers(at, mapA, mapB)
	}
	listA, okA := a.([]any)
	listB, okB := b.([]any)
	if okA && okB && len(listA) == len(listB) {
		var all []string
		for i := range listA {
			all = append(all, compareValues(fmt.Sprintf("%s[%d]", at, i), listA[i], listB[i])...)
		}
		return all[:min(len(all), maxValueDifferences)]
	}
	if reflect.DeepEqual(a, b) {
		return nil
	}
	return []string{fmt.Sprintf("%s: server %s, judge %s", at, short(a), short(b))}
}

// compareMembers compares two objects key by key.
func compareMembers(at string, a, b map[string]any) []string {
	var all []string
	for _, key := range sortedKeys(a) {
		if value, ok := b[key]; ok {
			all = append(all, compareValues(at+"."+key, a[key], value)...)
			continue
		}
		all = append(all, fmt.Sprintf("%s.%s: only the server's: %s", at, key, short(a[key])))
	}
	for _, key := range sortedKeys(b) {
		if _, ok := a[key]; !ok {
			all = append(all, fmt.Sprintf("%s.%s: only the judge's: %s", at, key, short(b[key])))
		}
	}
	return all[:min(len(all), maxValueDifferences)]
}

// short returns a value as JSON, cut to a maximum length.
func short(value any) string {
	encoded, _ := json.Marshal(value)
	if len(encoded) > 200 {
		return string(encoded[:200]) + "…"
	}
	return string(encoded)
}
