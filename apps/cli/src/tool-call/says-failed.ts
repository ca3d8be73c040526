// Whether the message that ends a call is an error to whoever reads it: the call failed, or its dialect calls the result a failure.
import type { Json, Message } from '@codelab/dialects';

export function saysFailed(message: Message, written: Json): boolean {
  if (message.type !== 'result' || message.outcome.status !== 'completed') return true;
  // In coder `ok` decides: what the tool says besides stands in the same object.
  if (typeof written.ok === 'boolean') return !written.ok;
  return typeof written.status === 'string' && written.status !== 'success';
}
