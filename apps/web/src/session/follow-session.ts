// Brings a session onto the screen and keeps it there: first the log in pages, then the socket; after a loss, from where it stopped.
import { ApiError } from '@codelab/client';
import type { NeutralMessage } from '@codelab/protocol';
import { api } from '../api/api.ts';
import { foldEvent } from './fold-event.ts';
import { foldFrame } from './fold-frame.ts';
import { emptySession, type SessionModel } from './session-model.ts';
import { announce, type Connection, useSessionStore } from './session-store.ts';

const firstWaitMs = 500;
const longestWaitMs = 15_000;

/** Ends when `signal` aborts, or when there is no such session. */
export async function followSession(id: string, signal: AbortSignal): Promise<void> {
  const model = emptySession(id);
  useSessionStore.setState({ model, connection: 'loading', problem: '' });
  const say = (connection: Connection): void => {
    if (!signal.aborted) useSessionStore.setState({ connection });
  };
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await loadLog(model, signal);
      say('live');
      const wasLive = await listen(model, signal);
      if (wasLive) failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && !mayPass(error)) {
        useSessionStore.setState({ connection: 'gone', problem: error.message });
        return;
      }
    }
    say('lost');
    await pause(Math.min(longestWaitMs, firstWaitMs * 2 ** failures), signal);
  }
}

// The log is shown before anything comes over a socket, so what opens one is loaded beside it.
const hearing = import('./hear-session.ts');

async function loadLog(model: SessionModel, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { events, last_seq: head } = await api.sessions.log(model.id, { since: model.lastSeq }, signal);
    for (const event of events) foldEvent(model, event);
    if (events.length === 0 || model.lastSeq >= head) break;
  }
  announce();
}

/** Whether anything came before the connection ended. */
async function listen(model: SessionModel, signal: AbortSignal): Promise<boolean> {
  let heard = false;
  let waiting: NeutralMessage[] = [];
  let isAsked = false;
  // Many messages of one moment are one change of the screen. A hidden page gets no frames, so a timer stands in.
  const flush = (): void => {
    isAsked = false;
    const frames = waiting;
    waiting = [];
    if (signal.aborted) return;
    for (const frame of frames) foldFrame(model, frame, Date.now());
    announce();
  };
  const onFrame = (frame: NeutralMessage): void => {
    heard = true;
    waiting.push(frame);
    if (isAsked) return;
    isAsked = true;
    if (document.visibilityState === 'visible') requestAnimationFrame(flush);
    else setTimeout(flush, 250);
  };
  const { hearSession } = await hearing;
  await hearSession(model, { signal, onFrame });
  flush();
  return heard;
}

function mayPass({ status, code }: ApiError): boolean {
  return status === 0 || status >= 500 || status === 429 || code === 'RATE_LIMITED';
}

/** Also ends early when the machine is back on the network. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms * (0.75 + Math.random() / 2));
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
