// MCP servers that lie, change their minds, flood, hang, crash and cling to life. The session outlives all of them.
import { readdirSync, readFileSync } from 'node:fs';
import type { ApprovalRequest, Outcome } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { mcpBench, peer } from '../support/mcp-bench.ts';
import { approveAll, type Human, type Workbench } from '../support/workbench.ts';

const soon = (): AbortSignal => AbortSignal.timeout(20_000);

function messageOf(outcome: Outcome): string {
  return outcome.status === 'completed' ? '' : outcome.error.message;
}

function dataOf(outcome: Outcome): Record<string, unknown> {
  return outcome.status === 'completed' ? outcome.data : { failed: outcome.error };
}

async function listTools(bench: Workbench): Promise<{ names: string[]; problems: readonly string[] }> {
  const tools = (await bench.host.foreign?.list(soon())) ?? [];
  return { names: tools.map(({ name }) => name), problems: bench.host.foreign?.problems() ?? [] };
}

test('no name passes for another: ours are not shadowed, and what looks like something else is left out', async () => {
  await using bench = await mcpBench({ servers: { peer: peer('names') }, files: { 'a.txt': 'ours\n' } });
  const { names, problems } = await listTools(bench);
  expect(names).toEqual(['mcp:peer:read_file', 'mcp:peer:fine']);
  expect(problems.join('\n')).toContain('a:b has a name that is not accepted');
  expect(problems.join('\n')).not.toMatch(/[\b\u200b]/);
  expect(problems.at(-1)).toMatch(/more were left out/);
  const read = await bench.call('read_file', { path: 'a.txt' });
  expect(dataOf(read)).toMatchObject({ content: 'ours\n' });
  for (const name of [
    'mcp:peer:a:b',
    'mcp:peer:twice',
    'mcp:peer:',
    'mcp:peer',
    'MCP:peer:fine',
    'mcp:__proto__:x',
  ])
    expect([name, codeOf(await bench.call(name, {}))]).toEqual([name, 'TOOL_NOT_FOUND']);
});

test('lists and descriptions are bounded, and nothing hides in them', async () => {
  await using bench = await mcpBench({
    servers: { many: peer('many'), endless: peer('endless'), wordy: peer('wordy'), heavy: peer('heavy') },
  });
  const { names, problems } = await listTools(bench);
  expect(names.filter((name) => name.startsWith('mcp:many:'))).toHaveLength(128);
  expect(names.filter((name) => name.startsWith('mcp:endless:')).length).toBeLessThanOrEqual(32);
  expect(names.filter((name) => name.startsWith('mcp:wordy:'))).toEqual([
    'mcp:wordy:wordy',
    'mcp:wordy:marked',
  ]);
  expect(problems.filter((problem) => problem.startsWith('wordy: '))).toHaveLength(4);
  expect(names.filter((name) => name.startsWith('mcp:heavy:'))).toHaveLength(4);
  const tools = await bench.host.foreign?.list(soon());
  const wordy = tools?.find(({ name }) => name === 'mcp:wordy:wordy')?.summary ?? '';
  expect(wordy.startsWith('Adds.⟨U+202E⟩⟨U+E0041⟩xxx')).toBe(true);
  expect(wordy.length).toBeLessThan(4100);
  const marked = tools?.find(({ name }) => name === 'mcp:wordy:marked');
  expect(marked?.jsonSchema).toMatchObject({ properties: { a: { description: 'b⟨U+200B⟩c' } } });
});

const allowSwap = { id: 'swap', effect: 'allow', reason: 'Mine.', tool: 'mcp:peer:swap' };

test('a tool that changes while somebody decides is another tool: they are asked again', async () => {
  await using bench = await mcpBench({
    servers: { peer: peer() },
    config: { policy: { rules: [allowSwap] } },
  });
  const approvals: ApprovalRequest[] = [];
  const swapThenApprove: Human = async (approval) => {
    approvals.push(approval);
    if (approvals.length > 1) return { kind: 'reject' };
    await bench.call('mcp:peer:swap', {});
    return { kind: 'approve' };
  };
  bench.human(swapThenApprove);
  expect(codeOf(await bench.call('mcp:peer:pay', {}))).toBe('REJECTED');
  expect(approvals.map(({ plan }) => plan.notes[1])).toEqual([
    'The server says: Pays one coin.',
    'The server says: Pays all your coins.',
  ]);
  expect(approvals[1]?.again).toContain('changed');
});

test('what was allowed for good is allowed for the tool as it was; what was refused stays refused', async () => {
  await using bench = await mcpBench({
    servers: { peer: peer() },
    config: { policy: { rules: [allowSwap] } },
  });
  let times = 0;
  bench.human(({ tool }) => {
    times++;
    const remember = { scope: 'user' as const };
    return tool === 'mcp:peer:pay' ? { kind: 'approve', remember } : { kind: 'reject', remember };
  });
  expect(codeOf(await bench.call('mcp:peer:pay', {}))).toBe('completed');
  expect(codeOf(await bench.call('mcp:peer:fail', {}))).toBe('REJECTED');
  expect(dataOf(await bench.call('mcp:peer:pay', {})).text).toBe('Pays one coin. Call 2.');
  expect(times).toBe(2);
  await bench.call('mcp:peer:swap', {});
  expect(codeOf(await bench.call('mcp:peer:pay', {}))).toBe('completed');
  expect(times).toBe(3);
  expect(codeOf(await bench.call('mcp:peer:fail', {}))).toBe('PERMISSION_DENIED');
});

test('results are bounded and mended; failures say what the server said', async () => {
  await using bench = await mcpBench({ servers: { peer: peer() } });
  bench.human(approveAll);
  const huge = dataOf(await bench.call('mcp:peer:huge', {}));
  expect(Buffer.byteLength(huge.text as string)).toBeLessThan(1024 * 1024 + 100);
  expect(huge).toMatchObject({
    truncated: true,
    text: expect.stringMatching(/^begin[\s\S]*bytes left out[\s\S]*end$/),
  });
  expect(huge.text).not.toContain('\ufffd');
  expect(huge.structured).toBeUndefined();
  const half = dataOf(await bench.call('mcp:peer:half', {}));
  expect(half).toEqual({ text: 'half \ufffd', truncated: false, structured: { a: '\ufffd' } });
  expect(dataOf(await bench.call('mcp:peer:odd', {})).text).toBe('[hologram]\n\n[ , 0 bytes]\nok');
  const nothing = dataOf(await bench.call('mcp:peer:nothing', {}));
  expect(bench.host.foreign?.tell(nothing)).toBe('The tool returned nothing.');
  const failed = await bench.call('mcp:peer:fail', {});
  expect([codeOf(failed), messageOf(failed)]).toEqual(['EXECUTION_FAILED', 'It is broken.']);
  const refused = await bench.call('mcp:peer:refuse', {});
  expect([codeOf(refused), messageOf(refused)]).toEqual([
    'EXECUTION_FAILED',
    expect.stringContaining('No such thing.'),
  ]);
  expect(codeOf(await bench.call('mcp:peer:garbage', {}))).toBe('completed');
});

test('one that floods, sends without end, or sends nonsense is given up; the next call starts it again', async () => {
  await using bench = await mcpBench({ servers: { peer: peer() } });
  bench.human(approveAll);
  const reasons: Record<string, string> = {
    ocean: 'more than 8388608 bytes',
    flood: 'too many messages in a short time',
    deep: 'not a JSON-RPC message',
    quit: 'exit code 3',
    wrong: 'peer',
  };
  for (const [name, reason] of Object.entries(reasons)) {
    const outcome = await bench.call(`mcp:peer:${name}`, {});
    expect([name, outcome.status, messageOf(outcome)]).toEqual([
      name,
      'failed',
      expect.stringContaining(reason),
    ]);
    expect(dataOf(await bench.call('mcp:peer:pay', {})).text).toBe('Pays one coin. Call 1.');
  }
});

test('progress is told now and then, in few words', async () => {
  await using bench = await mcpBench({ servers: { peer: peer() } });
  bench.human(approveAll);
  const progressTexts: string[] = [];
  bench.host.progress.watch('s1', (_call, { text }) => progressTexts.push(text as string));
  expect(dataOf(await bench.call('mcp:peer:progress', {})).text).toBe('done');
  expect(progressTexts.length).toBeGreaterThan(0);
  expect(progressTexts.length).toBeLessThan(50);
  expect(Math.max(...progressTexts.map(({ length }) => length))).toBeLessThan(600);
});

test('one that hangs ends with its call’s time; others go on meanwhile', async () => {
  await using bench = await mcpBench({ servers: { peer: peer() } });
  bench.human(approveAll);
  const hanging = bench.call('mcp:peer:hang', {}, { timeoutMs: 1500 });
  expect(codeOf(await bench.call('mcp:peer:pay', {}))).toBe('completed');
  expect(codeOf(await hanging)).toBe('TIMEOUT');
  // The server received the cancellation.
  expect(messageOf(await bench.call('mcp:peer:quit', {}))).toContain('It printed: cancelled');
});

test('one that does not start is told with what it printed, without secrets; the others are listed', async () => {
  const broken = { ...peer('broken', 'see below:'), env: { PEER_SECRET: 'hunter2hunter2' } };
  const servers = {
    broken,
    missing: { command: 'no-such-program' },
    fair: peer(),
    unset: { ...peer(), env: { A: `$\{NOT_SET}` } },
  };
  await using bench = await mcpBench({ servers });
  const { names, problems } = await listTools(bench);
  expect(names).toContain('mcp:fair:pay');
  expect(problems).toEqual([
    'The MCP server broken was lost. It ended with exit code 1. It printed: No key: see below: •••␛[31m',
    'The MCP server missing: There is no program no-such-program on this machine.',
    'The MCP server unset: `A` needs the variable NOT_SET, which is not set.',
  ]);
  const outcome = await bench.call('mcp:broken:pay', {});
  expect([codeOf(outcome), messageOf(outcome)]).toEqual(['EXECUTION_FAILED', problems[0]]);
});

test('one without tools is no problem, and one that never greets does not keep the host from closing', async () => {
  const bench = await mcpBench({ servers: { toolless: peer('toolless') } });
  expect(await listTools(bench)).toEqual({ names: [], problems: [] });
  await bench[Symbol.asyncDispose]();
  const mute = await mcpBench({ servers: { mute: peer('mute') } });
  const stop = new AbortController();
  const pending = mute.call('mcp:mute:pay', {}, { signal: stop.signal });
  const listing = mute.host.foreign?.list(soon());
  stop.abort();
  expect(codeOf(await pending)).toBe('CANCELLED');
  const startedAt = performance.now();
  await mute[Symbol.asyncDispose]();
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(await listing).toEqual([]);
});

test('one that clings to life ends with the host, and so does what it started', async () => {
  const bench = await mcpBench({ servers: { peer: peer('stubborn'), cut: peer() } });
  await bench.host.foreign?.list(soon());
  const children = pidsOf();
  expect(children.length).toBeGreaterThanOrEqual(3);
  await bench[Symbol.asyncDispose]();
  expect(children.filter((pid) => isRunning(pid))).toEqual([]);
});

// The children of this process.
function pidsOf(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && descends(pid));
}

function descends(pid: number): boolean {
  for (let at = pid; at > 1; at = parentOf(at)) if (at === process.pid) return true;
  return false;
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
