// Writes the latest seal to an anchor, and reads back what stands there.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { ToolError } from '@codelab/protocol';
import { type Anchor, type AnchorLine, readAnchorLines } from './anchor.ts';
import { publishToGit, readFromGit } from './git-anchor.ts';

const timeoutMs = 3000;
const { O_APPEND, O_CREAT, O_RDONLY, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** One attempt, of bounded time: the next seal says all that this one would have said. */
export async function publish(anchor: Anchor, line: AnchorLine): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  if ('file' in anchor) await appendLine(anchor.file, `${JSON.stringify(line)}\n`);
  else if ('git_ref' in anchor) await publishToGit(anchor, line, signal);
  else await post(anchor.url, line, signal);
}

/** Undefined when it can't be read back. */
export async function readAnchor(anchor: Anchor, log: string): Promise<AnchorLine[] | undefined> {
  if ('file' in anchor) return readAnchorLines(await readRegular(anchor.file), log);
  if ('git_ref' in anchor) return readAnchorLines(await readFromGit(anchor), log);
  return undefined;
}

/** Something else put in its place, such as a pipe, must not make the reader wait for ever. */
async function readRegular(file: string): Promise<string> {
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile())
      throw new ToolError('NOT_REGULAR_FILE', `${file} is not a regular file.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

async function appendLine(file: string, line: string): Promise<void> {
  const handle = await open(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    await handle.appendFile(line);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function post(url: string, line: AnchorLine, signal: AbortSignal): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(line);
  const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  await answer.body?.cancel();
  if (!answer.ok) throw new ToolError('IO_ERROR', `It answered ${answer.status}.`);
}
