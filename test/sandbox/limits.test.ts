// The resource limits of an unasked command, in each sandbox that works here.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits, Outcome } from '@codelab/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { backends } from '../support/sandbox-bench.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

let bench: Workbench;

async function open(limits: Partial<Limits>): Promise<void> {
  bench = await workbench({ mode: 'trusted', limits });
}

const run = (command: string): Promise<Outcome> => bench.call('run_command', { command });
const script = (text: string): Promise<Outcome> => {
  writeFileSync(join(bench.root, 'go.sh'), text);
  return run('sh go.sh');
};

describe.each(backends)('limits of what runs unasked (%s)', (backend) => {
  beforeEach(() => forceSandbox(backend));
  afterEach(async () => {
    forceSandbox(undefined);
    await bench[Symbol.asyncDispose]();
  });

  test('one that starts too many processes is ended with all of them', async () => {
    await open({ processes: 60 });
    const outcome = await script(
      'b() { [ $1 -gt 9 ] && exec sleep 600; b $(($1+1)) & b $(($1+1)) & wait; }; b 0',
    );
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'EXECUTION_FAILED', details: { limit: 'processes', most: 60 } },
    });
  });

  test('one that takes too much memory is ended', async () => {
    await open({ memoryBytes: 150 * 1024 * 1024 });
    writeFileSync(join(bench.root, 'hog.cjs'), 'const a=[];setInterval(()=>a.push(Buffer.alloc(8e6,1)),5)');
    expect(await run('node hog.cjs')).toMatchObject({
      status: 'failed',
      error: { code: 'EXECUTION_FAILED', details: { limit: 'memory_mb' } },
    });
  });

  test('one that takes too much time on processors is ended, however its work is spread', async () => {
    await open({ cpuMs: 400 });
    const outcome = await script(
      'while :; do sh -c "i=0; while [ \\$i -lt 20000 ]; do i=\\$((i+1)); done"; done',
    );
    expect(outcome).toMatchObject({ error: { details: { limit: 'cpu_seconds' } } });
  });
});
