import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../dialect.ts';
import { findDialect } from '../dialects.ts';

const codelab = findDialect('codelab');
const agent = findDialect('agent');
const plugin = findDialect('plugin');
const coder = findDialect('coder');
const kode = findDialect('kode');
const text = fc.string({ unit: 'grapheme' });

const ended = { callId: 'c', tool: 'x', startedAt: 1_700_000_000_000, durationMs: 12, effects: [] };
const ran: Json = {
  stdout: 'out\n',
  stderr: 'err\n',
  exit_code: 0,
  duration_ms: 12,
  timed_out: false,
  truncated: false,
  stdout_bytes: 4,
  stderr_bytes: 4,
};
const timedOut = { exit_code: 124, timed_out: true };

describe.each([codelab, agent])('$name', (dialect) => {
  const asked = { id: 'c', wire: { tool: 'run_command', args: { command: 'make' } } };

  test('progress stays progress, with what was printed since the last', () => {
    fc.assert(
      fc.property(text, text, (stdout, stderr) => {
        const data = { ...ran, stdout, stderr, exit_code: null };
        const wire = dialect.encode({ type: 'progress', asked, data });
        expect(wire).toMatchObject({
          type: 'tool_result',
          call_id: 'c',
          result: { stdout, exit_code: null },
        });
        expect(dialect.decode(wire)).toMatchObject({
          type: 'progress',
          asked: { id: 'c' },
          data: { stdout, stderr, exit_code: null },
        });
      }),
    );
  });

  test('seconds become milliseconds', () => {
    const { args } = dialect.ask({ id: 'c', tool: 'run_command', args: { command: 'make', timeout: 1.5 } });
    expect(args).toEqual({ command: 'make', timeout_ms: 1500 });
  });

  test.each([0, -1, '300', null])('%j is no timeout', (timeout) => {
    expect(() => dialect.ask({ id: 'c', tool: 'run_command', args: { command: 'make', timeout } })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENTS' }),
    );
  });
});

test('the agent’s folders begin at the workspace', () => {
  const { args } = agent.ask({
    id: 'c',
    tool: 'run_command',
    args: { command: 'flutter test', cwd: '/a/b' },
  });
  expect(args).toEqual({ command: 'flutter test', cwd: 'a/b' });
});

test('plugin, coder and kode tell only the end', () => {
  expect([plugin, coder, kode].map(({ streams }) => streams)).toEqual([false, false, false]);
});

describe('coder', () => {
  const asked = { id: 'c', wire: { tool: 'bash', args: { command: 'make' } } };

  test.each([0, 1, 124])('exit code %i keeps its output', (exit_code) => {
    const data = { ...ran, exit_code, timed_out: exit_code === 124 };
    const wire = coder.encode({ type: 'result', asked, outcome: { ...ended, status: 'completed', data } });
    expect(wire).toEqual({
      ok: exit_code === 0,
      command: 'make',
      exit_code,
      stdout: 'out\n',
      stderr: 'err\n',
      truncated: false,
      duration_ms: 12,
    });
    expect(coder.decode(wire)).toMatchObject({
      outcome: { status: 'completed', data: { stdout: 'out\n', exit_code } },
    });
  });
});

describe('plugin', () => {
  const asked = { id: 'c', wire: { tool: 'execute_command', args: { command: 'make' } } };
  const answer = (data: Json): Json =>
    plugin.encode({ type: 'result', asked, outcome: { ...ended, status: 'completed', data } });

  test('a program that ends well is a success with its sizes', () => {
    expect(answer(ran)).toMatchObject({
      status: 'success',
      output: 'out\n',
      exitCode: 0,
      metadata: { duration_ms: 12, output_size_bytes: 4, error_size_bytes: 4, stderr: 'err\n' },
    });
  });

  test('one that ends badly is an error with its words', () => {
    const wire = answer({ ...ran, exit_code: 2 });
    expect(wire).toMatchObject({
      status: 'error',
      output: 'out\n',
      exitCode: 2,
      error: { message: 'err', code: 'EXECUTION_FAILED', details: { exit_code: 2 } },
    });
    expect(plugin.decode(wire)).toMatchObject({ outcome: { status: 'failed' } });
  });

  test('one that took too long is a timeout', () => {
    const wire = answer({ ...ran, ...timedOut });
    expect(wire).toMatchObject({ status: 'timeout', error: { code: 'TIMEOUT' } });
    expect(plugin.decode(wire)).toMatchObject({ outcome: { status: 'timed_out' } });
  });
});

describe('kode', () => {
  const asked = { id: 'c', wire: { tool: 'Bash', args: { command: 'make' } } };
  const answer = (data: Json): unknown =>
    kode.encode({ type: 'result', asked, outcome: { ...ended, status: 'completed', data } }).data;

  test('lines are counted, and another exit code than 0 is told', () => {
    expect(answer({ ...ran, stdout: 'a\nb\n', exit_code: 3 })).toEqual({
      stdout: 'a\nb',
      stdoutLines: 2,
      stderr: 'err\nExit code 3',
      stderrLines: 2,
      interrupted: false,
    });
  });

  test('one that took too long was interrupted', () => {
    expect(answer({ ...ran, ...timedOut })).toMatchObject({ interrupted: true, stderr: 'err' });
  });

  test('long output is cut in the middle', () => {
    const { stdout, stdoutLines } = answer({ ...ran, stdout: `begin ${'x\n'.repeat(30_000)} end` }) as {
      stdout: string;
      stdoutLines: number;
    };
    expect(stdout).toMatch(/^begin .*\n\n\.\.\. \[\d+ lines truncated\] \.\.\.\n\n.* end$/s);
    expect(stdout.length).toBeLessThan(30_100);
    expect(stdoutLines).toBe(30_001);
  });

  test('ten minutes are the most', () => {
    expect(() => kode.ask({ id: 'c', tool: 'Bash', args: { command: 'make', timeout: 600_001 } })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENTS' }),
    );
  });
});
