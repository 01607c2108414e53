package kube

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/crdsem/crdsem/internal/app/protocol"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"
)

// tabled answers with the table convertor of custom resources.
func tabled(ctx context.Context, req *protocol.Request) (protocol.Result, error) {
	now, err := time.Parse(time.RFC3339, req.Now)
	if err != nil {
		return nil, err
	}
	crd, err := servedDefinition(req.CRD)
	if err != nil {
		return nil, err
	}
	declared, err := Columns(crd, req.Version)
	if err != nil {
		return nil, err
	}
	list := &unstructured.UnstructuredList{}
	for i, in := range req.Objects {
		object, err := mapOf(in)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", i, err)
		}
		list.Items = append(list.Items, unstructured.Unstructured{Object: object})
	}
	table, err := Table(ctx, declared, list, now)
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

// ageColumn is the column that the server shows if a version declares none. It
// is written here from getColumnsForVersion, which is not exported.
var ageColumn = v1.CustomResourceColumnDefinition{
	Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp",
	Description: metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"],
}

// Columns returns the columns that a server shows for a version.
func Columns(
	crd *v1.CustomResourceDefinition, version string,
) ([]v1.CustomResourceColumnDefinition, error) {
	for _, v := range crd.Spec.Versions {
		switch {
		case v.Name != version:
		case len(v.AdditionalPrinterColumns) == 0:
			return []v1.CustomResourceColumnDefinition{ageColumn}, nil
		default:
			return v.AdditionalPrinterColumns, nil
		}
	}
	return nil, fmt.Errorf("no version %q", version)
}

// Table returns the real code's table of a list at a time. The convertor counts
// ages from the clock; they are counted again here, by the function that it
// calls, from the strings that the same columns have as strings.
func Table(
	ctx context.Context, declared []v1.CustomResourceColumnDefinition,
	list *unstructured.UnstructuredList, now time.Time,
) (*metav1.Table, error) {
	table, err := tableOf(ctx, declared, list)
	if err != nil {
		return nil, err
	}
	texts := slices.Clone(declared)
	for i := range texts {
		texts[i].Type = "string"
	}
	dates, err := tableOf(ctx, texts, list)
	if err != nil {
		return nil, err
	}
	for i, row := range table.Rows {
		for j, cell := range row.Cells {
			if table.ColumnDefinitions[j].Type != "date" || cell == nil ||
				cell == "<invalid>" && !isTime(dates.Rows[i].Cells[j]) || cell == "<unknown>" {
				continue
			}
			var at metav1.Time
			if err := at.UnmarshalQueryParameter(dates.Rows[i].Cells[j].(string)); err != nil {
				return nil, err
			}
			row.Cells[j] = duration.HumanDuration(now.Sub(at.Time))
		}
	}
	return table, nil
}

// isTime reports whether a cell is a date that the convertor reads.
func isTime(cell any) bool {
	text, _ := cell.(string)
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

// tableOf returns the table of a convertor. Like the server, it goes on with
// the columns before one that does not parse.
func tableOf(
	ctx context.Context, declared []v1.CustomResourceColumnDefinition,
	list *unstructured.UnstructuredList,
) (*metav1.Table, error) {
	convertor, _ := tableconvertor.New(declared)
	return convertor.ConvertToTable(ctx, list, nil)
}
