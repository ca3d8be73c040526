// The list of sessions as it was last told.
import type { Session } from '@codelab/api';
import { create } from 'zustand';
import { api } from '../../api/api.ts';

type State = {
  query: string;
  lines: readonly Session[];
  total: number;
  /** How many are wanted at most. */
  wanted: number;
  isLoaded: boolean;
  problem: string;
};

const pageOf = 50;
const mostAtOnce = 200;

export const useSessionList = create<State>(() => ({
  query: '',
  lines: [],
  total: 0,
  wanted: pageOf,
  isLoaded: false,
  problem: '',
}));

let latest = 0;

/** What was asked later wins, whichever answer comes first. */
export async function loadSessions(): Promise<void> {
  const asked = ++latest;
  const { query, wanted } = useSessionList.getState();
  try {
    const { lines, total } = await readPages(query, wanted);
    if (asked === latest) useSessionList.setState({ lines, total, isLoaded: true, problem: '' });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (asked === latest) useSessionList.setState({ isLoaded: true, problem });
  }
}

export function searchSessions(query: string): void {
  useSessionList.setState({ query, wanted: pageOf });
  void loadSessions();
}

export function showMoreSessions(): void {
  useSessionList.setState(({ wanted }) => ({ wanted: wanted + pageOf }));
  void loadSessions();
}

async function readPages(query: string, wanted: number): Promise<{ lines: Session[]; total: number }> {
  const lines: Session[] = [];
  for (;;) {
    const limit = Math.min(mostAtOnce, wanted - lines.length);
    const { sessions, total = 0 } = await api.sessions.list({ limit, offset: lines.length, query });
    lines.push(...sessions);
    if (sessions.length < limit || lines.length >= wanted) return { lines, total };
  }
}
