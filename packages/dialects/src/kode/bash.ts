// Runs a shell line. Times are in milliseconds here; each stream is cut in the middle at 30 000 characters.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { failureText } from './failure-text.ts';

const banned = [
  [
    'alias',
    'curl',
    'curlie',
    'wget',
    'axel',
    'aria2c',
    'nc',
    'telnet',
    'lynx',
    'w3m',
    'links',
    'httpie',
    'xh',
  ],
  ['http-prompt', 'chrome', 'firefox', 'safari'],
].flat();

const usualMs = 120_000;
const mostMs = 600_000;
const mostChars = 30_000;

export function bash(): WireTool {
  return {
    name: 'Bash',
    tool: 'run_command',
    input: () =>
      z.strictObject({
        command: z.string(),
        timeout: z.optional(z.number().check(z.positive(), z.maximum(mostMs))),
      }),
    toCore: ({ command, timeout = usualMs }) => ({
      command,
      timeout_ms: Math.ceil(timeout as number),
      forbidden: banned,
    }),
    toWire({ stdout, stderr, exit_code, timed_out, held_back, notes }) {
      const code =
        exit_code === 0 || exit_code === null || timed_out === true ? '' : `\nExit code ${exit_code}`;
      const out = cutMiddle(String(stdout).trim());
      // There is no field for it, and it must be known that something is gone.
      const held = held_back === undefined || !Array.isArray(notes) ? '' : `\n${String(notes[0])}`;
      const err = cutMiddle(`${String(stderr).trim()}${code}${held}`.trim());
      return {
        stdout: out.text,
        stdoutLines: out.lines,
        stderr: err.text,
        stderrLines: err.lines,
        interrupted: timed_out === true,
      };
    },
    failed: failureText,
  };
}

function cutMiddle(text: string): { text: string; lines: number } {
  const lines = text === '' ? 0 : text.split('\n').length;
  if (text.length <= mostChars) return { text, lines };
  const half = mostChars / 2;
  const middle = text.slice(half, -half);
  const notice = `\n\n... [${middle.split('\n').length} lines truncated] ...\n\n`;
  return { text: `${text.slice(0, half)}${notice}${text.slice(-half)}`.toWellFormed(), lines };
}
