// The prompt of a headless turn: the words of the command line, standard input, or both.

import { fstatSync } from 'node:fs';
import { cutText } from '@codelab/agent';
import { UsageError } from '../command-line/define-command.ts';
import { writeText } from '../command-line/process.ts';

export type Prompt = { text: string; texts?: { path: string; text: string }[] };

const missing =
  'There is no prompt. Give one as an argument, as in codelab run "What does this project do?", or on standard input.';

/** `-` in place of the prompt, or no prompt, means standard input alone; `-` after a prompt waits for standard input without a limit. */
export async function readPrompt(
  [text = '-', unexpected]: readonly string[],
  signal: AbortSignal,
): Promise<Prompt> {
  if (unexpected !== undefined && unexpected !== '-')
    throw new UsageError(
      `${JSON.stringify(unexpected)} is an unexpected argument: put the whole prompt in quotation marks.`,
    );
  if (text !== '-') return await withInput(text, signal, unexpected === '-');
  const isAwaited = isPiped();
  const input = isAwaited ? await readInput(signal, { isAwaited }) : undefined;
  if (input === undefined || input.trim() === '') throw new UsageError(missing);
  return { text: input };
}

async function withInput(text: string, signal: AbortSignal, isAwaited: boolean): Promise<Prompt> {
  if (text.trim() === '') throw new UsageError(missing);
  const input = isPiped() ? await readInput(signal, { isAwaited }) : undefined;
  return input === undefined ? { text } : { text, texts: [{ path: 'standard input', text: input }] };
}

// Standard input as part of the prompt: `git diff | codelab run "review"`. Bounded; a program that leaves the pipe open without
// writing does not keep the turn waiting.

/** Reading stops here. */
const maxBytes = 16 * 1024 * 1024;
/** The model is shown this much. */
const maxChars = 200_000;
/** Programs often start others with a pipe that nobody writes to, so the wait for the first byte is short. */
const firstByteMs = 3000;

/** Whether standard input is something other than a terminal or /dev/null. */
function isPiped(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}

/** Undefined when nothing came. `isAwaited`: the user asked for standard input, so the wait has no limit. */
async function readInput(
  signal: AbortSignal,
  { isAwaited }: { isAwaited: boolean },
): Promise<string | undefined> {
  const { bytes, isWhole, cameLate } = await readBytes(signal, isAwaited ? undefined : firstByteMs);
  if (cameLate) {
    const seconds = firstByteMs / 1000;
    note(
      `No standard input for ${seconds} seconds; continuing without it. Add \`-\` after the prompt to wait for it, or \`< /dev/null\` to skip it.`,
    );
  }
  if (bytes.length === 0) return undefined;
  const text = decode(bytes, isWhole);
  if (!isWhole) note(`Standard input has more than ${maxBytes} bytes; the rest was not read.`);
  if (text.length > maxChars)
    note(
      `Standard input has ${text.length} characters; the model sees the first and the last ${maxChars / 2}.`,
    );
  return cutText(text, maxChars);
}

type Read = { bytes: Buffer; isWhole: boolean; cameLate: boolean };

function readBytes(signal: AbortSignal, waitMs: number | undefined): Promise<Read> {
  const { promise, resolve, reject } = Promise.withResolvers<Read>();
  const { stdin } = process;
  const chunks: Buffer[] = [];
  let size = 0;
  const end = (isWhole: boolean, cameLate = false): void =>
    resolve({ bytes: Buffer.concat(chunks), isWhole, cameLate });
  const timer = waitMs === undefined ? undefined : setTimeout(() => end(true, true), waitMs);
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  stdin.on('data', (chunk: Buffer) => {
    clearTimeout(timer);
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) end(false);
  });
  stdin.once('end', () => end(true));
  stdin.once('error', reject);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    stdin.destroy();
  });
}

function decode(bytes: Buffer, isWhole: boolean): string {
  try {
    // The cut may be in the middle of a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    if (!text.includes('\0')) return text;
  } catch {
    // Reported below.
  }
  throw new UsageError('Standard input is not UTF-8 text. Write it to a file and give the model its path.');
}

function note(text: string): void {
  writeText(2, `codelab: ${text}\n`);
}
