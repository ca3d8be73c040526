// One user of a session in a cluster of gateways: sends a message, approves calls, waits for the end of the turn, and sends the next one.
// It knows only the address of the load balancer, and stores everything it receives.
import { setTimeout as rest } from 'node:timers/promises';
import { StreamingClient } from '@codelab/client';
import type { SessionEvent } from '@codelab/protocol';

export type ClusterUser = {
  session: string;
  /** The received entries, by number. */
  view: Map<number, SessionEvent>;
  /** The acknowledged messages: the texts of turns. */
  sentTexts: string[];
  /** Approvals whose decision the gateway has confirmed. */
  decided: string[];
  /** Entries that arrived twice, out of order, or unreadable. */
  faults: string[];
  isTurnOpen: boolean;
  /** Whether the user sent a message whose turn has not ended. */
  isWaiting: boolean;
  /** The state of its connection to the gateway. */
  line(): string;
  close(): void;
};

type Options = {
  url: string;
  token: string;
  session: string;
  /** No turn is begun after this. */
  signal: AbortSignal;
  /** Between two turns. */
  restMs(): number;
};

const answerMs = 20_000;

/** Resolves when its last turn has ended. */
export function openUser({
  url,
  token,
  session,
  signal,
  restMs,
}: Options): ClusterUser & { finished: Promise<void> } {
  const stream = new StreamingClient({
    ...{ url, token, session, wire: 'neutral', since: 0 },
    backoff: { firstMs: 100, mostMs: 1000 },
    beatMs: 3000,
  });
  const user: ClusterUser = {
    ...{
      session,
      view: new Map(),
      sentTexts: [],
      decided: [],
      faults: [],
      isTurnOpen: false,
      isWaiting: false,
    },
    line: () => JSON.stringify(stream.state),
    close: () => stream.close(),
  };
  let wake: () => void = () => undefined;
  let latest: string | undefined;
  const at = { url: `${url}/api/v1/sessions/${session}`, token };
  stream.on('event', ({ event }) => {
    const { seq, body } = event;
    if (user.view.has(seq)) user.faults.push(`entry ${seq} was told twice`);
    if (seq !== user.view.size + 1) user.faults.push(`entry ${seq} was told after ${user.view.size}`);
    user.view.set(seq, event);
    if (body.type === 'turn.started') {
      user.isTurnOpen = true;
      latest = body.text;
    }
    if (body.type === 'turn.ended') user.isTurnOpen = false;
    if (body.type === 'approval.requested') void approve(body.approval.id);
    wake();
  });

  async function approve(approval: string): Promise<void> {
    const body = { approval_id: approval, decision: { kind: 'approve' } };
    if ((await ask(at, '/decisions', body)).status === 200) user.decided.push(approval);
  }

  async function useSession(): Promise<void> {
    await stream.connect();
    for (let n = 1; ; n++) {
      await rest(restMs(), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const text = `turn-${session}-${n}`;
      user.isWaiting = true;
      const { status, text: answer } = await ask(at, '/messages', { content: text, message_id: text });
      if (status !== 202) {
        user.faults.push(`${text} was answered with ${status}: ${answer.slice(0, 200)}`);
        return;
      }
      user.sentTexts.push(text);
      while (latest !== text || user.isTurnOpen)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      user.isWaiting = false;
    }
  }
  return Object.assign(user, { finished: useSession() });
}

/** Repeats the request until it gets a final answer. */
async function ask(
  { url, token }: { url: string; token: string },
  path: string,
  body: object,
): Promise<{ status: number; text: string }> {
  for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2000)) {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerMs),
    }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => undefined,
    );
    if (answer !== undefined && !isPassing(answer)) return answer;
    await rest(waitMs);
  }
}

/** Refusals that pass, including those while a turn is ending that the user already saw end. */
const passing = ['"STALE"', '"CONCURRENT_LIMIT_EXCEEDED"'];

function isPassing({ status, text }: { status: number; text: string }): boolean {
  if (status === 409) return passing.some((code) => text.includes(code));
  return status >= 500 || status === 404 || status === 429;
}
