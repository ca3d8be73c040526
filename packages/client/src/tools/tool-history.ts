// What became of each call that this client was asked about or given to carry out; the latest ones only.
import type { ToolResult } from '../api/tool-calls.ts';

export type HistoryEntry = {
  toolId: string;
  toolType: string;
  status: 'pending' | 'approved' | 'rejected' | 'completed' | 'failed';
  startTime: number;
  endTime?: number;
  error?: string;
  userApproved?: boolean;
  riskLevel?: string;
};

export type ToolHistory = {
  readonly entries: readonly HistoryEntry[];
  /** Adds to what is known of it, or begins. */
  note(key: string, known: Partial<HistoryEntry> & Pick<HistoryEntry, 'toolId' | 'status'>): void;
};

export function createToolHistory(size: number): ToolHistory {
  const entries = new Map<string, HistoryEntry>();
  return {
    get entries() {
      return [...entries.values()];
    },
    note(key, known) {
      const before = entries.get(key) ?? { toolType: '', startTime: Date.now() };
      entries.set(key, { ...before, ...known });
      if (entries.size > size) entries.delete(entries.keys().next().value ?? '');
    },
  };
}

export function endOf({ status, error }: ToolResult): Pick<HistoryEntry, 'status' | 'endTime' | 'error'> {
  const ended = {
    status: status === 'success' ? ('completed' as const) : ('failed' as const),
    endTime: Date.now(),
  };
  return error === undefined ? ended : { ...ended, error: error.message };
}
