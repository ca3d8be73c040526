// Reads a source's output from its beginning until stopped: soon after new output, rarely without any.
import type { CommandOutputPart, ProcessOutput } from '@codelab/api';
import { ApiError } from '@codelab/client';
import { api } from '../../api/api.ts';
import type { TerminalSource } from './terminal-source.ts';

type Hear = {
  /** `isFresh`: it begins anew, as after a restart. */
  onOutput(text: string, isFresh: boolean): void;
  onDropped(): void;
  onStatus(status: 'running' | 'exited' | 'gone', exitCode: number | null): void;
};

const soonMs = 150;
const seldomMs = 1200;

export async function followOutput(source: TerminalSource, hear: Hear, signal: AbortSignal): Promise<void> {
  let cursor = 0;
  let wait = soonMs;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      const answer = await read(source, cursor, signal);
      // Started again under the same name, it counts from zero.
      const isAnew = answer.cursor < cursor;
      if (isAnew) {
        cursor = 0;
        hear.onOutput('', true);
        continue;
      }
      if (answer.dropped > 0) hear.onDropped();
      if (answer.output !== '') hear.onOutput(answer.output, false);
      hear.onStatus(answer.status, 'exit_code' in answer ? answer.exit_code : null);
      wait = answer.output === '' ? Math.min(seldomMs, wait * 1.5) : soonMs;
      cursor = answer.cursor;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status === 404) {
        hear.onStatus('gone', null);
        if (source.kind === 'command' && !isFirst) return;
      }
      wait = seldomMs;
    }
    await pause(wait, signal);
  }
}

function read(
  source: TerminalSource,
  cursor: number,
  signal: AbortSignal,
): Promise<ProcessOutput | CommandOutputPart> {
  return source.kind === 'process'
    ? api.processes.output(source.id, cursor, { isRaw: true, signal })
    : api.processes.commandOutput(source.session, source.call, cursor, { signal });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
