// Arbitrary results of each tool, for laws that hold for all results.
import type { Json } from '@codelab/dialects';
import fc from 'fast-check';

/** The answers of language servers are passed on as they are, so those need no sample. */
export function sampleResults(tool: string): fc.Arbitrary<Json> {
  const found = tool.startsWith('lsp_') ? fc.constant({}) : results[tool];
  if (found !== undefined) return found;
  throw new Error(
    `The tool ${tool} has no results. Add a line for it to \`results\` in test/support/sample-results.ts.`,
  );
}

const text = fc.string({ unit: 'grapheme' });
const word = fc.string({ minLength: 1 });
const number = fc.nat();
const flag = fc.boolean();
const page = fc.constantFrom({}, { start_line: 3, end_line: 4, has_more: true });
const entry = fc.record(
  {
    name: word,
    path: word,
    type: fc.constantFrom('file', 'directory', 'symlink', 'other'),
    size: number,
    modified: word,
  },
  { requiredKeys: ['name', 'path', 'type'] },
);

/** The results of the core tools. */
const results: Record<string, fc.Arbitrary<Json>> = {
  read_file: fc
    .tuple(
      fc.record({ path: word, content: text, encoding: word, has_bom: flag, size: number, modified: word }),
      page,
    )
    .map(([result, lines]) => ({ ...result, ...lines })),
  edit_file: edited(),
  multi_edit: edited(),
  notebook_edit: fc.record({
    path: word,
    cell_number: number,
    cell_type: word,
    language: word,
    edit_mode: word,
    diff: text,
    structured_patch: fc.constant([]),
  }),
  apply_patch: fc.record({ files: fc.array(fc.record({ path: word, operation: word })), applied: flag }),
  apply_patch_review: fc.record(
    {
      filtered_diff: text,
      action: fc.constantFrom('apply', 'cancel'),
      chunks_selected: fc.array(number),
      chunks_total: number,
    },
    { requiredKeys: ['action', 'chunks_selected', 'chunks_total'] },
  ),
  undo: fc.record({ taken_back: fc.constant([]), refused: fc.constant([]) }),
  redo: fc.record({ taken_back: fc.constant([]), refused: fc.constant([]) }),
  restore_held_back: fc.record({ call_id: fc.string(), restored: fc.constant([]) }),
  write_file: fc.record({
    path: word,
    operation: fc.constantFrom('created', 'updated', 'unchanged'),
    bytes_written: number,
    additions: number,
    deletions: number,
    diff: text,
    original: fc.option(text),
    structured_patch: fc.constant([]),
  }),
  list_files: fc.record({ path: fc.constant('.'), entries: fc.array(entry), total: number, truncated: flag }),
  search_in_project: fc.record({
    query: text,
    path: fc.constant('.'),
    matches: fc.array(fc.record({ file: word, line: number, column: number, text, match: text })),
    files: fc.array(fc.record({ path: word, modified: word })),
    total: number,
    truncated: flag,
    duration_ms: number,
  }),
  find_files: fc.record({ files: fc.array(word), truncated: flag, duration_ms: number }),
  create_directory: fc.record({ path: word, created: flag }),
  delete_file: fields(['path', 'trash_id', 'deleted', 'recoverable'], ['files', 'bytes', 'retention_hours']),
  move_file: fc.record({ from: word, to: word, moved: flag }),
  'git.diff': fc.record({ diff: text, files: number, lossy: flag }),
  'git.status': fc.record({
    branch: fc.option(word),
    ahead: number,
    behind: number,
    clean: flag,
    entries: fc.array(fc.record({ path: word, index: word, worktree: word })),
    total: number,
    truncated: flag,
  }),
  'git.log': fc.record({ commits: fc.array(fc.record({ hash: word, subject: text, body: text })) }),
  'git.branch': fc.record({ current: fc.option(word), created: word }, { requiredKeys: ['current'] }),
  'git.commit': fc.record({
    hash: word,
    branch: fc.option(word),
    files_committed: number,
    insertions: number,
    deletions: number,
  }),
  prompt_user: fc.record({ action: text }),
  todoread: todos(),
  todowrite: todos(),
  skill: fc.oneof(
    fc.record({ items: fc.constant([]), count: number, problems: fc.array(text) }),
    fc.record({ name: word, description: text, content: text, files: fc.array(word) }),
  ),
  task: fc.record({ ok: fc.constant(true), agent: word, summary: text }),
  run_command: ran(),
  execute_command: ran(),
  run_persistent: fields(['process_id', 'status', 'ready'], ['pid']),
  read_process: fields(['process_id', 'status', 'output'], ['exit_code', 'cursor', 'dropped']),
  write_process: fields(['process_id'], ['bytes']),
  list_processes: fc.record({ processes: fc.array(fields(['process_id', 'status'], ['pid'])) }),
  kill_process: fields(['process_id', 'signal', 'killed'], ['exit_code']),
};

function todos(): fc.Arbitrary<Json> {
  const item = fc.record({ id: word, content: text, status: fc.constantFrom('pending', 'completed') });
  return fc.record({ session_id: word, items: fc.array(item), count: number, in_progress: number });
}

/** A command that succeeded. */
function ran(): fc.Arbitrary<Json> {
  const outputs = fields(['stdout', 'stderr'], ['duration_ms', 'stdout_bytes', 'stderr_bytes']);
  return outputs.map((fields) => ({ ...fields, exit_code: 0, timed_out: false, truncated: false }));
}

function fields(words: readonly string[], numbers: readonly string[]): fc.Arbitrary<Json> {
  const all = [...words.map((name) => [name, word]), ...numbers.map((name) => [name, number])];
  return fc.record(Object.fromEntries(all) as Record<string, fc.Arbitrary<unknown>>);
}

function edited(): fc.Arbitrary<Json> {
  return fc.record({
    path: word,
    operation: fc.constantFrom('created', 'updated'),
    replacements: number,
    occurrences: fc.array(number),
    tolerant: fc.array(word),
    additions: number,
    deletions: number,
    diff: text,
    structured_patch: fc.constant([]),
    original: text,
  });
}
