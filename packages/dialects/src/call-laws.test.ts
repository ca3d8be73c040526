import type { Decision } from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { Dialect, Json, WireCall, WireTool } from './dialect.ts';
import { dialectNames, findDialect } from './dialects.ts';

const text = fc.string({ unit: 'grapheme' });
const word = fc.string({ minLength: 1 });
const id = fc.string({ minLength: 1, maxLength: 200 }).filter((text) => !/\p{Cc}/u.test(text));
const path = fc.oneof(
  fc.constantFrom('.', '/', './a', 'a//b/', '/a/b.txt', '//a', 'a/../b', '../x', ''),
  fc.array(word, { minLength: 1 }).map((names) => names.join('/')),
  text.map((rest) => `/${rest}`),
);
const line = fc.integer({ min: 1, max: 1e6 });
const flag = fc.boolean();

/** Values for the arguments of every row, by their names on the wire. */
const values: Record<string, fc.Arbitrary<unknown>> = {
  ...valueForEach(['path', 'from', 'to', 'file_path', 'notebook_path'], path),
  ...valueForEach(
    ['content', 'message', 'pattern', 'diff', 'patch', 'new_source', 'cell_type', 'edit_mode'],
    text,
  ),
  ...valueForEach(['old_string', 'new_string', 'session', 'call_id', 'description'], text),
  ...valueForEach(['start_line', 'end_line', 'max_lines', 'max_entries', 'turn'], line),
  ...valueForEach(['line', 'character'], line),
  ...valueForEach(['symbol', 'new_name'], text),
  include_declaration: flag,
  ...valueForEach(['offset', 'limit'], fc.integer()),
  ...valueForEach(
    [
      'recursive',
      'include_hidden',
      'overwrite',
      'create_dirs',
      'backup',
      'createIfMissing',
      'keep_line_endings',
    ],
    flag,
  ),
  ...valueForEach(['replace_all', 'tolerant', 'dry_run', 'strict', 'force'], flag),
  cell_number: fc.integer(),
  edits: fc.array(fc.record({ old_string: text, new_string: text }), { minLength: 1 }),
  actions: fc.array(text),
  todos: fc.array(fc.record({ id: text, content: text, status: text, priority: text })),
  ...valueForEach(['agent', 'objective'], text),
  ...valueForEach(['action', 'name'], text),
  ...valueForEach(['command', 'process_id', 'input', 'signal', 'ready_pattern'], text),
  ...valueForEach(['cursor', 'max_bytes', 'ready_port'], line),
  ...valueForEach(['timeout', 'ready_timeout'], fc.integer({ min: 1, max: 3600 })),
  ...valueForEach(['network', 'pty'], flag),
  sandbox: fc.constantFrom('auto', 'off'),
  env: fc.dictionary(fc.constantFrom('CI', 'DEBUG'), text, { noNullPrototype: true }),
  args: fc.array(text),
  cwd: path,
  staged: flag,
  files: fc.array(path),
  paths: fc.array(path, { minLength: 1 }),
  ...valueForEach(['query', 'file_pattern', 'include'], text),
  ...valueForEach(['max_results', 'max_matches'], fc.integer()),
  ...valueForEach(['case_sensitive', 'regex'], flag),
  context: fc.integer({ min: 0, max: 20 }),
  output_mode: fc.constantFrom('content', 'files_with_matches', 'count'),
  encoding: fc.constantFrom('utf-8', 'UTF-8', 'utf8'),
};

const key = fc.string().filter((name) => name !== '__proto__');
const edited = fc.dictionary(key, fc.oneof(text, fc.integer(), flag), { noNullPrototype: true });
const remember = fc.record({ scope: fc.constantFrom('once', 'session', 'workspace', 'user') });
const decision = fc.oneof(
  kindOf('approve', { remember }),
  kindOf('edit', { feedback: text }, { args: edited }),
  kindOf(
    'hunks',
    { feedback: text, edits: fc.array(fc.record({ hunk: line, text })) },
    { take: fc.array(line) },
  ),
  kindOf('reject', { feedback: text, remember }),
  kindOf('answer', {}, { action: text }),
);

describe.each(dialectNames.map((name) => findDialect(name)))('$name', (dialect) => {
  test('a call comes back as it went', () => {
    fc.assert(
      fc.property(callIn(dialect), (call) => {
        expect(dialect.decode(dialect.encode({ type: 'call', call }))).toEqual({ type: 'call', call });
      }),
    );
  });

  test('asking again with what was asked gives the same call', () => {
    fc.assert(
      fc.property(callIn(dialect), (call) => {
        const { id, wire, requiresApproval } = call;
        expect(dialect.ask({ id, ...wire, requiresApproval })).toEqual(call);
      }),
    );
  });

  test('every name for the arguments reads the same', () => {
    fc.assert(
      fc.property(
        callIn(dialect),
        fc.constantFrom('args', 'arguments', 'tool_params', 'input'),
        (call, name) => {
          const { id, wire, requiresApproval } = call;
          const message = {
            call_id: id,
            tool_name: wire.tool,
            [name]: wire.args,
            requires_approval: requiresApproval,
          };
          expect(dialect.decode({ type: 'tool_call', ...message })).toEqual({ type: 'call', call });
        },
      ),
    );
  });

  test('a decision comes back as it went', () => {
    fc.assert(
      fc.property(id, decision, (callId, sample) => {
        const wire = dialect.encode({ type: 'decision', callId, decision: sample });
        expect(dialect.decode(wire)).toEqual({ type: 'decision', callId, decision: sample });
      }),
    );
  });
});

test('no leading slash of the agent dialect reaches the core', () => {
  fc.assert(
    fc.property(callIn(findDialect('agent')), ({ tool, args }) => {
      // The start of a branch is not a path.
      for (const name of tool === 'git.branch' ? [] : ['path', 'from', 'to'])
        expect(String(args[name] ?? '')).not.toMatch(/^\//);
    }),
  );
});

test('a call of a lasting session must have read what it changes, in kode alone', () => {
  fc.assert(
    fc.property(callIn(findDialect('kode')), ({ id, wire, args, tool }) => {
      const lasting = findDialect('kode').ask({ id, ...wire, isLasting: true });
      const others = [
        'read_file',
        'list_files',
        'search_in_project',
        'find_files',
        'run_command',
        'todowrite',
      ];
      // A rename reads the files on the disk that the server names.
      const isRead = others.includes(tool) || tool.startsWith('lsp_');
      expect(
        lasting.args,
        `${wire.tool} of kode must add must_have_read in a lasting session; add ${tool} to \`others\` in packages/dialects/src/call-laws.test.ts if it changes no content.`,
      ).toEqual(isRead ? args : { ...args, must_have_read: true });
      expect(findDialect('kode').settle(lasting, { kind: 'edit', args: wire.args })).toMatchObject({
        args: lasting.args,
      });
    }),
  );
});

function callIn(dialect: Dialect): fc.Arbitrary<WireCall> {
  return fc
    .constantFrom(...dialect.tools)
    .chain((row) => fc.record({ id, tool: fc.constant(row.name), args: argsOf(row), requiresApproval: flag }))
    .map((input) => askWithHint(dialect, input));
}

function askWithHint(dialect: Dialect, input: Parameters<Dialect['ask']>[0]): WireCall {
  try {
    return dialect.ask(input);
  } catch (cause) {
    const hint =
      '`values` in packages/dialects/src/call-laws.test.ts has values that the row refuses. All rows share them: let the row take any of them, and check the bounds in the schema of the tool.';
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)} ${hint}`, { cause });
  }
}

function argsOf(row: WireTool): fc.Arbitrary<Json> {
  const shape = row.input().shape as Record<string, z.ZodMiniType>;
  const names = Object.keys(shape);
  const requiredKeys = names.filter((name) => !shape[name]?.safeParse(undefined).success);
  const fields = Object.fromEntries(names.map((name) => [name, valuesOf(row, name)]));
  return fc.record(fields, { requiredKeys }).map(fitLines);
}

function valuesOf(row: WireTool, argument: string): fc.Arbitrary<unknown> {
  const found = values[argument];
  if (found !== undefined) return found;
  throw new Error(
    `The argument \`${argument}\` of ${row.name} has no values. Add a line for it to \`values\` in packages/dialects/src/call-laws.test.ts.`,
  );
}

// Combinations that name no valid range of lines are left out.
function fitLines(args: Json): Json {
  const { end_line, max_lines: _, ...rest } = args;
  if (end_line === undefined) return args;
  return Number(rest.start_line ?? 1) <= Number(end_line) ? { ...rest, end_line } : rest;
}

function kindOf(
  kind: Decision['kind'],
  optional: Record<string, fc.Arbitrary<unknown>>,
  required: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Decision> {
  const requiredKeys = ['kind', ...Object.keys(required)];
  const fields: typeof required = { kind: fc.constant(kind), ...required, ...optional };
  return fc.record(fields, { requiredKeys }).map((fields) => JSON.parse(JSON.stringify(fields)) as Decision);
}

function valueForEach<T>(names: string[], value: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, value]));
}
