// A call in any dialect's clothes: names, arguments and the wish for approval under every key a peer may use.
import { ToolError } from '@codelab/protocol';
import type { AskedCall, Dialect, Json } from '../dialect.ts';
import { readField } from './read-field.ts';
import { readId } from './read-id.ts';
import { readObject } from './read-object.ts';
import { readText } from './read-text.ts';

const argumentKeys = ['args', 'arguments', 'tool_params', 'input'];

export function readCall(message: Json, asks: boolean, ask: Dialect['ask']): AskedCall {
  const tool = readText(message, ['tool_name', 'tool_type', 'tool', 'name']);
  if (tool === undefined) {
    throw new ToolError('INVALID_ARGUMENTS', '`tool_name` is missing.', { field: 'tool_name' });
  }
  const args = readObject(readField(message, argumentKeys) ?? {}, presentKey(message));
  return ask({ id: readId(message), tool, args, requiresApproval: asks || wantsApproval(message) });
}

function presentKey(message: Json): string {
  return argumentKeys.find((key) => message[key] != null) ?? 'args';
}

// The peer's word can only add an approval: anything but a plain no in a flag that is there is refused or asks.
function wantsApproval(message: Json): boolean {
  const flag = readField(message, ['requires_approval']);
  if (flag !== undefined && typeof flag !== 'boolean') {
    throw new ToolError('INVALID_ARGUMENTS', '`requires_approval` must be true or false.', {
      field: 'requires_approval',
    });
  }
  const context = readField(message, ['execution_context']);
  const approved = context === undefined ? undefined : readObject(context, 'execution_context').user_approved;
  return flag === true || approved === false;
}
