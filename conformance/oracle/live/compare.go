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

// The server's limits for warnings: above the first, each is cut to the second (in runes), and those that come after
// the first is reached again are dropped.
const (
	maxWarningsText = 4096
	maxWarningText  = 256
)

// status is the part of a metav1.Status that tells a refusal.
type status struct {
	Message string
	Reason  string
	Details struct {
		Causes []struct{ Reason, Message, Field string }
	}
}

// failureFrame is what the server says before the reason why it fails, and the store why an object cannot be read.
var failureFrame = regexp.MustCompile(`^Internal error occurred: (StorageError: .* object not decodable revision=[0-9]+: )?`)

// earlyRefusals are the answers to what is refused before validation: the reason of each status.
var earlyRefusals = map[int]string{
	http.StatusBadRequest: "BadRequest", http.StatusConflict: "Conflict", http.StatusRequestEntityTooLarge: "RequestEntityTooLarge",
	http.StatusUnsupportedMediaType: "UnsupportedMediaType",
}

// verdictOf reads the server's answer to a write. An answer that no verdict can have, such as a conflict or an
// internal error, is an error.
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
		return nil, fmt.Errorf("status %d, reason %s: %s", x.Status, refusal.Reason, refusal.Message)
	}
	return v, nil
}

// compareVerdicts says how the judge's verdict differs from the server's; nothing if it does not, or if one does not that is as good.
func compareVerdicts(server, judged *verdict) []string {
	all := compareVerdict(server, judged)
	if len(all) == 0 {
		return nil
	}
	for _, other := range judged.alternatives() {
		if len(compareVerdict(server, other)) == 0 {
			return nil
		}
	}
	return all
}

// compareVerdict says how one verdict differs from the server's.
func compareVerdict(server, judged *verdict) []string {
	if server.stage != judged.stage {
		return []string{fmt.Sprintf("stage: server %s, judge %s", describe(server), describe(judged))}
	}
	var all []string
	if judged.code != 0 && (server.code != judged.code || server.reason != judged.reason) {
		all = append(all, fmt.Sprintf("status: server %d %s, judge %d %s", server.code, server.reason, judged.code, judged.reason))
	}
	told := judged.code != 0 || server.stage != stageInvalid // a definition's judge has no message for its errors
	if told && nominal(server.message) != nominal(judged.message) && !tellsSome(server.message, judged.message) {
		all = append(all, fmt.Sprintf("message:\n  server %s\n  judge  %s", server.message, judged.message))
	}
	all = append(all, compareLists("error", findingTexts(once(server.errors)), findingTexts(once(judged.errors)))...)
	all = append(all, compareWarnings(server.warnings, judged.warnings)...)
	if judged.returned != nil {
		all = append(all, compareObjects("returned object", server.returned, judged.returned)...)
	}
	if server.stored != nil && judged.stored != nil {
		all = append(all, compareObjects("stored object", withoutMinusZero(server.stored), json.RawMessage(judged.stored))...)
	}
	return all
}

// severalProblems leads the list of what does not fit in an object that is merged.
const severalProblems = "errors:\n"

// tellsSome tells whether the server's message has one or more of the judge's problems with an object that is merged: the server stops anywhere.
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

// describe is a verdict on one line.
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

// selfType is the name that the server gives to the type of a rule's self.
var selfType = regexp.MustCompile(`selfType[0-9]+`)

// generatedName is a name that the server made from the generateName of an object whose name was taken away (see envelope).
var generatedName = regexp.MustCompile(`"made-[0-9a-z]{5}"`)

// nominal takes out what is random: the number in the names of types, and the end of names that are generated.
func nominal(message string) string {
	return generatedName.ReplaceAllString(selfType.ReplaceAllString(message, "selfType"), `"made-"`)
}

// once drops repeated findings of the object's own metadata: on an update the server checks it twice and says everything
// twice.
func once(list []finding) []finding {
	var kept []finding
	for _, f := range list {
		if !strings.HasPrefix(f.Field, "metadata") || !slices.Contains(kept, f) {
			kept = append(kept, f)
		}
	}
	return kept
}

// compareLists compares as multisets: the server's order is random in places.
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

// compareWarnings compares the warnings as the server sends them: each once. Of a list so long that the server cuts
// it, the order decides what is sent; there only the cut texts must be among the judge's.
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

// compareObjects compares two objects less what the server owns.
func compareObjects(what string, server, judged any) []string {
	a, okA := plain(server).(map[string]any)
	b, okB := plain(judged).(map[string]any)
	if !okA || !okB {
		return []string{fmt.Sprintf("%s: server %T, judge %T", what, server, judged)}
	}
	return compareValues(what, withoutServerOwned(a), withoutServerOwned(b))
}

// minusZero is a zero as the server writes that of a request which has it with a point and a minus; who reads it reads the integer 0.
var minusZero = regexp.MustCompile(`([:,\[])-0([,\]}])`)

// withoutMinusZero is a stored object with the zeros that are read. The server writes no space between tokens, so that a match in a string can only
// make a difference, not hide one.
func withoutMinusZero(stored []byte) json.RawMessage {
	once := minusZero.ReplaceAll(stored, []byte("${1}0${2}"))
	return minusZero.ReplaceAll(once, []byte("${1}0${2}")) // neighbours share a comma
}

// plain is a value as it reads back from JSON, numbers as they are spelled.
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

// maxValueDifferences bounds what is told of two objects.
const maxValueDifferences = 6

// compareValues lists the places where two values differ.
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

// short is a value as JSON, cut.
func short(value any) string {
	encoded, _ := json.Marshal(value)
	if len(encoded) > 200 {
		return string(encoded[:200]) + "…"
	}
	return string(encoded)
}
