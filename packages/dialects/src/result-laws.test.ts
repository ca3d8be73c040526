import { errorCodes, type Failure, type Outcome, statusOf } from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Dialect, Json, WireCall, WireTool } from './dialect.ts';
import { dialectNames, findDialect } from './dialects.ts';

type Asked = Pick<WireCall, 'id' | 'wire'>;

const text = fc.string({ unit: 'grapheme' });
const word = fc.string({ minLength: 1 });
const id = fc.string({ minLength: 1, maxLength: 200 }).filter((one) => !/\p{Cc}/u.test(one));
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

/** What the core tools return. */
const data: Record<string, fc.Arbitrary<Json>> = {
  read_file: fc
    .tuple(
      fc.record({ path: word, content: text, encoding: word, has_bom: flag, size: number, modified: word }),
      page,
    )
    .map(([whole, lines]) => ({ ...whole, ...lines })),
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

const details = fc.record({ reason: fc.constantFrom('traversal', 'symlink', 'empty', 'other') });
const failure = fc.record(
  { code: fc.constantFrom(...errorCodes), message: text, details },
  { requiredKeys: ['code', 'message'], noNullPrototype: true },
);

const kode = findDialect('kode');
const coded = dialectNames.filter((name) => name !== 'kode').map((name) => findDialect(name));

describe.each(coded)('$name', (dialect) => {
  test('a failure keeps its state and its code', () => {
    fc.assert(
      fc.property(askedIn(dialect), failure, ({ asked }, error) => {
        const status = statusOf(error.code);
        const outcome: Outcome = { ...ended(asked), status, error: error as Failure };
        const wire = dialect.encode({ type: 'result', asked, outcome });
        expect(dialect.decode(wire)).toMatchObject({
          type: 'result',
          outcome: { status, error: { code: error.code } },
        });
        expect(holes(wire)).toEqual([]);
      }),
    );
  });
});

test('kode has no words for states and codes, but a failure stays one and keeps its text', () => {
  fc.assert(
    fc.property(askedIn(kode), failure, word, ({ asked }, { code }, message) => {
      const outcome: Outcome = { ...ended(asked), status: statusOf(code), error: { code, message } };
      const wire = kode.encode({ type: 'result', asked, outcome });
      const said = asked.wire.tool === 'MultiEdit' ? expect.stringContaining(message) : message;
      expect(kode.decode(wire)).toMatchObject({
        outcome: { status: 'failed', error: { code: 'EXECUTION_FAILED', message: said } },
      });
      expect(holes(wire)).toEqual([]);
    }),
  );
});

describe.each(dialectNames.map((name) => findDialect(name)))('$name', (dialect) => {
  test('a result keeps what the wire says and repeats the paths as they were asked', () => {
    fc.assert(
      fc.property(askedIn(dialect), ({ asked, row, data }) => {
        const wire = dialect.encode({
          type: 'result',
          asked,
          outcome: { ...ended(asked), status: 'completed', data },
        });
        const said = row.toWire(data, asked.wire.args);
        const output = typeof said === 'string' ? { output: said } : said;
        const read =
          row.metadata === undefined
            ? output
            : { output: said, metadata: row.metadata(data, asked.wire.args) };
        expect(dialect.decode(wire)).toMatchObject({ outcome: { status: 'completed', data: read } });
        for (const name of ['path', 'from', 'to'].filter((one) => one in Object(said))) {
          expect(said).toHaveProperty(name, asked.wire.args[name]);
        }
        expect(holes(wire)).toEqual([]);
      }),
    );
  });
});

function askedIn(dialect: Dialect): fc.Arbitrary<{ asked: Asked; row: WireTool; data: Json }> {
  const strings = [
    'old_string',
    'new_string',
    'content',
    'new_source',
    'file_path',
    'notebook_path',
    'command',
  ];
  const paths = fc.record({
    path: text,
    from: text.map((rest) => `/${rest}`),
    to: text,
    edits: fc.array(fc.record({ old_string: text, new_string: text }), { minLength: 1 }),
    ...Object.fromEntries(strings.map((name) => [name, text])),
  });
  return fc.constantFrom(...dialect.tools).chain((row) =>
    fc.record({ id, args: paths, data: data[row.tool] ?? fc.constant({}) }).map(({ id, args, data }) => ({
      asked: { id, wire: { tool: row.name, args } },
      row,
      data,
    })),
  );
}

function todos(): fc.Arbitrary<Json> {
  const item = fc.record({ id: word, content: text, status: fc.constantFrom('pending', 'completed') });
  return fc.record({ session_id: word, items: fc.array(item), count: number, in_progress: number });
}

/** A command that succeeded. */
function ran(): fc.Arbitrary<Json> {
  const said = fields(['stdout', 'stderr'], ['duration_ms', 'stdout_bytes', 'stderr_bytes']);
  return said.map((fields) => ({ ...fields, exit_code: 0, timed_out: false, truncated: false }));
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

function ended({ id, wire }: Asked): Omit<Extract<Outcome, { status: 'completed' }>, 'status' | 'data'> {
  return { callId: id, tool: wire.tool, startedAt: 1_700_000_000_000, durationMs: 12, effects: [] };
}

/** The paths of null or undefined values in a message. */
function holes(value: unknown, at = ''): string[] {
  if (value === null || value === undefined) return [at];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => holes(item, `${at}.${key}`));
}
