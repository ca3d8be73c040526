// The session on the screen. The model changes in place; `version` shows that it did, and selectors show where.
import { create } from 'zustand';
import type { CallModel, Entry, SessionModel } from './session-model.ts';

export type SessionConnectionState = 'none' | 'loading' | 'live' | 'lost' | 'gone';

export type SessionState = {
  model: SessionModel;
  version: number;
  connection: SessionConnectionState;
  /** Why the session can't be shown. */
  problem: unknown;
};

export function emptySession(id: string): SessionModel {
  return {
    id,
    title: '',
    workspace: '',
    worktree: undefined,
    lastSeq: 0,
    profile: '',
    mode: undefined,
    model: '',
    status: 'idle',
    entries: [],
    calls: new Map(),
    states: new Map(),
    turns: { count: 0, ended: 0, lastEnded: 0, latest: undefined },
    pending: [],
    todos: [],
    contextFiles: [],
    touched: [],
    losses: [],
    replies: 0,
    totals: { inputTokens: 0, outputTokens: 0, cost: 0, hasCost: false, unpriced: 0 },
    queued: [],
    knownMessages: new Set(),
    sentTexts: [],
    firstMessage: undefined,
    latestMessage: undefined,
    origin: undefined,
    live: undefined,
    retry: undefined,
  };
}

export const useSessionStore = create<SessionState>(() => ({
  model: emptySession(''),
  version: 0,
  connection: 'none',
  problem: undefined,
}));

/** Reads a part of the model; the component renders again only when that part is another value. */
export function useSession<Part>(select: (model: SessionModel) => Part): Part {
  return useSessionStore(({ model }) => select(model));
}

export function useConnection(): SessionConnectionState {
  return useSessionStore(({ connection }) => connection);
}

export function useCall(callId: string): CallModel | undefined {
  return useSession(({ calls }) => calls.get(callId));
}

export function useEntry(index: number): Entry | undefined {
  return useSession(({ entries }) => entries[index]);
}

/** Something in the model has changed. */
export function announce(): void {
  useSessionStore.setState(({ version }) => ({ version: version + 1 }));
}
