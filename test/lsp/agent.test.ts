// Language servers for an agent: the tools where a server exists, and new diagnostics after its own edits.
import { expect, test } from 'vitest';
import { playTurn } from '../support/agent-bench.ts';
import { fakeServer, lspBench, realServers } from '../support/lsp-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const edit = (path: string, old_string: string, new_string: string) =>
  ['edit_file', { path, old_string, new_string }] as [string, Record<string, unknown>];

test('after an edit the new errors of the file are told, not the old ones, and only once a server runs', async () => {
  const files = {
    'tsconfig.json': '{}',
    'a.ts': 'export const old: number = "x";\nexport const fine: number = 1;\n',
  };
  await using bench = await lspBench({ files, lsp: { servers: { ts: realServers.ts } }, mode: 'review' });
  const model = scriptedModel([
    { calls: [edit('a.ts', 'fine', 'well')] },
    { calls: [['lsp_diagnostics', { path: 'a.ts' }]] },
    { calls: [edit('a.ts', 'number = 1', 'number = "y"')] },
    { calls: [edit('a.ts', 'number = "y"', 'number = 2')] },
    { text: 'Done.' },
  ]);
  const { toolTexts } = await playTurn(bench, model);
  expect(toolTexts[0]).not.toContain('New since');
  expect(toolTexts[1]).toMatch(
    /^a\.ts:1:14: error: Type 'string' is not assignable to type 'number'\. \[ts 2322\]$/,
  );
  expect(toolTexts[2]).toContain(
    "New since this edit:\na.ts:2:14: error: Type 'string' is not assignable to type 'number'.",
  );
  expect(toolTexts[2]?.match(/error:/g)).toHaveLength(1);
  expect(toolTexts[3]).not.toContain('New since');
});

test('where the setting says so nothing is told, and a server that publishes late does not hold up the turn', async () => {
  const files = { 'a.fake': 'fine\n' };
  const servers = { fake: fakeServer('fine') };
  await using bench = await lspBench({
    files,
    lsp: { servers, diagnostics_after_edits: false },
    mode: 'review',
  });
  const model = scriptedModel([
    { calls: [['lsp_diagnostics', { path: 'a.fake' }]] },
    { calls: [edit('a.fake', 'fine', 'ERROR')] },
    { text: 'Done.' },
  ]);
  const { toolTexts } = await playTurn(bench, model);
  expect(toolTexts[0]).toBe('a.fake: no errors or warnings.');
  expect(toolTexts[1]).not.toContain('New since');
});
