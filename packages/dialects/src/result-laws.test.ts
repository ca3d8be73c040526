import { errorCodes, type Failure, type Outcome } from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AskedCall, Dialect, Json, WireTool } from './dialect.ts';
import { dialects } from './dialects.ts';
import { statusOf } from './read/status-of.ts';

type Asked = Pick<AskedCall, 'id' | 'wire'>;

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
  write_file: fc.record({
    path: word,
    operation: fc.constantFrom('created', 'updated', 'unchanged'),
    bytes_written: number,
    additions: number,
    deletions: number,
    diff: text,
  }),
  list_files: fc.record({ path: fc.constant('.'), entries: fc.array(entry), total: number, truncated: flag }),
  create_directory: fc.record({ path: word, created: flag }),
  delete_file: fc.record({
    path: word,
    deleted: flag,
    files: number,
    bytes: number,
    recoverable: flag,
    trash_id: word,
  }),
  move_file: fc.record({ from: word, to: word, moved: flag }),
  prompt_user: fc.record({ action: text }),
};

const details = fc.record({ reason: fc.constantFrom('traversal', 'symlink', 'empty', 'other') });
const failure = fc.record(
  { code: fc.constantFrom(...errorCodes), message: text, details },
  { requiredKeys: ['code', 'message'], noNullPrototype: true },
);

describe.each(Object.values(dialects))('$name', (dialect) => {
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

  test('a result keeps what the wire says and repeats the paths as they were asked', () => {
    fc.assert(
      fc.property(askedIn(dialect), ({ asked, row, data }) => {
        const wire = dialect.encode({
          type: 'result',
          asked,
          outcome: { ...ended(asked), status: 'completed', data },
        });
        const said = row.toWire(data, asked.wire.args);
        const read =
          row.metadata === undefined ? said : { output: said, metadata: row.metadata(data, asked.wire.args) };
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
  const paths = fc.record({ path: text, from: text.map((rest) => `/${rest}`), to: text });
  return fc.constantFrom(...dialect.tools).chain((row) =>
    fc.record({ id, args: paths, data: data[row.tool] ?? fc.constant({}) }).map(({ id, args, data }) => ({
      asked: { id, wire: { tool: row.name, args } },
      row,
      data,
    })),
  );
}

function ended({ id, wire }: Asked): Omit<Extract<Outcome, { status: 'completed' }>, 'status' | 'data'> {
  return { callId: id, tool: wire.tool, startedAt: 1_700_000_000_000, durationMs: 12, effects: [] };
}

/** Where a message has null or undefined. */
function holes(value: unknown, at = ''): string[] {
  if (value === null || value === undefined) return [at];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => holes(item, `${at}.${key}`));
}
