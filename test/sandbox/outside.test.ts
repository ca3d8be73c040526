// Failures caused by the sandbox say so, and the command can be run outside it: a human is asked each time, in every mode, whatever rules
// allow.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest, PolicyMode } from '@codelab/protocol';
import { compose } from '@codelab/server';
import { describe, expect, test } from 'vitest';
import { forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { chatBench } from '../support/chat-bench.ts';
import { dataOf } from '../support/process-bench.ts';
import { backends, noSandbox } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { hasTmux } from '../support/terminal.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

describe.each(backends)('held by %s', (backend) => {
  test('a failure because of the sandbox is told with its next step', async () => {
    forceSandbox(backend);
    try {
      await using bench = await workbench({ mode: 'review' });
      const notesOf = async (code: string): Promise<unknown> =>
        dataOf(await bench.call('run_command', { command: `python3 -c '${code}'` })).notes;
      expect(await notesOf('open("/usr/x", "w")')).toEqual([
        expect.stringMatching(/^Because of the sandbox: \/usr\/x is read-only\. /),
      ]);
      expect(await notesOf('import socket; socket.getaddrinfo("example.org", 80)')).toEqual([
        expect.stringContaining('`network: true`'),
      ]);
      expect(await notesOf('raise SystemExit(1)')).toBeUndefined();
    } finally {
      forceSandbox(undefined);
    }
  });
});

describe.skipIf(noSandbox !== undefined)('outside the sandbox', () => {
  const outside = (command: string): Record<string, unknown> => ({ command, sandbox: 'off' });

  test.each<PolicyMode>(['strict', 'balanced', 'review', 'trusted'])(
    'a human is asked in %s mode, whatever the command and whatever rules allow',
    async (mode) => {
      using scratch = scratchFolder();
      const rules = [{ id: 'all', effect: 'allow', reason: 'x', command: '*' }];
      writeFileSync(join(scratch.home, 'config.json'), JSON.stringify({ policy: { rules } }));
      await using bench = await workbench({ folder: scratch.folder, mode });
      const approvals: ApprovalRequest[] = [];
      bench.human((approval) => {
        approvals.push(approval);
        return { kind: 'reject' };
      });
      for (const command of ['true', 'ls', 'npm test'])
        expect(await bench.call('run_command', outside(command))).toMatchObject({ status: 'rejected' });
      const started = { ...outside('sleep 1'), process_id: 'p' };
      expect(await bench.call('run_persistent', started)).toMatchObject({ status: 'rejected' });
      expect(approvals).toHaveLength(4);
      for (const { plan, proposal } of approvals as (ApprovalRequest & { proposal?: unknown })[]) {
        expect(plan.command?.confinement).toMatchObject({ sandbox: 'none', network: true });
        expect(plan.notes.join()).toContain('It runs outside the sandbox and can do whatever you can.');
        expect(plan.riskReason).toContain('Runs outside the sandbox.');
        expect(proposal).toBeUndefined();
      }
    },
  );

  test('once approved it runs there, and only this once', async () => {
    await using bench = await workbench({ mode: 'review' });
    let askCount = 0;
    bench.human(() => {
      askCount++;
      return { kind: 'approve' };
    });
    const place = join(bench.folder, 'beside');
    const line = `python3 -c 'open("${place}", "w").write("x")'`;
    const run = (args: Record<string, unknown>): ReturnType<Workbench['call']> =>
      bench.call('run_command', args);
    await run({ command: line });
    expect([askCount, existsSync(place)]).toEqual([0, false]);
    expect(await run(outside(line))).toMatchObject({ data: { exit_code: 0 } });
    expect([askCount, existsSync(place)]).toEqual([1, true]);
    rmSync(place);
    await run({ command: line });
    expect(existsSync(place)).toBe(false);
  });

  test('a configuration that requires the sandbox lets nothing out', async () => {
    using scratch = scratchFolder();
    writeFileSync(join(scratch.home, 'config.json'), JSON.stringify({ sandbox: 'required' }));
    await using composed = await compose({ workspace: scratch.root, home: scratch.home, env: {} });
    expect(composed.host.sandbox).toBe('required');
    await using bench = await workbench({ folder: scratch.folder });
    expect(await bench.call('run_command', outside('true'))).toMatchObject({
      status: 'failed',
      error: { code: 'PERMISSION_DENIED', details: { rule: 'sandbox-required' } },
    });
  });
});

test.skipIf(noSandbox !== undefined || !hasTmux)(
  '!! in the chat asks to run outside what the sandbox was in the way of',
  async () => {
    using bench = chatBench({ 'a.txt': 'old\n' });
    await bench.start(['--model', 'demo']);
    bench.send('!!');
    await bench.see('No command of this session failed because of the sandbox.');
    bench.send('!touch /usr/local/of-codelab');
    await bench.see('!! runs it outside the sandbox, after asking you');
    bench.send('!!');
    const screen = await bench.see('It runs outside the sandbox and can do whatever you can.');
    expect(screen.join('\n')).not.toContain('expires');
    bench.press('n', 'Enter');
    await bench.see('rejected');
    expect(existsSync('/usr/local/of-codelab')).toBe(false);
  },
);
