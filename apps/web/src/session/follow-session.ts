// Follows the session of the address: reads its log, the log of the session it was branched from, and then every new frame.

import { ApiError, SessionStream } from '@codelab/client';
import type { NeutralMessage, SessionEvent } from '@codelab/protocol';
import { api } from '../api/api.ts';
import { openPageSocket, pageFetch } from '../api/page-session.ts';
import { currentSession, openSession } from './current-session.ts';
import { foldEvent } from './fold-event.ts';
import { foldFrame } from './fold-frame.ts';
import { unloadSections, withPrefix } from './sections.ts';
import type { LogPlace, SessionModel } from './session-model.ts';
import { announce, emptySession, type SessionConnectionState, useSessionStore } from './session-store.ts';

/** Follows whichever session the address names, from now on. It does not wait for the first rendering. */
export function followAddress(): void {
  let followed: string | undefined;
  let ending = new AbortController();
  const follow = (): void => {
    const id = currentSession();
    if (id === followed) return;
    followed = id;
    ending.abort();
    ending = new AbortController();
    if (id === '')
      useSessionStore.setState({ model: emptySession(''), connection: 'none', problem: undefined });
    else void followSession(id, ending.signal);
  };
  window.addEventListener('hashchange', follow);
  follow();
}

// A later answer would replace the screen while somebody already uses it.
const patienceMs = 800;

/** To be called once, before anything is shown. */
export async function openLatest(): Promise<void> {
  if (location.hash !== '') return;
  try {
    const { sessions } = await api.sessions.list({ limit: 1 }, AbortSignal.timeout(patienceMs));
    const [latest] = sessions;
    if (latest !== undefined && location.hash === '') openSession(latest.id);
  } catch {
    // A gateway that can't be asked now is noticed by whatever is done next.
  }
}

// Brings a session onto the screen and keeps it there: first the log in pages, then the socket; after a loss, from where it stopped.
const firstWaitMs = 500;
const longestWaitMs = 15_000;

/** Ends when `signal` aborts, or when there is no such session. */
async function followSession(id: string, signal: AbortSignal): Promise<void> {
  const model = emptySession(id);
  useSessionStore.setState({ model, connection: 'loading', problem: undefined });
  const say = (connection: SessionConnectionState): void => {
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
        useSessionStore.setState({ connection: 'gone', problem: error });
        return;
      }
    }
    say('lost');
    await pause(Math.min(longestWaitMs, firstWaitMs * 2 ** failures), signal);
  }
}

async function loadLog(model: SessionModel, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { events, last_seq: head } = await api.sessions.log(model.id, { since: model.lastSeq }, signal);
    if (model.lastSeq === 0) await loadOrigin(model, events[0], signal);
    for (const event of events) foldEvent(model, event);
    unloadSections(model);
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
    unloadSections(model);
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
  await streamSession(model, { signal, onFrame });
  flush();
  return heard;
}

// The live side of a session: messages of the neutral wire until the connection ends or stops answering.
type Hearing = { signal: AbortSignal; onFrame(frame: NeutralMessage): void };

const pingMs = 15_000;
const frameTypes = ['event', 'signal', 'live', 'switched', 'notice', 'session_info'] as const;

/** Resolves when the connection is lost. It does not come back by itself: a session may have been deleted, which its log tells. */
async function streamSession(
  { id, lastSeq }: { id: string; lastSeq: number },
  { signal, onFrame }: Hearing,
): Promise<void> {
  using stream = new SessionStream({
    session: id,
    wire: 'neutral',
    since: lastSeq,
    fetch: pageFetch,
    openSocket: openPageSocket,
    beatMs: pingMs,
    signal,
  });
  for (const type of frameTypes) stream.on(type, onFrame);
  await new Promise<void>((resolve) => {
    stream.onState(({ name }) => {
      if (name === 'waiting' || name === 'closed') resolve();
    });
    stream.connect().catch(() => undefined);
  });
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

// The beginning of a branch: the entries of the session it comes from, up to where it branched off. They are shown before its own.
/** A branch of a branch begins with what that one begins with. */
const mostBranches = 20;

async function loadOrigin(
  model: SessionModel,
  first: SessionEvent | undefined,
  signal: AbortSignal,
  depth = 0,
): Promise<void> {
  if (first?.body.type !== 'session.opened' || first.body.forkedFrom === undefined) return;
  if (depth >= mostBranches) return;
  const origin = await readUpTo(first.body.forkedFrom, signal, depth);
  const { entries, calls, turns, todos, contextFiles, title, sentTexts, losses, latestMessage } = origin;
  const prefix = `${origin.id}.`;
  for (const entry of entries) model.entries.push(withPrefix(entry, prefix));
  for (const [id, call] of calls) model.calls.set(id, call);
  if (latestMessage !== undefined) model.latestMessage = `${prefix}${latestMessage}`;
  Object.assign(model, { turns, todos, contextFiles, title, sentTexts, losses });
}

async function readUpTo(
  { session, seq }: LogPlace,
  signal: AbortSignal,
  depth: number,
): Promise<SessionModel> {
  const model = emptySession(session);
  while (model.lastSeq < seq) {
    const page = await api.sessions.log(session, { since: model.lastSeq }, signal);
    if (model.lastSeq === 0) await loadOrigin(model, page.events[0], signal, depth + 1);
    for (const event of page.events) if (event.seq <= seq) foldEvent(model, event);
    if (page.events.length === 0 || (page.events.at(-1)?.seq ?? 0) >= seq) break;
  }
  return model;
}
