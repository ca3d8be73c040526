// Kode's answer: what the tool returned, or, in its place, what went wrong.
import { type Outcome, ToolError } from '@codelab/protocol';
import type { Json, Message, WireTool } from '../dialect.ts';
import { readField } from './read-field.ts';
import { readId } from './read-id.ts';
import { readText } from './read-text.ts';

export function readBackendOnly(message: Json, findRow: (name: string) => WireTool | undefined): Message {
  const id = readId(message);
  const tool = readText(message, ['tool_name']) ?? '';
  const data = readField(message, ['data']);
  if (data === undefined) {
    throw new ToolError('INVALID_ARGUMENTS', '`data` is missing.', { field: 'data' });
  }
  // Only a tool whose results are objects can tell a failure by a bare text.
  const fault = typeof data === 'string' ? findRow(tool)?.failed && data : (data as Json).error;
  const ended = { callId: id, tool, startedAt: 0, durationMs: 0, effects: [] };
  const outcome: Outcome =
    typeof fault === 'string' && fault !== ''
      ? { ...ended, status: 'failed', error: { code: 'EXECUTION_FAILED', message: fault } }
      : { ...ended, status: 'completed', data: typeof data === 'object' ? (data as Json) : { output: data } };
  return { type: 'result', asked: { id, wire: { tool, args: {} } }, outcome };
}
