import { h } from "../dom.js";

/** Shows the table that kubectl prints. */
export async function tablePanel(shown) {
  const stored = shown.objects.filter((object) => object.stored);
  if (!stored.length)
    return [h("p", { class: "empty" }, "There is no object that could be listed.")];
  const { version } = stored[0];
  const same = stored.filter((object) => object.version === version);
  const { columns, rows } = await shown.request({
    op: "table",
    crd: shown.state.definition,
    version,
    objects: same.map((object) => object.stored),
    now: new Date().toISOString(),
  });
  return [
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "The table of kubectl get" },
      h(
        "table",
        { class: "kubectl" },
        h("caption", {}, "kubectl get -o wide"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            columns.map((column) => {
              const wide = column.priority > 0 ? "wide" : undefined;
              return h("th", { scope: "col", title: column.description, class: wide }, column.name);
            }),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              {},
              row.map((cell) => h("td", {}, cellText(cell))),
            ),
          ),
        ),
      ),
    ),
    h("p", { class: "note" }, "An age needs metadata.creationTimestamp, which the server sets."),
  ];
}

function cellText(cell) {
  if (cell === null || cell === undefined) return "<none>";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
