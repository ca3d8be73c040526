// The list of sessions as it was last read.
import type { SearchHit, Session } from '@codelab/api';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from '../../api/api.ts';
import { errorMessage } from '../../error-help.ts';
import { useCurrentSession } from '../../session/current-session.ts';
import { useSession } from '../../session/session-store.ts';
import { currentText } from '../../text/use-text.ts';

type State = {
  query: string;
  /** Messages that match the query. */
  hits: readonly SearchHit[];
  isArchive: boolean;
  lines: readonly Session[];
  total: number;
  /** How many are asked for at most. */
  wanted: number;
  isLoaded: boolean;
  problem: string;
};

const pageOf = 50;
const mostAtOnce = 200;

export const useSessionList = create<State>(() => ({
  query: '',
  hits: [],
  isArchive: false,
  lines: [],
  total: 0,
  wanted: pageOf,
  isLoaded: false,
  problem: '',
}));

let latest = 0;

/** The answer to the latest request counts, whichever arrives first. */
export async function loadSessions(): Promise<void> {
  const request = ++latest;
  const { query, wanted, isArchive } = useSessionList.getState();
  try {
    const [{ lines, total }, hits] = await Promise.all([
      readPages({ query, archived: isArchive ? 'only' : 'exclude' }, wanted),
      query.trim().length < 2 ? [] : searchContent(query.trim()),
    ]);
    if (request === latest) useSessionList.setState({ lines, total, hits, isLoaded: true, problem: '' });
  } catch (error) {
    const problem = errorMessage(error, currentText());
    if (request === latest) useSessionList.setState({ isLoaded: true, problem });
  }
}

export function setSessionQuery(query: string): void {
  useSessionList.setState({ query, wanted: pageOf });
  void loadSessions();
}

export function showMoreSessions(): void {
  useSessionList.setState(({ wanted }) => ({ wanted: wanted + pageOf }));
  void loadSessions();
}

export function showArchive(isArchive: boolean): void {
  useSessionList.setState({ isArchive, wanted: pageOf });
  void loadSessions();
}

async function searchContent(query: string): Promise<SearchHit[]> {
  const { hits } = await api.sessions.search({ query, limit: 30 });
  return hits.filter(({ role }) => role !== 'title');
}

type SessionFilter = { query: string; archived: 'only' | 'exclude' };

async function readPages(
  filter: SessionFilter,
  wanted: number,
): Promise<{ lines: Session[]; total: number }> {
  const lines: Session[] = [];
  for (;;) {
    const limit = Math.min(mostAtOnce, wanted - lines.length);
    const { sessions, total = 0 } = await api.sessions.list({ limit, offset: lines.length, ...filter });
    lines.push(...sessions);
    if (sessions.length < limit || lines.length >= wanted) return { lines, total };
  }
}

const everyMs = 8000;

/** Reads the list again while it is on the screen: when the open session changes, when the page gets the focus, and every few seconds. */
export function useFreshSessions(): void {
  const current = useCurrentSession();
  const state = useSession(({ title, status, pending, turns }) =>
    [title, status, pending.length, turns.count].join('\n'),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: these changes are the occasion.
  useEffect(() => void loadSessions(), [current, state]);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') void loadSessions();
    };
    const timer = setInterval(look, everyMs);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
    };
  }, []);
}
