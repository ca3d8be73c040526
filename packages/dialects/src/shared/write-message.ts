// Writes a message strictly: the row gives the result, the caller the spelling, the dialect's writer the form.
import {
  type ApprovalRequest,
  type Decision,
  type EndedBadly,
  type Failure,
  highestRisk,
  type Outcome,
  type Risk,
  type ToolError,
} from '@codelab/protocol';
import type { DialectMessage, Json, PathSpelling, WireCall, WireTool } from '../dialect.ts';
import { renameFailure, respell, wireArguments } from './spelling.ts';
import { isSameJson, present } from './values.ts';

export type CallRef = Pick<WireCall, 'id' | 'wire'>;

/** A successful end, already in the wire's spelling. */
export type WireSuccess = {
  result: Json | string;
  metadata: Json | undefined;
  ending: Json | undefined;
  /** The human's changes before the call ran; undefined when there are none. */
  changedBy: Json | undefined;
  outcome: Extract<Outcome, { status: 'completed' }>;
};

/** The strict form of each message of a dialect. Everything else is the same for all of them. */
export type MessageWriter = {
  call(call: WireCall): Json;
  /** `args` are those the human decides about: the caller's, unless the call was edited since. */
  approval(call: WireCall, approval: ApprovalRequest, args: Json): Json;
  decision(callId: string, decision: Decision): Json;
  completed(call: CallRef, answer: WireSuccess): Json;
  /** Undefined where the dialect has no form for it. */
  progress?(call: CallRef, result: Json | string): Json;
  /** `answer` is the answer of the tool's row in the place of a result. */
  endedBadly(call: CallRef, outcome: EndedBadly, answer: Json | string | undefined): Json;
};

type Form = { writer: MessageWriter; paths: PathSpelling; findRow(name: string): WireTool | undefined };

export function writeMessage(message: DialectMessage, form: Form): Json {
  const { writer } = form;
  switch (message.type) {
    case 'call':
      return writer.call(message.call);
    case 'approval':
      return writer.approval(message.asked, message.approval, argsToDecide(message, form));
    case 'decision':
      return writer.decision(message.callId, message.decision);
    case 'result':
      return writeResult(message.asked, message.outcome, form);
    case 'progress':
      return writeProgress(message.asked, message.data, form);
  }
}

function argsToDecide({ asked, approval }: Extract<DialectMessage, { type: 'approval' }>, form: Form): Json {
  const row = form.findRow(asked.wire.tool);
  if (row === undefined || isSameJson(asked.args, approval.args)) return asked.wire.args;
  return wireArguments(row, approval.args, asked.wire.args, form.paths);
}

function writeResult(call: CallRef, outcome: Outcome, form: Form): Json {
  if (outcome.status === 'completed') return form.writer.completed(call, answerOf(call, outcome, form));
  const { wire } = call;
  const row = form.findRow(wire.tool);
  const { code, message: text, details } = renameFailure(row, outcome.error);
  const message = respell(text, wire.args, form.paths);
  const facts = present(details ?? {});
  const error = { code, message, ...(Object.keys(facts).length > 0 && { details: facts }) };
  const answer = row?.failed?.(error, wire.args);
  return form.writer.endedBadly(call, { ...outcome, error }, answer);
}

function writeProgress(call: CallRef, data: Json, { writer, findRow }: Form): Json {
  if (writer.progress === undefined) throw new Error('this dialect has no form for progress');
  const row = findRow(call.wire.tool);
  return writer.progress(call, row === undefined ? data : row.toWire(data, call.wire.args));
}

function answerOf(call: CallRef, outcome: WireSuccess['outcome'], form: Form): WireSuccess {
  const row = form.findRow(call.wire.tool);
  if (row === undefined) {
    const nothing = { metadata: undefined, ending: undefined, changedBy: undefined };
    return { result: outcome.data, ...nothing, outcome };
  }
  const { changedBy } = outcome;
  const args =
    changedBy === undefined ? call.wire.args : wireArguments(row, changedBy.args, call.wire.args, form.paths);
  return {
    result: row.toWire(outcome.data, args),
    metadata: row.metadata?.(outcome.data, args),
    ending: row.ending?.(outcome.data),
    changedBy: changedBy && changeOf(changedBy, args),
    outcome,
  };
}

// For an edit the caller gets the arguments that ran instead of its own; for chosen hunks the file itself shows them.
function changeOf(changedBy: NonNullable<WireSuccess['outcome']['changedBy']>, args: Json): Json {
  const { kind, feedback } = changedBy;
  return present({ kind, args: kind === 'edit' ? args : undefined, feedback });
}

/** The time to decide, for wires that send it; undefined when an approval waits until it is decided. */
export function secondsToDecide({ deadline, requestedAt }: ApprovalRequest): number | undefined {
  return deadline === undefined ? undefined : Math.round((deadline - requestedAt) / 1000);
}

/** A decision as fields of a message; each dialect has its own name for some of them. */
export function decisionFields(decision: Decision, names: { args: string; feedback: string }): Json {
  const { kind } = decision;
  switch (decision.kind) {
    case 'approve':
      return present({ decision: kind, remember: decision.remember });
    case 'edit':
      return present({ decision: kind, [names.args]: decision.args, [names.feedback]: decision.feedback });
    case 'hunks':
      return present({
        decision: kind,
        take: decision.take,
        edits: decision.edits,
        [names.feedback]: decision.feedback,
      });
    case 'reject':
      return present({
        decision: kind,
        [names.feedback]: decision.feedback,
        cause: decision.cause,
        remember: decision.remember,
      });
    case 'answer':
      return { decision: kind, action: decision.action };
  }
}

/** The answer to a call that could not be read. */
export function refuse(call: CallRef, { code, message, details }: ToolError): DialectMessage {
  const error: Failure = details === undefined ? { code, message } : { code, message, details };
  const { id: callId, wire } = call;
  const ended = { callId, tool: wire.tool, startedAt: Date.now(), durationMs: 0, effects: [] };
  return { type: 'result', asked: call, outcome: { ...ended, status: 'failed', error } };
}

const changingFiles = ['write_file', 'edit_file', 'multi_edit', 'notebook_edit', 'apply_patch', 'move_file'];

/** The seeds rate every change to a file as high; we go by the size of the change. */
export function riskInSeeds({ tool, verdict }: Pick<ApprovalRequest, 'tool' | 'verdict'>): Risk {
  return changingFiles.includes(tool) ? highestRisk(['high', verdict.risk]) : verdict.risk;
}
