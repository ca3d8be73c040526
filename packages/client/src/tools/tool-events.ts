// Seed 002's events about tools, as a client reads them from the stream.
export { ApprovalResolved, ToolApprovalRequest, ToolExecutionSignal, ToolResultAck } from '@codelab/dialects';

/** Sessions may use the same ids for their calls. */
export function callKey({
  tool_id,
  session_id,
}: {
  tool_id: string;
  session_id?: string | undefined;
}): string {
  return JSON.stringify([session_id ?? '', tool_id]);
}
