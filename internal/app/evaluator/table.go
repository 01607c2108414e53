package evaluator

import (
	"context"
	"fmt"
	"time"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/kit/columns"
)

// tabled answers the op table.
func (e *evaluator) tabled(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	now, err := time.Parse(time.RFC3339, req.Now)
	if err != nil {
		return nil, fmt.Errorf("now is not a time such as 2026-07-01T12:00:00Z: %w", err)
	}
	version, err := e.tableVersion(req)
	if err != nil {
		return nil, err
	}
	list := []any{}
	for i, in := range req.Objects {
		object, err := decodeMap(fmt.Sprintf("object %d", i), in)
		if err != nil {
			return nil, err
		}
		list = append(list, object)
	}
	table, err := columns.New(version).Table(
		map[string]any{"items": list}, now, columns.Include(columns.IncludeNone))
	if err != nil {
		return nil, err
	}
	result := protocol.Table{}
	for _, c := range table.ColumnDefinitions {
		result.Columns = append(result.Columns, protocol.TableColumn(c))
	}
	for _, row := range table.Rows {
		result.Rows = append(result.Rows, row.Cells)
	}
	return result, nil
}

// tableVersion returns the version of the request, also of a definition that is
// not valid.
func (e *evaluator) tableVersion(req *protocol.Request) (*definition.Version, error) {
	model, err := e.definitions.of(req.CRD, minorOf(req)).model()
	if err != nil {
		return nil, fmt.Errorf("crd is not usable: %w", err)
	}
	version := model.Version(req.Version)
	if version == nil {
		return nil, fmt.Errorf("the definition has no version %q", req.Version)
	}
	return version, nil
}
