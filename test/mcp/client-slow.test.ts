// MCP servers that hang or start late: the agent works without them meanwhile, and has their tools as soon as they are there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playTurn } from '../support/agent-bench.ts';
import { mcpBench, peer } from '../support/mcp-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { scriptedModel } from '../support/scripted-model.ts';

/** Far below the 30 s that a server has to greet. */
const soonMs = 10_000;

test('one that hangs delays neither a request nor Ctrl-C, and its absence is told', async () => {
  await using bench = await mcpBench({ servers: { mute: peer('mute') } });
  const startedAt = performance.now();
  const model = scriptedModel([{ calls: [['list_files', { path: '.' }]] }, { text: 'Done.' }]);
  const { result } = await playTurn(bench, model);
  expect(result).toMatchObject({ end: 'completed', text: 'Done.' });
  expect(bench.host.foreign?.problems()).toEqual([
    'The MCP server mute has not answered yet. Its tools are added when it does.',
  ]);
  const stop = new AbortController();
  stop.abort();
  expect((await playTurn(bench, model, { signal: stop.signal })).result.end).toBe('cancelled');
  expect(performance.now() - startedAt).toBeLessThan(soonMs);
});

test('the tools of one that starts late join the next request', async () => {
  using scratch = scratchFolder();
  const gate = join(scratch.folder, 'gate');
  await using bench = await mcpBench({ servers: { late: peer('late', gate) } });
  const model = scriptedModel([{ calls: [['list_files', { path: '.' }]] }, { text: 'Done.' }]);
  const { stream } = model;
  model.stream = async function* (request, signal) {
    if (model.requests.length === 0) {
      writeFileSync(gate, '');
      // The turn waits for all servers, however long they take.
      await bench.host.foreign?.list(signal);
    }
    yield* stream(request, signal);
  };
  await playTurn(bench, model);
  const isOffered = model.requests.map(({ tools }) => tools.some(({ name }) => name === 'mcp:late:pay'));
  expect(isOffered).toEqual([false, true]);
});
