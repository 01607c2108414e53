-- Drives the language server in Neovim without a screen: opens, types, completes, acts. It runs in a
-- folder with crd.yaml and x.yaml; CRDSEM names the program. The last line that it prints is "ok".
local function fail(text)
  io.stderr:write(text .. "\n")
  vim.cmd("cquit 1")
end

local function wait(what, condition)
  if not vim.wait(30000, condition, 20) then
    fail("timeout: " .. what)
  end
end

vim.cmd("edit x.yaml")
local id = vim.lsp.start_client({
  name = "crdsem",
  cmd = { vim.env.CRDSEM, "lsp" },
  root_dir = vim.fn.getcwd(),
  on_error = function(code, err)
    fail("error " .. tostring(code) .. ": " .. vim.inspect(err))
  end,
})
vim.lsp.buf_attach_client(0, id)

local function messages()
  return vim.tbl_map(function(d)
    return d.message
  end, vim.diagnostic.get(0))
end

local function has(text)
  return function()
    return table.concat(messages(), "\n"):find(text, 1, true) ~= nil
  end
end

local function request(method, params)
  local answers, problem = vim.lsp.buf_request_sync(0, method, params, 30000)
  local answer = answers and answers[id]
  if not answer or answer.err then
    fail(method .. ": " .. vim.inspect(answer or problem))
  end
  return answer.result
end

-- Open: the misspelt field is found.
wait("the finding", has('unknown field "spec.imagge"'))

-- Act: the preferred action renames it.
vim.api.nvim_win_set_cursor(0, { 6, 2 })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local actions = request("textDocument/codeAction", params)
if actions[1].title ~= "change it to image" then
  fail("actions: " .. vim.inspect(actions))
end
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
wait("the finding is gone", function()
  return not has("imagge")()
end)

-- Type and complete: what is typed narrows the list, and an item is applied.
vim.api.nvim_buf_set_lines(0, -1, -1, false, { "  si" })
vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(0), 3 })
local at = vim.lsp.util.make_position_params()
at.position.character = 4
local list = request("textDocument/completion", at)
local item = vim.tbl_filter(function(i)
  return i.label == "size"
end, list.items)[1]
if not item then
  fail("completion: " .. vim.inspect(list))
end
vim.lsp.util.apply_text_edits({ item.textEdit }, 0, "utf-16")
vim.api.nvim_buf_set_lines(0, -2, -1, false, { "  size: many" })
wait("the wrong value", has("must be of type integer"))

-- Hover and the declaration.
local hover = request("textDocument/hover", at)
if not hover.contents.value:find("**size**: integer", 1, true) then
  fail("hover: " .. vim.inspect(hover))
end
local declared = request("textDocument/definition", at)
if not declared.uri:find("crd.yaml", 1, true) then
  fail("definition: " .. vim.inspect(declared))
end

io.stdout:write("ok\n")
vim.cmd("qall!")
