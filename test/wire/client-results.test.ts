// A client's result of a call is read back as the tool's own data: fromWire(toWire(data)) is the identity.
import { type Dialect, findDialect, readClientResult } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import { catalogue } from '@codelab/runtime';
import { expect, test } from 'vitest';

type Json = Record<string, unknown>;

const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] };
const edited = {
  operation: 'updated',
  additions: 1,
  deletions: 1,
  diff: '-a\n+b\n',
  structured_patch: [hunk],
};
const ran = {
  stdout: 'out',
  stderr: 'err',
  exit_code: 3,
  duration_ms: 7,
  timed_out: false,
  truncated: false,
};
const commit = {
  hash: 'a'.repeat(40),
  author: 'me',
  email: 'me@here',
  date: '2026-01-01',
  subject: 's',
  body: '',
};

/** The input and the result of each tool. */
const samples: [tool: string, args: Json, data: Json][] = [
  [
    'read_file',
    { path: 'd/a' },
    {
      path: 'd/a',
      content: 'x\n',
      encoding: 'utf-8',
      has_bom: false,
      size: 2,
      modified: '2026-01-01T00:00:00.000Z',
    },
  ],
  ['write_file', { path: 'a', content: 'b' }, { path: 'a', bytes_written: 1, ...edited }],
  [
    'edit_file',
    { path: 'a', old_string: 'a', new_string: 'b' },
    { path: 'a', replacements: 1, occurrences: [1], tolerant: [], ...edited },
  ],
  [
    'multi_edit',
    { path: 'a', edits: [] },
    { path: 'a', replacements: 2, occurrences: [1], tolerant: ['x'], ...edited },
  ],
  [
    'apply_patch',
    { diff: 'd' },
    {
      applied: true,
      files: [
        { path: 'a', operation: 'update', additions: 1, deletions: 0, offsets: [], tolerant: [], bytes: 1 },
      ],
    },
  ],
  [
    'list_files',
    { path: 'd' },
    { path: 'd', entries: [{ name: 'a', path: 'd/a', type: 'file', size: 1 }], total: 1, truncated: false },
  ],
  [
    'list_files',
    { path: '.' },
    { path: '.', entries: [{ name: 'd', path: 'd', type: 'directory' }], total: 1, truncated: false },
  ],
  [
    'search_in_project',
    { query: 'x', path: '.' },
    {
      query: 'x',
      path: '.',
      matches: [{ file: 'd/a', line: 1, column: 2, text: 'axb', match: 'x' }],
      total: 1,
      truncated: false,
      duration_ms: 1,
    },
  ],
  ['create_directory', { path: 'd' }, { path: 'd', created: true }],
  [
    'delete_file',
    { path: 'a' },
    { path: 'a', deleted: true, files: 1, bytes: 2, recoverable: true, trash_id: 't' },
  ],
  ['move_file', { from: 'a', to: 'b' }, { from: 'a', to: 'b', moved: true }],
  ['run_command', { command: 'x' }, { ...ran, stdout_bytes: 3, stderr_bytes: 3 }],
  ['git.diff', { path: '.' }, { diff: 'diff --git a/a b/a\n', files: 1, lossy: false }],
  [
    'git.commit',
    { message: 'm' },
    { hash: 'h', branch: 'main', files_committed: 1, insertions: 1, deletions: 0 },
  ],
  [
    'git.status',
    { path: '.' },
    { branch: null, ahead: 0, behind: 0, clean: true, entries: [], total: 0, truncated: false },
  ],
  ['git.log', {}, { commits: [commit] }],
  ['git.branch', {}, { current: 'main', branches: [{ name: 'main', hash: 'h', current: true }] }],
  [
    'run_persistent',
    { process_id: 'p', command: 'x' },
    { process_id: 'p', pid: 7, status: 'running', ready: true },
  ],
  [
    'read_process',
    { process_id: 'p' },
    { process_id: 'p', status: 'running', exit_code: null, output: 'x', cursor: 1, dropped: 0 },
  ],
  ['write_process', { process_id: 'p', input: 'x' }, { process_id: 'p', bytes: 1 }],
  ['kill_process', { process_id: 'p' }, { process_id: 'p', killed: true, exit_code: 143, signal: 'SIGTERM' }],
  ['list_processes', {}, { processes: [] }],
  ['undo', {}, { taken_back: [{ session: 's', call_id: 'c', paths: ['a'] }], refused: [], steps: [1] }],
  ['skill', { action: 'list' }, { items: [], count: 0, problems: [] }],
];

const spoken = [findDialect('agent'), findDialect('codelab')];
const cases = spoken.flatMap((dialect) =>
  samples.flatMap(([tool, args, data]) => {
    const row = dialect.tools.find((one) => one.tool === tool);
    return row === undefined ? [] : [{ dialect, name: `${dialect.name} ${tool}`, tool, args, data }];
  }),
);

test.each(cases)(
  '$name: what a good client says is read back as the same',
  ({ dialect, tool, args, data }) => {
    const wire = said(dialect, tool, args, data);
    const core = read(dialect, tool, args, wire);
    expect(core).not.toBeInstanceOf(ToolError);
    expect(said(dialect, tool, args, core as Json)).toEqual(wire);
    expect(toolOf(tool).tell(core as Json)).toBeTypeOf('string');
  },
);

test.each([
  ['write_file', { path: 'a', content: 'b' }, { success: true }],
  ['list_files', { path: 'd' }, { files: [{ name: 'a', is_directory: false }] }],
  ['run_command', { command: 'x' }, { exit_code: 0 }],
  ['delete_file', { path: 'a' }, { success: true }],
])('%s: a few words are enough', (tool, args, wire) => {
  expect(read(findDialect('agent'), tool, args, wire)).not.toBeInstanceOf(ToolError);
});

test.each([
  ['list_files', { path: 'd' }, { files: [{ name: 7 }] }],
  ['run_command', { command: 'x' }, { exit_code: 'zero' }],
  ['search_in_project', { query: 'x' }, { matches: [null] }],
  ['read_file', { path: 'a' }, { content: null }],
])('%s: what does not fit is refused by its field', (tool, args, wire) => {
  const { code, details } = read(findDialect('agent'), tool, args, wire as Json) as ToolError;
  expect([code, details?.field]).toEqual(['EXECUTION_FAILED', expect.stringContaining('result.')]);
});

function read(dialect: Dialect, tool: string, args: Json, wire: Json): Json | ToolError {
  return readClientResult(dialect, { tool, args, output: toolOf(tool).output() }, wire);
}

function toolOf(name: string) {
  const found = catalogue.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

function said(dialect: Dialect, tool: string, args: Json, data: Json): Json {
  const ended = { callId: 'c', tool, startedAt: 0, durationMs: 0, effects: [] };
  const outcome = { ...ended, status: 'completed' as const, data };
  const { result } = dialect.encode({
    type: 'result',
    asked: dialect.spell({ id: 'c', tool, args }),
    outcome,
  });
  return result as Json;
}
