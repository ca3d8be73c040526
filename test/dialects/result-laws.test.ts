import {
  type Dialect,
  dialectNames,
  findDialect,
  type Json,
  type WireCall,
  type WireTool,
} from '@codelab/dialects';
import { errorCodes, type Failure, type Outcome, statusOf } from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleResults } from '../support/sample-results.ts';

type Asked = Pick<WireCall, 'id' | 'wire'>;

const text = fc.string({ unit: 'grapheme' });
const word = fc.string({ minLength: 1 });
const id = fc.string({ minLength: 1, maxLength: 200 }).filter((text) => !/\p{Cc}/u.test(text));

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
        expect(
          dialect.decode(wire),
          `${dialect.name} reads another result of ${row.name} than it writes. In plugin, a row whose result is an object needs \`metadata\` and \`fromWire\`.`,
        ).toMatchObject({ outcome: { status: 'completed', data: read } });
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
    fc.record({ id, args: paths, data: sampleResults(row.tool) }).map(({ id, args, data }) => ({
      asked: { id, wire: { tool: row.name, args } },
      row,
      data,
    })),
  );
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
