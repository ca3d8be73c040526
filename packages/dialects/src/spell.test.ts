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

test('a tool without a row keeps its own name and arguments', () => {
  const call = { id: 'c', tool: 'mcp:x.y', args: { a: 1 }, requiresApproval: true };
  expect(findDialect('agent').spell(call)).toMatchObject({
    wire: { tool: 'mcp:x.y', args: { a: 1 } },
    requiresApproval: true,
  });
});
