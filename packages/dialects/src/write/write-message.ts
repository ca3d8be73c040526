// Writes strictly: the row says the result, the spelling is the caller's, the dialect's writer gives it its form.
import type { Outcome } from '@codelab/protocol';
import type { Json, Message, WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { isSame } from '../read/is-same.ts';
import { present } from './present.ts';
import { respell } from './respell.ts';
import { wireArguments } from './wire-arguments.ts';
import type { Answer, Asked, Writer } from './writer.ts';

export type Form = { writer: Writer; paths: PathSpelling; findRow(name: string): WireTool | undefined };

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
  const { code, details } = outcome.error;
  const message = respell(outcome.error.message, wire.args, form.paths);
  const facts = present(details ?? {});
  const error = { code, message, ...(Object.keys(facts).length > 0 && { details: facts }) };
  const said = form.findRow(wire.tool)?.failed?.(error, wire.args);
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
