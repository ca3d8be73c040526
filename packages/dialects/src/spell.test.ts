import { expect, test } from 'vitest';
import { findDialect } from './dialects.ts';

const calls = [
  { tool: 'read_file', args: { path: 'src/a.ts' } },
  { tool: 'write_file', args: { path: 'src/a.ts', content: 'x' } },
  { tool: 'list_files', args: { path: '.' } },
  { tool: 'move_file', args: { from: 'a', to: 'b' } },
  { tool: 'git.branch', args: { action: 'create', name: 'b', from: 'main' } },
  { tool: 'search_in_project', args: { query: 'x', path: 'src' } },
  { tool: 'run_persistent', args: { command: 'x', process_id: 'p', cwd: 'src' } },
  { tool: 'lsp_hover', args: { path: 'src/a.ts', line: 0, character: 7 } },
  { tool: 'lsp_rename', args: { path: 'src/a.ts', line: 2, symbol: 'x', new_name: 'y' } },
  { tool: 'undo', args: { paths: ['a', 'b/c'] } },
];

test.each(['codelab', 'agent'] as const)('%s reads back what it spelled', (name) => {
  for (const { tool, args } of calls) {
    const { wire } = findDialect(name).spell({ id: 'c', tool, args });
    const read = findDialect(name).ask({ id: 'c', tool: wire.tool, args: wire.args });
    expect(read).toMatchObject({ tool, args });
  }
});

test('a dialect whose paths begin at the root of the workspace spells them so', () => {
  const call = { id: 'c', tool: 'read_file', args: { path: 'src/a.ts' } };
  expect(findDialect('agent').spell(call).wire).toEqual({ tool: 'read_file', args: { path: '/src/a.ts' } });
  expect(findDialect('codelab').spell(call).wire).toEqual({ tool: 'read_file', args: { path: 'src/a.ts' } });
});

test('positions are counted from 1, but for seed 003, which counts as language servers do', () => {
  const call = { id: 'c', tool: 'lsp_definition', args: { path: 'a.ts', line: 0, character: 4 } };
  const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } };
  const data = {
    ok: true,
    server_status: 'active',
    location: { uri: 'file:///w/b.ts', path: 'b.ts', range },
  };
  const ended = { callId: 'c', tool: call.tool, startedAt: 0, durationMs: 0, effects: [], data };
  const spelled = (['codelab', 'agent', 'plugin', 'kode', 'coder'] as const).map((name) => {
    const dialect = findDialect(name);
    const asked = dialect.spell(call);
    const wire = JSON.stringify(
      dialect.encode({ type: 'result', asked, outcome: { ...ended, status: 'completed' } }),
    );
    return [name, asked.wire.args.line, asked.wire.args.character, /"start":(\{.*?\})/.exec(wire)?.[1]];
  });
  const fromOne = [1, 5, '{"line":2,"character":3}'];
  expect(spelled).toEqual([
    ['codelab', ...fromOne],
    ['agent', ...fromOne],
    ['plugin', ...fromOne],
    ['kode', ...fromOne],
    ['coder', 0, 4, '{"line":1,"character":2}'],
  ]);
});

test('a tool without a row keeps its own name and arguments', () => {
  const call = { id: 'c', tool: 'mcp:x.y', args: { a: 1 }, requiresApproval: true };
  expect(findDialect('agent').spell(call)).toMatchObject({
    wire: { tool: 'mcp:x.y', args: { a: 1 } },
    requiresApproval: true,
  });
});
