package evaluator

import "k8s.io/apimachinery/pkg/util/validation/field"

// texts collects messages, each once.
type texts struct {
	list []string
	seen map[string]bool
}

func newTexts() *texts { return &texts{seen: map[string]bool{}} }

func (t *texts) add(all ...string) {
	for _, text := range all {
		if !t.seen[text] {
			t.seen[text] = true
			t.list = append(t.list, text)
		}
	}
}

// messages returns the messages of errors, each once.
func messages(list field.ErrorList) []string {
	t := newTexts()
	for _, err := range list {
		t.add(err.Error())
	}
	return t.list
}
