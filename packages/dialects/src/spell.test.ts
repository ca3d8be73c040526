import { expect, test } from 'vitest';
import { dialects } from './dialects.ts';

const calls = [
  { tool: 'read_file', args: { path: 'src/a.ts' } },
  { tool: 'write_file', args: { path: 'src/a.ts', content: 'x' } },
  { tool: 'list_files', args: { path: '.' } },
  { tool: 'move_file', args: { from: 'a', to: 'b' } },
];

test.each(['codelab', 'agent'] as const)('%s reads back what it spelled', (name) => {
  for (const { tool, args } of calls) {
    const { wire } = dialects[name].spell({ id: 'c', tool, args });
    const read = dialects[name].ask({ id: 'c', tool: wire.tool, args: wire.args });
    expect(read).toMatchObject({ tool, args });
  }
});

test('a dialect whose paths begin at the root of the workspace spells them so', () => {
  const call = { id: 'c', tool: 'read_file', args: { path: 'src/a.ts' } };
  expect(dialects.agent.spell(call).wire).toEqual({ tool: 'read_file', args: { path: '/src/a.ts' } });
  expect(dialects.codelab.spell(call).wire).toEqual({ tool: 'read_file', args: { path: 'src/a.ts' } });
});

test('a tool without a row keeps its own name and arguments', () => {
  const call = { id: 'c', tool: 'mcp:x.y', args: { a: 1 }, requiresApproval: true };
  expect(dialects.agent.spell(call)).toMatchObject({
    wire: { tool: 'mcp:x.y', args: { a: 1 } },
    requiresApproval: true,
  });
});
