// A failure that to a human is a list: every file was refused, or there was none. Undefined for any other.
import { ToolError } from '@codelab/protocol';
import type { TakenBack } from './take-back.ts';

export function nothingTakenBack(error: unknown): TakenBack | undefined {
  if (!(error instanceof ToolError)) return undefined;
  const { reason, refused = [] } = (error.details ?? {}) as {
    reason?: unknown;
    refused?: TakenBack['data']['refused'];
  };
  if (reason !== 'nothing' && refused.length === 0) return undefined;
  return { data: { taken_back: [], refused }, effects: [] };
}
