// An id as every log and screen can hold it.
import { isCallId, ToolError } from '@codelab/protocol';

export function checkId(id: string): string {
  if (isCallId(id)) return id;
  const fault =
    id === '' ? 'is missing' : 'must have at most 200 characters, none of them a control character';
  throw new ToolError('INVALID_ARGUMENTS', `\`call_id\` ${fault}.`, { field: 'call_id' });
}
