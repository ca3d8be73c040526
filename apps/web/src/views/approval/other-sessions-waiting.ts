// Pending approvals of sessions that are not on the screen. No event tells of them, so they are read every few seconds while the page is visible.
import type { ApprovalRequest } from '@codelab/protocol';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from '../../api/api.ts';
import { useSession } from '../../session/session-store.ts';

const everyMs = 15_000;
const useAll = create<{ all: readonly ApprovalRequest[] }>(() => ({ all: [] }));
let watchers = 0;
let tellFirst: (count: number) => void = () => undefined;
let timer: ReturnType<typeof setInterval> | undefined;

/** How many approvals waited when the page was opened, in all sessions. */
export const whenFirstLooked = new Promise<number>((resolve) => {
  tellFirst = resolve;
});

export function useOtherSessionsWaiting(): readonly ApprovalRequest[] {
  const session = useSession(({ id }) => id);
  const all = useAll((state) => state.all);
  useEffect(watch, []);
  return all.filter((approval) => approval.session !== session);
}

/** For the badge of the view: here and elsewhere. */
export function useWaitingCount(): number {
  const here = useSession(({ pending }) => pending.length);
  return here + useOtherSessionsWaiting().length;
}

function watch(): () => void {
  watchers++;
  if (watchers === 1) {
    void look();
    timer = setInterval(() => void look(), everyMs);
    document.addEventListener('visibilitychange', onSeen);
  }
  return () => {
    watchers--;
    if (watchers > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onSeen);
  };
}

const onSeen = (): void => void look();

async function look(): Promise<void> {
  if (document.hidden) return;
  try {
    const all = await api.approvals.pending();
    tellFirst(all.length);
    if (all.length > 0 || useAll.getState().all.length > 0) useAll.setState({ all });
  } catch {
    // The line about the connection says it; here one only looks again later.
  }
}
