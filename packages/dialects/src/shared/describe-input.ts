// The arguments of a row as a JSON Schema, with a description of every field that its name does not explain: for models and for people.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

// Built once for each row: a gateway offers the same tools in every turn of every session.
const schemas = new WeakMap<WireTool, unknown>();

export function describeInput(row: WireTool): unknown {
  const before = schemas.get(row);
  if (before !== undefined) return before;
  const schema = describe(row);
  schemas.set(row, schema);
  return schema;
}

function describe(row: WireTool): unknown {
  const { $schema: _, ...schema } = z.toJSONSchema(row.input(), { io: 'input', override: plainNumber });
  const notes = { ...fieldNotes[row.name], ...row.notes };
  const forms = fieldForms[row.name] ?? {};
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const description = notes[name];
    const described = {
      ...(field as object),
      ...forms[name],
      ...(description !== undefined && { description }),
    };
    return [name, described];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Every whole number has these bounds, so they say nothing. */
export function plainNumber({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

// Facts that the tool checks and the row does not: accepted values, and the items of a list.

const text = { type: 'string' };

const fieldForms: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'git.branch': { action: { enum: ['list', 'create', 'switch', 'delete'] } },
  skill: { action: { enum: ['list', 'load'] } },
  kill_process: { signal: { enum: ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGKILL'] } },
  notebook_edit: {
    cell_type: { enum: ['code', 'markdown', 'raw'] },
    edit_mode: { enum: ['replace', 'insert', 'delete'] },
  },
  todowrite: {
    todos: {
      items: {
        type: 'object',
        properties: {
          content: text,
          status: { ...text, enum: ['pending', 'in_progress', 'completed', 'cancelled'] },
          priority: { ...text, enum: ['high', 'medium', 'low'] },
          id: text,
        },
        required: ['content'],
        additionalProperties: false,
      },
    },
  },
};

// Descriptions of a tool's fields for a model, beyond their names.

const path = 'Relative to the workspace, or absolute inside it.';
const cwd = 'The folder to start in; default: the root of the workspace.';
const network = 'Request network access, which commands do not have by default.';
const sandbox = '`off`: outside the sandbox; a human is asked.';
const piece = {
  old_string:
    'The exact text to replace, with its indentation and line breaks; must occur exactly once unless replace_all.',
  new_string: 'The replacement text.',
  replace_all: 'Replace every occurrence.',
};

const fieldNotes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  read_file: {
    path,
    start_line: 'First line, counted from 1.',
    end_line: 'Last line, included.',
    max_lines: 'Number of lines, instead of end_line.',
  },
  write_file: {
    path,
    content: 'The whole new content of the file.',
    keep_line_endings: 'End lines as the old file does; default: as they end in content.',
  },
  edit_file: {
    path,
    ...piece,
    tolerant: 'If nothing matches exactly, overlook trailing blanks, line endings and typographic quotes.',
  },
  multi_edit: { path, edits: 'Each is made on the result of the one before it; if one fails, none is made.' },
  notebook_edit: { path, cell_number: 'Counted from 0.', new_source: 'The cell’s whole new text.' },
  apply_patch: {
    diff: 'A unified or git diff, or the *** Begin Patch form.',
    strict: 'Refuse when there are uncommitted changes.',
  },
  apply_patch_review: {
    diff: 'The diff to choose from.',
    message: 'What the human should know when choosing.',
  },
  undo: {
    call_id: 'The call to undo; default: the latest turn.',
    force: 'Also undo files that were changed since.',
  },
  restore_held_back: {
    call_id: 'The command whose result lists held-back files.',
    paths: 'Only these of them.',
  },
  list_files: {
    path,
    pattern: 'A glob such as *.ts or src/**/*.md.',
    max_entries: 'At most this many; default 1000.',
  },
  search_in_project: {
    query: 'The text to find, or with regex a regular expression.',
    path: 'Only below this folder, or in this file.',
    file_pattern: 'Only in files that match this glob, such as *.ts.',
    max_results: 'At most this many matches; default 100.',
    context: 'Lines of context before and after each match.',
    output_mode: 'The lines that match (default), only the files, or how many lines in each.',
  },
  delete_file: { path, recursive: 'Needed to delete a folder that is not empty.' },
  move_file: { from: path, to: path, overwrite: 'Replace an existing file.' },
  run_command: {
    command:
      'A line for /bin/sh. It gets no input; nothing it starts outlives it: use run_persistent for servers.',
    cwd,
    timeout: 'Seconds; 300 at most and by default.',
    env: 'More variables for it. A human is asked then.',
    network,
    sandbox,
  },
  run_persistent: {
    command: 'A long-running line for /bin/sh, such as a server.',
    process_id: 'A name of your choice, for reading, writing to and ending it.',
    cwd,
    ready_pattern: 'Wait until a line with this text was printed.',
    ready_port: 'Wait until this port on this machine answers.',
    network,
    sandbox,
  },
  read_process: { cursor: '`cursor` of the previous result; default: the start of the stored output.' },
  kill_process: { signal: 'Default SIGTERM, then SIGKILL.' },
  'git.diff': { staged: 'Show the staged changes instead of the unstaged ones.' },
  'git.commit': { files: 'Commit exactly these files; default: the staged changes.' },
  'git.branch': {
    action: 'Default: list.',
    from: 'Where a new branch begins; default: here.',
  },
  lsp_references: { include_declaration: 'Also the place where it is declared; default: true.' },
  lsp_symbols: {
    path: 'The file; with query, any file of the language to search.',
    query: 'Search the whole workspace for symbols that fit this.',
  },
  prompt_user: { actions: 'What the human can choose from.' },
  skill: { name: 'The skill to load.' },
  task: {
    agent: 'The sub-agent’s profile.',
    objective: 'Everything it needs to know: it does not see this conversation.',
  },
};
