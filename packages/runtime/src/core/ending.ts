// The outcome of a call, from what its tool returned or from what was thrown.
import {
  type EndedBadly,
  type Failure,
  type Outcome,
  statusOf,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import { limitFault } from '../workspace/fault.ts';
import type { Ran, Tool } from './define-tool.ts';
import { FailedWithEffects } from './failed-with-effects.ts';

export type ChangedBy = { kind: 'edit' | 'hunks'; args: Record<string, unknown>; feedback?: string };

type Travelled = { call: ToolCall; startedAt: number; changedBy: ChangedBy | undefined };

export function completed(
  { call, startedAt, changedBy }: Travelled,
  tool: Tool,
  ran: Ran<Record<string, unknown>>,
): Outcome {
  const durationMs = Date.now() - startedAt;
  const outcome: Outcome = {
    status: 'completed',
    callId: call.id,
    tool: tool.name,
    startedAt,
    durationMs,
    data: ran.data,
    effects: ran.effects,
  };
  return {
    ...outcome,
    ...(ran.seen === undefined ? {} : { seen: ran.seen }),
    ...(changedBy === undefined ? {} : { changedBy }),
  };
}

export function endedBadly({ call, startedAt }: Omit<Travelled, 'changedBy'>, thrown: unknown): EndedBadly {
  const error = failureOf(thrown);
  const durationMs = Date.now() - startedAt;
  return {
    status: statusOf(error.code),
    callId: call.id,
    tool: call.tool,
    startedAt,
    durationMs,
    effects: thrown instanceof FailedWithEffects ? [...thrown.effects] : [],
    error,
  };
}

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof ToolError) {
    const { code, message, details } = thrown;
    return details === undefined ? { code, message } : { code, message, details };
  }
  const limited = limitFault(thrown);
  if (limited !== undefined) return failureOf(limited);
  const name = thrown instanceof Error ? thrown.name : '';
  if (name === 'TimeoutError')
    return { code: 'TIMEOUT', message: 'The call took longer than it may and was stopped.' };
  if (name === 'AbortError') return { code: 'CANCELLED', message: 'The call was cancelled.' };
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return { code: 'INTERNAL', message: `A defect in CodeLab stopped this call (${text}). Please report it.` };
}
