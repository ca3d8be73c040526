// The messages to a client while its call runs: progress, if requested, and that an approval is pending. They stay few and short, however
// much a command prints.
import { cutText } from '@codelab/agent';
import { visible } from '@codelab/protocol';
import type { ServerContext } from '@modelcontextprotocol/server';

export type Reports = Disposable & {
  progress(data: Record<string, unknown>): void;
  /** Sent immediately, also to a client that did not request progress. */
  notice(text: string): void;
  /** Repeats the notice, because many clients give up on a silent call. */
  waiting(settled: AbortSignal): void;
};

const everyMs = 100;
const waitingEveryMs = 10_000;
const maxChars = 1000;

export function createReports({ mcpReq }: Pick<ServerContext, 'mcpReq'>): Reports {
  const progressToken = mcpReq._meta?.progressToken;
  const timers = new Set<NodeJS.Timeout>();
  let count = 0;
  let later: string | undefined;
  // A client that is gone needs no report.
  const ignore = (): undefined => undefined;

  function notify(message: string): void {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: ++count, message: cutText(message, maxChars) };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(ignore);
  }
  function flush(): void {
    if (later !== undefined) notify(later);
    later = undefined;
  }
  return {
    progress(data) {
      if (progressToken === undefined) return;
      const isHeld = later !== undefined;
      // A report has the end of the output since the last report; the result has all of it.
      later = ((later ?? '') + textOf(data)).slice(-maxChars);
      if (isHeld) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        flush();
      }, everyMs);
      timers.add(timer);
    },
    notice(text) {
      notify(text);
      mcpReq.log('warning', text, 'codelab').catch(ignore);
    },
    waiting(settled) {
      if (settled.aborted) return;
      const timer = setInterval(() => notify('A human has not decided yet.'), waitingEveryMs);
      timers.add(timer);
      settled.addEventListener('abort', () => clearInterval(timer), { once: true });
    },
    [Symbol.dispose]() {
      flush();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function textOf({ stdout, stderr }: Record<string, unknown>): string {
  return visible([stdout, stderr].filter((text) => typeof text === 'string').join(''));
}
