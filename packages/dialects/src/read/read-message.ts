// Reads leniently, for every dialect alike: takes off an envelope, finds out what kind of message it is, and hands it on.
import { ToolError } from '@codelab/protocol';
import type { Dialect, Json, Message, WireTool } from '../dialect.ts';
import { short } from '../short.ts';
import { readBackendOnly } from './read-backend-only.ts';
import { readCall } from './read-call.ts';
import { readDecision } from './read-decision.ts';
import { readId } from './read-id.ts';
import { readResult } from './read-result.ts';
import { unwrap } from './unwrap.ts';

type Table = { ask: Dialect['ask']; findRow(name: string): WireTool | undefined };

export function readMessage(wire: unknown, { ask, findRow }: Table): Message {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) {
    throw new ToolError('INVALID_FORMAT', 'A message is one JSON object.');
  }
  const message = unwrap(wire as Json);
  const type = typeOf(message);
  switch (type) {
    case 'tool_call':
    case 'tool.execution_signal':
    case 'call':
    case 'tool_use':
      return { type: 'call', call: readCall(message, false, ask) };
    case 'tool.approval_request':
    case 'approval':
    case 'can_use_tool':
      return { type: 'call', call: readCall(message, true, ask) };
    case 'hitl_response':
      return { type: 'decision', callId: readId(message), decision: readDecision(message, 'action') };
    case 'hitl_decision':
    case 'tool.approval_decision':
    case 'decision':
      return { type: 'decision', callId: readId(message), decision: readDecision(message, 'decision') };
    case 'tool_result':
    case 'tool.result':
      return readResult(message, readId(message));
    case 'backend_only':
      return readBackendOnly(message, findRow);
    case 'ok':
      return readResult(message, typeof message.id === 'string' ? message.id : '');
    default:
      throw new ToolError('INVALID_FORMAT', `Unknown message type: ${short(type)}`);
  }
}

// Some forms carry no type: they are known by what they hold.
function typeOf(message: Json): string {
  const type = message.type ?? message.event_type;
  if (type != null) return String(type);
  if (typeof message.ok === 'boolean') return 'ok';
  if (typeof message.status === 'string') return 'tool.result';
  return 'tool_name' in message ? 'tool_call' : '(none)';
}
