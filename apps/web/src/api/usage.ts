// What was used, over the API.
import { request } from './request.ts';

export type Used = {
  turns: number;
  tokens_in: number;
  tokens_out: number;
  tokens_cached: number;
  /** Null while no price is known. */
  cost_usd: number | null;
  calls: number;
  failed_calls: number;
  approvals: number;
  waited_ms: number;
};

export type UsedDay = Used & { day: string };
export type UsedSession = Used & { id: string; title: string; updated_at: string };
/** How many approvals waited up to so long; null is longer than all others. */
export type Waits = { up_to_ms: number | null; count: number };

export type Usage = {
  sessions: UsedSession[];
  total: Used;
  by_day: UsedDay[];
  waits: Waits[];
  left_out: number;
};

export function readUsage(signal: AbortSignal): Promise<Usage> {
  return request<Usage>('GET', '/usage', { signal });
}
