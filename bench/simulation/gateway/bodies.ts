// The entries of a scripted turn, about as long as those of a real one: a message, a command that is asked about, its start and its end.
import type { ApprovalRequest, Decision, EventBody, Outcome, Owner, ToolCall } from '@codelab/protocol';

export const workspace = '/srv/project';
const model = 'simulated';
const command = 'npm test -- --run packages/runtime';

export function callOf(session: string, id: string, turn: number): ToolCall {
  const args = { command, description: 'Run the tests of the package that was changed' };
  return { id, session, tool: 'run_command', args, dialect: 'codelab', turn, attended: true };
}

export function messageTaken(call: ToolCall): EventBody[] {
  const text = 'The tests of the runtime fail since yesterday. Find out why, and make them pass again.';
  return [
    { type: 'turn.started', text, message: call.id, model, profile: 'default' } as EventBody,
    { type: 'call.received', call },
  ];
}

export function approvalAsked(call: ToolCall, requestedAt: number): EventBody[] {
  const plan: ApprovalRequest['plan'] = {
    summary: `Run ${command}`,
    risk: 'medium',
    riskReason: 'A program is run that may change files.',
    touches: [],
    notes: ['The command runs in the sandbox: it can write to the workspace only.'],
    basis: [{ path: 'package.json', print: 'sha256:6d0e6b2f1a9c4a7d8e3b5f20c1d4e7a86d0e6b2f1a9c4a7d' }],
  };
  const verdict: ApprovalRequest['verdict'] = {
    verdict: 'ask',
    risk: 'medium',
    rule: 'default:execute',
    layer: 'built-in',
    reason: 'Commands are asked about.',
    parts: [],
  };
  const approval: ApprovalRequest = {
    id: approvalOf(call.id),
    callId: call.id,
    session: call.session,
    tool: call.tool,
    kind: 'execute',
    args: call.args,
    plan,
    verdict,
    binding: 'sha256:6d0e6b2f1a9c4a7d8e3b5f20c1d4e7a86d0e6b2f1a9c4a7d8e3b5f20c1d4e7a8',
    requestedAt,
  };
  return [
    { type: 'call.planned', callId: call.id, plan, verdict },
    { type: 'approval.requested', callId: call.id, approval },
  ];
}

export function approvalOf(callId: string): string {
  return `apr_${callId}`;
}

export const approve: Decision = { kind: 'approve' };
export const reject: Decision = { kind: 'reject', feedback: 'Not now.' };

export function callStarted(call: ToolCall, owner: Owner): EventBody {
  return { type: 'call.started', callId: call.id, owner, args: call.args, intents: [], slot: call.id };
}

export function callEnded(
  call: ToolCall,
  end: 'completed' | 'rejected' | 'unknown',
  at: number,
): EventBody[] {
  const common = { callId: call.id, tool: call.tool, startedAt: at, durationMs: 900, effects: [] };
  const outcome: Outcome =
    end === 'completed'
      ? {
          ...common,
          status: 'completed',
          data: { exit_code: 0, stdout: 'Test Files  12 passed\n'.repeat(8), stderr: '' },
        }
      : end === 'rejected'
        ? { ...common, status: 'rejected', error: { code: 'REJECTED', message: 'A person said no.' } }
        : {
            ...common,
            status: 'failed',
            error: { code: 'OUTCOME_UNKNOWN', message: 'The gateway ended while it ran.' },
          };
  return [
    { type: 'call.finished', callId: call.id, outcome, turn: call.turn ?? 1 },
    { type: 'turn.ended', end: end === 'unknown' ? 'failed' : 'completed' } as EventBody,
  ];
}
