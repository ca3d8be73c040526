// The output of a run: text for people, JSON or a stream of JSON lines for programs, or the stream that Kode reads.

import { isatty } from 'node:tty';
import { createKodeEncoder } from '@codelab/dialects';
import { type AgentSignal, type SessionEvent, type ToolCall, visible, visibleLine } from '@codelab/protocol';
import { version } from '../build-output.ts';
import { writeText } from '../command-line/process.ts';
import { paintFor } from '../output/paint.ts';
import type { RunResult } from './run-result.ts';

/** Prints a headless turn: while it runs, and at its end. */
export type OutputOptions = {
  session: string;
  root: string;
  watch(listener: (event: SessionEvent) => void): void;
};

export type RunOutput = {
  /** Called before the turn starts. */
  opened?(model: string): void;
  show(signal: AgentSignal): void;
  end(result: RunResult): void;
  /** Called with a result also when no turn could start. */
  isForPrograms?: true;
};

/**
 * For people: the answer on standard output, the steps on standard error. A terminal shows the answer as it streams; a file or pipe gets
 * each reply once it is complete, because a retry voids the text streamed before.
 */
export function textOutput({ isAnswerJson = false, isStreamed = isatty(1) } = {}): RunOutput {
  const paint = paintFor(2);
  let isMidLine = false;
  const write = (text: string): void => {
    if (text === '' || isAnswerJson) return;
    writeText(1, visible(text));
    isMidLine = !text.endsWith('\n');
  };
  const note = (line: string): void => {
    if (isMidLine) writeText(1, '\n');
    isMidLine = false;
    writeText(2, `${line}\n`);
  };
  const reply = isStreamed
    ? { show: write, discard: () => undefined, end: () => undefined }
    : heldReply(write);
  return {
    show(signal) {
      if (signal.type === 'text') reply.show(signal.delta);
      if (signal.type === 'reply') reply.end(signal.reply.text);
      if (signal.type === 'retry') {
        if (signal.discards) reply.discard();
        note(paint('yellow', `  ${retryText(signal, isStreamed)}`));
      }
      if (signal.type === 'call') note(paint('dim', `● ${callLine(signal.call)}`));
      if (signal.type === 'outcome' && signal.outcome.status !== 'completed') {
        const { status, error } = signal.outcome;
        note(paint('red', `  ${status}: ${visibleLine(error.message)}`));
      }
    },
    end({ stop_reason: reason, message, session, refused, ...result }) {
      if (isMidLine) writeText(1, '\n');
      if ('output' in result) writeText(1, `${JSON.stringify(result.output)}\n`);
      const lines: string[] = [];
      if (refused > 0)
        lines.push(
          `${refused === 1 ? '1 call was' : `${refused} calls were`} refused because nobody was there to approve. To decide yourself: --approve ask. To approve everything: --approve all.`,
        );
      if (reason !== 'completed' && reason !== 'call_refused')
        lines.push(`The turn ended as ${reason}${message ? `: ${visibleLine(message)}` : '.'}`);
      // Only a turn with an unanswered approval is still open; any other needs a new prompt.
      const prompt = result.end === 'unanswered' ? '' : ' "Continue."';
      if (lines.length > 0) lines.push(`Continue with: codelab sessions resume ${session}${prompt}`);
      for (const line of lines) writeText(2, `${line}\n`);
    },
  };
}

/** Holds the text of a reply back until the reply is complete. */
function heldReply(write: (text: string) => void) {
  let unwritten = '';
  let isDiscarded = false;
  return {
    show(delta: string): void {
      unwritten += delta;
    },
    discard(): void {
      unwritten = '';
      isDiscarded = true;
    },
    /** When every retry failed without a word, `kept` is the text that the session keeps of an earlier try. */
    end(fallback: string): void {
      write(unwritten === '' && isDiscarded ? fallback : unwritten);
      unwritten = '';
      isDiscarded = false;
    },
  };
}

/** The reason for a retry and when it happens. `isShown`: the text of the failed attempt is on the screen. */
export function retryText(
  { reason, discards, afterMs }: Extract<AgentSignal, { type: 'retry' }>,
  isShown: boolean,
): string {
  const when = afterMs < 1000 ? '' : ` in ${Math.ceil(afterMs / 1000)} s`;
  const start = isShown ? ' from the start; ignore the reply above' : ' from the start';
  return `${visibleLine(reason)} Retrying${when}${discards ? start : ''}.`;
}

/**
 * For programs: one JSON object at the end, or with stream-json one neutral event per line. A line with a `seq` is in the log; any other
 * is sent once and not stored.
 */
const print = (line: object): void => writeText(1, `${JSON.stringify(line)}\n`);

export function jsonOutput(): RunOutput {
  return { isForPrograms: true, show: () => undefined, end: print };
}

export function streamJsonOutput({ session, root, watch }: OutputOptions): RunOutput {
  print({ type: 'session', session, workspace: root, version: version() });
  watch(({ seq, time, body }) => {
    const { type, ...rest } = body;
    print({ type, seq, time, ...rest });
  });
  return {
    isForPrograms: true,
    show(signal) {
      // The other signals are in the log and are printed from there.
      if (isTold(signal.type)) print(signal);
    },
    end: print,
  };
}

/** Signals that are lines of their own. */
export const reportedSignals = ['status', 'text', 'reasoning', 'retry', 'progress'] as const;

function isTold(type: string): boolean {
  return reportedSignals.some((reported) => reported === type);
}

/** The stream of seed 001 (docs/origins.md) as JSON lines. */
export function backendOnlyOutput({ root }: OutputOptions): RunOutput {
  const print = (line: object): void => writeText(1, `${JSON.stringify(line)}\n`);
  let encoder: ReturnType<typeof createKodeEncoder> | undefined;
  return {
    opened(model) {
      encoder = createKodeEncoder({ model, root });
      print(encoder.start());
    },
    show: (signal) => encoder?.encode(signal).forEach(print),
    end: (result) => {
      if (encoder !== undefined) print(encoder.end(result));
    },
  };
}

/** A call in one line: the tool and its most telling arguments. */
const maxLength = 120;

export function callLine({ tool, args }: Pick<ToolCall, 'tool' | 'args'>): string {
  const values = Object.entries(args)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) =>
      ['path', 'file_path', 'command', 'query', 'pattern'].includes(name)
        ? String(value)
        : `${name}=${String(value)}`,
    );
  const line = visibleLine(`${tool} ${values.join(' ')}`.trim());
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}
