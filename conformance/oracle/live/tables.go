package live

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/kit/columns"
)

const mediaTable = "application/json;as=Table;g=meta.k8s.io;v=v1"

// get asks for a path in a media type. It returns the answer's JSON, nil if the
// answer is not 200.
func (s *apiServer) get(path, accept string) (map[string]any, error) {
	request, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	response, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return nil, err
	}
	value, err := decodeJSON(text)
	object, _ := value.(map[string]any)
	return object, err
}

// table compares the table of a list with ours, and the discovery of a version.
func (s *session) table(x *exchange, list map[string]any, v version) error {
	crd, _, err := definition.Parse(encode(s.resource.object))
	if err != nil {
		return err
	}
	model, err := definition.Compile(crd)
	if err != nil {
		return err
	}
	start := time.Now()
	table, err := s.server.get(s.resource.path(v.name, ""), mediaTable)
	if err != nil {
		return err
	}
	end := time.Now()
	value, err := protocol.ParseValue(encode(list))
	if err != nil {
		return err
	}
	objects, _ := value.(map[string]any)
	ours, err := tableWithin(columns.New(model.Version(v.name)), objects, start, end, table)
	if err != nil {
		return err
	}
	difference, err := differs(withoutVersion(table), ours)
	if err != nil {
		return err
	}
	if difference != "" {
		s.note("table", x, nil, []string{difference})
	}
	group, version := model.Group(), v.name
	served, err := s.server.get("/apis/"+group+"/"+version, mediaJSON)
	if err != nil {
		return err
	}
	installed := definition.Install(crd).Resources(group, version)
	resources, _ := served["resources"].([]any)
	resources = slices.DeleteFunc(resources, func(r any) bool {
		resource, _ := r.(map[string]any)
		name := text(resource, "name")
		return name != model.Names().Plural && !strings.HasPrefix(name, model.Names().Plural+"/")
	})
	if difference, err = differs(resources, installed); difference != "" {
		s.note("discovery", x, nil, []string{difference})
	}
	return err
}

// tableWithin returns our table of a list that the server rendered between two
// instants. Each of its ages is counted from another one: a cell is the
// server's if it is ours at some instant between them.
func tableWithin(
	shown *columns.Columns, list map[string]any, start, end time.Time, server map[string]any,
) (*columns.Table, error) {
	ours, err := shown.Table(list, start)
	if err != nil {
		return nil, err
	}
	ours.Metadata.ResourceVersion = ""
	rows, _ := server["rows"].([]any)
	for now := start; now.Before(end); {
		if now = now.Add(time.Second); now.After(end) {
			now = end
		}
		later, err := shown.Table(list, now)
		if err != nil {
			return nil, err
		}
		for i, row := range later.Rows[:min(len(later.Rows), len(rows))] {
			given, _ := rows[i].(map[string]any)
			cells, _ := given["cells"].([]any)
			for j, cell := range row.Cells[:min(len(row.Cells), len(cells))] {
				if cell == cells[j] {
					ours.Rows[i].Cells[j] = cell
				}
			}
		}
	}
	return ours, nil
}

// withoutVersion leaves out the resourceVersion of a list, which writes of
// other resources change between two requests.
func withoutVersion(table map[string]any) map[string]any {
	if metadata, ok := table["metadata"].(map[string]any); ok {
		delete(metadata, "resourceVersion")
	}
	return table
}

// differs compares a value with the JSON of another.
func differs(server, ours any) (string, error) {
	text, err := json.Marshal(ours)
	if err != nil {
		return "", err
	}
	value, err := decodeJSON(text)
	if err != nil || reflect.DeepEqual(value, server) {
		return "", err
	}
	return fmt.Sprintf("server %s, judge %s", encode(server), text), nil
}
