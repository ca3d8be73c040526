import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataOf, processBench } from '../support/process-bench.ts';
import { backends } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const MiB = 1024 * 1024;

describe.each(['off', ...backends] as const)('with the sandbox %s', (sandbox) => {
  test('two hundred children end with their command', async () => {
    await using bench = await processBench({ sandbox });
    const command = 'i=0; while [ $i -lt 200 ]; do sleep 600 & i=$((i+1)); done; wait';
    const outcome = await bench.run(command, { timeout_ms: 1500 });
    expect(dataOf(outcome)).toMatchObject({ timed_out: true, exit_code: 124 });
    expect(bench.remaining()).toEqual([]);
  });

  test('a child that ignores every polite signal is killed after the grace', async () => {
    await using bench = await processBench({ sandbox });
    const outcome = await bench.run(`trap '' TERM INT HUP; echo up; sleep 600; sleep 600`, {
      timeout_ms: 300,
    });
    expect(dataOf(outcome)).toMatchObject({ stdout: 'up\n', timed_out: true, exit_code: 124 });
    expect(dataOf(outcome).duration_ms).toBeLessThan(5000);
    expect(bench.remaining()).toEqual([]);
  });

  test('one that tidies up when it is asked to end has the time to', async () => {
    await using bench = await processBench({ sandbox, limits: { killGraceMs: 5000 } });
    const outcome = await bench.run(`trap 'echo tidied; exit 7' TERM; echo up; sleep 600 & wait`, {
      timeout_ms: 300,
    });
    expect(dataOf(outcome)).toMatchObject({ stdout: 'up\ntidied\n', timed_out: true, exit_code: 124 });
    expect(bench.remaining()).toEqual([]);
  });

  test('a grandchild that holds the output does not hold up the result', async () => {
    await using bench = await processBench({ sandbox });
    const outcome = await bench.run('sleep 600 & echo started');
    expect(dataOf(outcome)).toMatchObject({ stdout: 'started\n', exit_code: 0 });
    expect(dataOf(outcome).duration_ms).toBeLessThan(1500);
    expect(bench.remaining()).toEqual([]);
  });

  test('a daemon that left the session and ignores signals is found and ended', async () => {
    await using bench = await processBench({ sandbox });
    const daemon = `setsid sh -c "trap '' TERM HUP; sleep 600; sleep 600" >/dev/null 2>&1 </dev/null &`;
    const outcome = await bench.run(`${daemon} sleep 0.1; echo started`);
    expect(dataOf(outcome)).toMatchObject({ stdout: 'started\n', exit_code: 0 });
    expect(bench.remaining()).toEqual([]);
  });

  test('endless output is stopped at its limit, and what was kept is told', async () => {
    await using bench = await processBench({
      sandbox,
      limits: { outputBytes: 64 * 1024, outputFileBytes: 8 * MiB },
    });
    const outcome = await bench.run('timeout 10 yes');
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'OUTPUT_SIZE_EXCEEDED', details: { limit: 8 * MiB } },
    });
    const details = outcome.status === 'completed' ? {} : outcome.error.details;
    expect(statSync(String(details?.output_file)).size).toBe(8 * MiB);
    expect(bench.remaining()).toEqual([]);
  });

  test('a cancelled command is gone when the call ends', async () => {
    await using bench = await processBench({ sandbox });
    const stop = new AbortController();
    const watch = bench.bench.host.progress.watch('s1', () => stop.abort());
    const outcome = await bench.run('echo up; sleep 600', {}, stop.signal);
    watch();
    expect(outcome).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' } });
    expect(bench.remaining()).toEqual([]);
  });
});

test('a line of ten megabytes keeps its two ends and is whole in the file', async () => {
  await using bench = await processBench();
  const script = `process.stdout.write('A' + 'é'.repeat(5 * 1024 * 1024) + 'Z')`;
  writeFileSync(join(bench.root, 'line.cjs'), script);
  const { stdout, truncated, output_file } = dataOf(await bench.run(`"${process.execPath}" line.cjs`));
  expect(truncated).toBe(true);
  expect(stdout).toMatch(/^Aé+\n\[\.\.\. \d+ bytes left out; the whole output is in .* \.\.\.\]\né+Z$/);
  expect(Buffer.byteLength(String(stdout))).toBeLessThan(MiB + 500);
  expect(readFileSync(String(output_file), 'utf8')).toBe(`A${'é'.repeat(5 * MiB)}Z`);
});

test('how much of the output an answer holds is a setting', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'x'.repeat(5000) } });
  const config = { sandbox: 'off', limits: { output_limit_bytes: 2000 } };
  writeFileSync(join(scratch.home, 'config.json'), JSON.stringify(config));
  await using bench = await workbench({ folder: scratch.folder });
  bench.human(approveAll);
  const { stdout, truncated } = dataOf(await bench.call('run_command', { command: 'cat a.txt' }));
  expect([
    truncated,
    String(stdout)
      .replace(/x+/g, (run) => `${run.length}`)
      .split('\n'),
  ]).toEqual([true, ['1000', expect.stringContaining('3000 bytes left out'), '1000']]);
});

test('binary output comes as text with marks, and stops nothing', async () => {
  await using bench = await processBench();
  const { stdout, exit_code } = dataOf(await bench.run(String.raw`printf 'a\377\000\001b\n'`));
  expect({ stdout, exit_code }).toEqual({ stdout: 'a\uFFFDb\n', exit_code: 0 });
});

test('characters split between two writes stay whole', async () => {
  await using bench = await processBench();
  const { stdout } = dataOf(await bench.run(String.raw`printf '\303'; sleep 0.15; printf '\251\n'`));
  expect(stdout).toBe('é\n');
});

test('instructions to a terminal do not reach the model', async () => {
  await using bench = await processBench();
  const parts = [
    String.raw`\033[31mred\033[0m`,
    String.raw`\033]0;title\007`,
    String.raw`\033]8;;http://x\033\\link\033]8;;\033\\`,
    String.raw`\033]52;c;aGk=\007`,
    String.raw`over\rwritten\033[2K\033[1A`,
    String.raw`\033Pq#0~\033\\`,
  ];
  const { stdout } = dataOf(await bench.run(`printf '${parts.join('')}\\n'`));
  expect(stdout).toBe('redlinkover\nwritten\n');
});

test('three hundred commands leave no descriptor and no process', async () => {
  await using bench = await processBench();
  const open = (): number => readdirSync('/proc/self/fd').length;
  for (let i = 0; i < 20; i++) await bench.run('true');
  const before = open();
  for (let i = 0; i < 300; i++) expect(await bench.run('true')).toMatchObject({ status: 'completed' });
  expect(open()).toBeLessThanOrEqual(before + 1);
  expect(bench.remaining()).toEqual([]);
});
