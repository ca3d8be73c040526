import { highestRisk, type Outcome, type Plan } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { hostIds, markedProcesses, type ProcessBench, processBench } from '../support/process-bench.ts';
import { spawnHost } from '../support/spawn-host.ts';
import type { Human } from '../support/workbench.ts';

const onlyStarts: Human = ({ tool }) => ({ kind: tool === 'run_persistent' ? 'approve' : 'reject' });

describe('what is written', () => {
  test.each([
    ['sh', 'sudo id', 'critical'],
    ['python3 -i', 'print(1)', 'high'],
    ['bash', 'ls', 'high'],
  ])('to %s is judged as code', async (command, input, risk) => {
    await using bench = await processBench({ human: onlyStarts });
    await start(bench, { command });
    const plan = await planOf(bench, input);
    const parts = plan.command?.parts ?? [];
    expect(parts[0]).toMatchObject({ text: input, isDynamic: true, mustAsk: true });
    expect(highestRisk(['high', plan.risk])).toBe(plan.risk);
    expect(plan.risk === risk || risk === 'high').toBe(true);
  });

  test('to any other program is a question of lower risk', async () => {
    await using bench = await processBench({ human: onlyStarts });
    await start(bench, { command: 'echo ready; exec cat' });
    const plan = await planOf(bench, 'r\n');
    expect(plan.command?.parts).toMatchObject([{ verdict: 'ask', mustAsk: false, risk: 'medium' }]);
  });
});

test('a host that is gone without a word leaves nothing running after the next start', async () => {
  await using bench = await processBench();
  const child = await spawnHost(bench.folder);
  const marks = hostIds(bench.home);
  expect(markedProcesses(marks).length).toBeGreaterThan(1);
  process.kill(child.pid, 'SIGKILL');
  await child.exited;
  expect(markedProcesses(marks).length).toBeGreaterThan(1);
  await bench.bench.restart();
  expect(markedProcesses(marks)).toEqual([]);
  const events = await bench.bench.log.read('host');
  expect(events.at(-1)?.body).toMatchObject({
    type: 'call.finished',
    outcome: { status: 'failed', error: { code: 'OUTCOME_UNKNOWN' } },
  });
});

function start(bench: ProcessBench, args: Record<string, unknown>): Promise<Outcome> {
  return bench.bench.call('run_persistent', { process_id: 'p', ...args });
}

/** The plan of writing this to the process. */
async function planOf(bench: ProcessBench, input: string): Promise<Plan> {
  await bench.bench.call('write_process', { process_id: 'p', input }, { id: 'written' });
  for (const { body } of await bench.bench.log.read('s1'))
    if (body.type === 'call.planned' && body.callId === 'written') return body.plan;
  throw new Error('it was not planned');
}
