// Embeds the runtime: writes a file after a decision made in code, reads it back, and undoes the write.
import type { ToolCall } from '@codelab/protocol';
import { type AnswerApproval, answerApproval, type Host, runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { temporaryWorkspace } from './temporary-workspace.ts';

using place = temporaryWorkspace();
await using composed = await compose({ ...place, mode: 'balanced', env: {} });
const { host } = composed;

await run('write_file', { path: 'hello.txt', content: 'hello\n' });
await run('read_file', { path: 'hello.txt' });
await run('undo', {});
await run('read_file', { path: 'hello.txt' });

async function run(tool: string, args: Record<string, unknown>): Promise<void> {
  const call: ToolCall = { id: `${tool}-${Date.now()}`, session: 'example', dialect: 'codelab', tool, args };
  const outcome = await runCall(host, call, undefined, approve(host, call.session));
  const result = outcome.status === 'completed' ? outcome.data : outcome.error.message;
  console.log(`${tool}: ${outcome.status} ${JSON.stringify(result)}`);
}

/** Approves every call; a real program shows `plan.summary` and the diff to a person. */
function approve(host: Host, session: string): AnswerApproval {
  return async (approval) => {
    console.log(`asked: ${approval.plan.summary} (${approval.plan.risk} risk)`);
    const by = { who: 'example', via: 'embed-runtime' };
    await answerApproval(host, { session, approvalId: approval.id, decision: { kind: 'approve' }, by });
  };
}
