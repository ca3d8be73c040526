// Writes a message strictly: the row gives the result, the caller the spelling, the dialect's writer the form.
import type { ApprovalRequest, Decision, EndedBadly, Failure, Outcome, ToolError } from '@codelab/protocol';
import type { AskedCall, Json, Message, PathSpelling, WireTool } from '../dialect.ts';
import { renameFailure, respell, wireArguments } from './respell.ts';
import { isSame, present } from './values.ts';

export type Asked = Pick<AskedCall, 'id' | 'wire'>;

/** A successful end, already in the wire's words. */
export type Answer = {
  result: Json | string;
  metadata: Json | undefined;
  ending: Json | undefined;
  /** What a human changed before it ran; absent when nothing. */
  changedBy: Json | undefined;
  outcome: Extract<Outcome, { status: 'completed' }>;
};

/** The strict form of each message of a dialect. Everything else is the same for all of them. */
export type MessageWriter = {
  call(call: AskedCall): Json;
  /** `args` are those the human decides about: the caller's, unless the call was edited since. */
  approval(asked: AskedCall, approval: ApprovalRequest, args: Json): Json;
  decision(callId: string, decision: Decision): Json;
  completed(asked: Asked, answer: Answer): Json;
  /** Missing where there is no form for it. */
  progress?(asked: Asked, result: Json | string): Json;
  /** `said` is what the tool's row answers in the place of a result. */
  endedBadly(asked: Asked, outcome: EndedBadly, said: Json | string | undefined): Json;
};

type Form = { writer: MessageWriter; paths: PathSpelling; findRow(name: string): WireTool | undefined };

export function writeMessage(message: Message, form: Form): Json {
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

function argsToDecide({ asked, approval }: Extract<Message, { type: 'approval' }>, form: Form): Json {
  const row = form.findRow(asked.wire.tool);
  if (row === undefined || isSame(asked.args, approval.args)) return asked.wire.args;
  return wireArguments(row, approval.args, asked.wire.args, form.paths);
}

function writeResult(asked: Asked, outcome: Outcome, form: Form): Json {
  if (outcome.status === 'completed') return form.writer.completed(asked, answerOf(asked, outcome, form));
  const { wire } = asked;
  const row = form.findRow(wire.tool);
  const { code, message: text, details } = renameFailure(row, outcome.error);
  const message = respell(text, wire.args, form.paths);
  const facts = present(details ?? {});
  const error = { code, message, ...(Object.keys(facts).length > 0 && { details: facts }) };
  const said = row?.failed?.(error, wire.args);
  return form.writer.endedBadly(asked, { ...outcome, error }, said);
}

function writeProgress(asked: Asked, data: Json, { writer, findRow }: Form): Json {
  if (writer.progress === undefined) throw new Error('this dialect has no form for progress');
  const row = findRow(asked.wire.tool);
  return writer.progress(asked, row === undefined ? data : row.toWire(data, asked.wire.args));
}

function answerOf(asked: Asked, outcome: Answer['outcome'], form: Form): Answer {
  const row = form.findRow(asked.wire.tool);
  if (row === undefined) {
    const nothing = { metadata: undefined, ending: undefined, changedBy: undefined };
    return { result: outcome.data, ...nothing, outcome };
  }
  const { changedBy } = outcome;
  const args =
    changedBy === undefined
      ? asked.wire.args
      : wireArguments(row, changedBy.args, asked.wire.args, form.paths);
  return {
    result: row.toWire(outcome.data, args),
    metadata: row.metadata?.(outcome.data, args),
    ending: row.ending?.(outcome.data),
    changedBy: changedBy && changeOf(changedBy, args),
    outcome,
  };
}

// Of an edit the caller learns what ran in place of its own arguments; of chosen hunks the file itself tells.
function changeOf(changedBy: NonNullable<Answer['outcome']['changedBy']>, args: Json): Json {
  const { kind, feedback } = changedBy;
  return present({ kind, args: kind === 'edit' ? args : undefined, feedback });
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

/** The answer to a call that went no further than its reading. */
export function refuse(asked: Asked, { code, message, details }: ToolError): Message {
  const error: Failure = details === undefined ? { code, message } : { code, message, details };
  const { id: callId, wire } = asked;
  const ended = { callId, tool: wire.tool, startedAt: Date.now(), durationMs: 0, effects: [] };
  return { type: 'result', asked, outcome: { ...ended, status: 'failed', error } };
}
