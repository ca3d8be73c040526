// The history of each call that this client showed or ran; the latest ones only.
import type { ToolResult } from '../api/tool-calls.ts';
import type { DialogAnswer } from './approval-dialogs.ts';
import { callKey, type ToolApprovalRequest } from './tool-events.ts';

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
  /** Updates the entry of a call, or creates it. */
  note(key: string, known: Partial<HistoryEntry> & Pick<HistoryEntry, 'toolId' | 'status'>): void;
  /** An approval, and how it was answered. */
  noteRequest(request: ToolApprovalRequest, answer?: DialogAnswer): void;
};

export function createToolHistory(size: number): ToolHistory {
  const entries = new Map<string, HistoryEntry>();
  const note: ToolHistory['note'] = (key, changes) => {
    const before = entries.get(key) ?? { toolType: '', startTime: Date.now() };
    entries.set(key, { ...before, ...changes });
    if (entries.size > size) entries.delete(entries.keys().next().value ?? '');
  };
  return {
    get entries() {
      return [...entries.values()];
    },
    note,
    noteRequest(request, answer) {
      // The gateway reports who decided elsewhere, and how.
      if (answer !== undefined && 'settled' in answer) return;
      const { tool_id: toolId, tool_name: toolType, risk_level: riskLevel } = request;
      note(callKey(request), { toolId, toolType, riskLevel, ...answerOf(answer) });
    },
  };
}

type Decided = Exclude<DialogAnswer, { settled: true }>;

function answerOf(answer: Decided | undefined): Pick<HistoryEntry, 'status'> & Partial<HistoryEntry> {
  if (answer === undefined) return { status: 'pending' };
  if (answer.approved) return { status: 'approved', userApproved: true };
  const { reason: error, cause } = answer;
  // A user who was not asked, or did not answer, has not rejected.
  const byUser = cause === undefined ? { userApproved: false } : {};
  return { status: 'rejected', error, endTime: Date.now(), ...byUser };
}

export function endOf({ status, error }: ToolResult): Pick<HistoryEntry, 'status' | 'endTime' | 'error'> {
  const ended = {
    status: status === 'success' ? ('completed' as const) : ('failed' as const),
    endTime: Date.now(),
  };
  return error === undefined ? ended : { ...ended, error: error.message };
}
