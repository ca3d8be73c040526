// Running commands and processes, read every two seconds while the view is open, and when a call starts or ends.
import type { ProcessEntry, RunningCommandEntry } from '@codelab/api';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from '../../api/api.ts';
import { errorMessage } from '../../error-help.ts';
import { useSession } from '../../session/session-store.ts';
import { currentText } from '../../text/use-text.ts';

type Known = {
  processes: readonly ProcessEntry[] | undefined;
  commands: readonly RunningCommandEntry[];
  problem: string;
};

const pauseMs = 2000;

export const useProcesses = create<Known>(() => ({ processes: undefined, commands: [], problem: '' }));

export async function readProcesses(): Promise<void> {
  try {
    useProcesses.setState({ ...(await api.processes.list()), problem: '' });
  } catch (error) {
    useProcesses.setState({ problem: errorMessage(error, currentText()) });
  }
}

export function useFreshProcesses(): void {
  const seq = useSession(({ lastSeq }) => lastSeq);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an entry more in the log may be a call that starts or ends.
  useEffect(() => void readProcesses(), [seq]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void readProcesses();
    }, pauseMs);
    return () => clearInterval(timer);
  }, []);
}
