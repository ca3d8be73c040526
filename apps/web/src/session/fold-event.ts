// Applies an event of the log to the model of the screen. The cost does not depend on the length of the session.
import {
  createMessageQueue,
  type EventBody,
  type MessageQueue,
  type SessionEvent,
  titleFrom,
} from '@codelab/protocol';
import { foldCallEvent } from './fold-call-event.ts';
import { beginSection, sectionStart } from './sections.ts';
import type { Entry, LogPlace, SessionModel, TurnModel } from './session-model.ts';

export function foldEvent(model: SessionModel, event: SessionEvent): void {
  // After a reconnect some entries may come twice.
  if (event.seq <= model.lastSeq) return;
  const start = sectionStart(model, event);
  const { length } = model.entries;
  model.lastSeq = event.seq;
  updateQueue(model, event);
  foldBody(model, event);
  if (model.entries.length > length) beginSection(model, length, start);
}

function foldBody(model: SessionModel, event: SessionEvent): void {
  const { body } = event;
  if (body.type === 'call.received' || 'callId' in body) {
    foldCallEvent(model, event);
    return;
  }
  switch (body.type) {
    case 'session.opened':
      openSession(model, event, body);
      return;
    case 'session.titled':
      model.title = body.title;
      return;
    case 'turn.started':
      startTurn(model, event, body);
      return;
    case 'turn.steered':
      addSaid(model, event, { ...body, isSteering: true });
      return;
    case 'model.replied':
      hearReply(model, event, body);
      return;
    case 'turn.ended':
      endTurn(model, event, body);
      return;
    case 'context.changed':
      changeContext(model, event, body);
      return;
    case 'context.compacted':
      if (body.agent === undefined)
        add(model, { kind: 'compacted', ...at(event), summary: body.summary ?? '' });
      return;
    default:
      foldDecision(model, event);
  }
}

/** People's decisions and actions beside the conversation. */
function foldDecision(model: SessionModel, event: SessionEvent): void {
  const { body } = event;
  switch (body.type) {
    case 'rule.remembered':
      add(model, { kind: 'rule', ...at(event), rule: body.rule, by: body.by });
      return;
    case 'mode.changed':
      changeMode(model, event, body);
      return;
    case 'terminal.opened':
    case 'terminal.closed':
      addTerminal(model, event, body);
      return;
    case 'worktree.merged':
    case 'worktree.dropped':
      endWorktree(model, event, body);
      return;
    default: // `updateQueue` has read the events of queued messages.
      return;
  }
}

type Body<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

function openSession(model: SessionModel, event: SessionEvent, body: Body<'session.opened'>): void {
  model.workspace = body.workspace;
  const { worktree, workspace: path } = body;
  if (worktree !== undefined) model.worktree = { path, branch: worktree.branch, isDropped: false };
  model.title = body.title ?? model.title;
  if (body.forkedFrom !== undefined)
    add(model, { kind: 'forked', ...at(event), from: body.forkedFrom, after: model.latestMessage });
  model.origin = body.forkedFrom;
}

function startTurn(model: SessionModel, event: SessionEvent, body: Body<'turn.started'>): void {
  if (body.agent !== undefined) return;
  const { turn, text, profile } = body;
  if (model.title === '') model.title = titleFrom(text);
  model.profile = profile;
  model.model = body.model;
  model.status = 'thinking';
  model.live = undefined;
  const { by } = body;
  const question = body.again ? undefined : { session: model.id, seq: event.seq };
  const begun = { turn, startedAt: event.time, startSeq: event.seq, tokens: 0, cost: 0 };
  const latest = { ...begun, ...(question && { question }), ...(by && { by }) };
  model.turns = { ...model.turns, count: model.turns.count + 1, latest };
  if (body.again) add(model, { kind: 'continued', ...at(event), turn });
  else addSaid(model, event, body);
}

type SentMessage = Pick<Body<'turn.started'>, 'turn' | 'text' | 'files' | 'images'> & { isSteering?: true };

function addSaid(model: SessionModel, event: SessionEvent, message: SentMessage): void {
  const { turn, text, images, isSteering } = message;
  const files = (message.files ?? []).map(({ path }) => path);
  const more = { ...(images && { images }), ...(isSteering && { isSteering }) };
  const place = { session: model.id, seq: event.seq };
  const { model: name, profile } = model;
  model.sentTexts.push(text);
  model.latestMessage = `e${event.seq}`;
  model.firstMessage ??= model.latestMessage;
  add(model, { kind: 'user', ...at(event), turn, text, files, ...more, model: name, profile, at: place });
}

const queues = new WeakMap<SessionModel, MessageQueue>();

function updateQueue(model: SessionModel, event: SessionEvent): void {
  const { body } = event;
  const queue = queues.get(model) ?? createMessageQueue();
  queues.set(model, queue);
  const before = queue.waiting.size;
  queue.apply(event);
  const isSaid = body.type === 'turn.started' || body.type === 'turn.steered';
  const id = body.type === 'message.queued' ? body.id : isSaid ? body.message : undefined;
  if (id !== undefined) model.knownMessages.add(id);
  if (body.type.startsWith('message.') || queue.waiting.size !== before)
    model.queued = [...queue.waiting.values()];
}

function hearReply(model: SessionModel, event: SessionEvent, body: Body<'model.replied'>): void {
  const { text, reasoning = '', usage } = body.reply;
  const { totals } = model;
  model.replies++;
  model.totals = {
    inputTokens: totals.inputTokens + usage.inputTokens,
    outputTokens: totals.outputTokens + usage.outputTokens,
    cost: totals.cost + (usage.cost ?? 0),
    hasCost: totals.hasCost || usage.cost !== undefined,
    unpriced:
      totals.unpriced + (usage.cost === undefined && usage.inputTokens + usage.outputTokens > 0 ? 1 : 0),
  };
  changeTurn(model, ({ tokens, cost }) => ({
    tokens: tokens + usage.inputTokens + usage.outputTokens,
    cost: cost + (usage.cost ?? 0),
  }));
  if (body.agent !== undefined) {
    const call = model.calls.get(body.agent);
    if (call === undefined || text === '') return;
    const inner = [...call.inner, { kind: 'said' as const, key: `s${event.seq}`, text }];
    model.calls.set(call.id, { ...call, inner });
    return;
  }
  model.live = undefined;
  model.retry = undefined;
  if (text === '' && reasoning === '') return;
  const partial = body.reply.stop === 'interrupted' && { isPartial: true as const };
  const { turn, reply } = body;
  const answered = questionOf(model, turn);
  const more = { ...(answered && { question: answered }), ...partial };
  add(model, { kind: 'said', ...at(event), turn, text, reasoning, model: reply.model, ...more });
}

function questionOf({ turns: { latest } }: SessionModel, turn: number): LogPlace | undefined {
  return latest?.turn === turn ? latest.question : undefined;
}

function endTurn(model: SessionModel, event: SessionEvent, body: Body<'turn.ended'>): void {
  if (body.agent !== undefined) return;
  model.live = undefined;
  model.retry = undefined;
  model.status = body.end === 'failed' ? 'error' : 'idle';
  const { turn, end, message = '', reason = '', code = '' } = body;
  changeTurn(model, () => ({ endedAt: event.time, end }));
  const { latest, ended } = model.turns;
  model.turns = { ...model.turns, ended: ended + 1, lastEnded: latest?.turn ?? 0 };
  const durationMs = latest === undefined ? 0 : event.time - latest.startedAt;
  add(model, {
    kind: 'ended',
    ...at(event),
    turn,
    end,
    ...{ message, reason, code },
    durationMs,
    tokens: latest?.tokens ?? 0,
    cost: latest?.cost ?? 0,
  });
}

function changeTurn(model: SessionModel, change: (turn: TurnModel) => Partial<TurnModel>): void {
  const { latest } = model.turns;
  if (latest !== undefined) model.turns = { ...model.turns, latest: { ...latest, ...change(latest) } };
}

function changeMode(model: SessionModel, event: SessionEvent, { mode, by }: Body<'mode.changed'>): void {
  model.mode = mode;
  // A mode that is chosen before the first message is where the session starts, not a change.
  if (model.turns.count > 0) add(model, { kind: 'mode', ...at(event), mode, by });
}

/** Before the first turn the conversation stays empty. */
function addTerminal(
  model: SessionModel,
  event: SessionEvent,
  body: Body<'terminal.opened'> | Body<'terminal.closed'>,
): void {
  if (model.turns.count === 0) return;
  const who = body.by?.who ?? '';
  const code = body.type === 'terminal.closed' && { code: body.exitCode };
  add(model, { kind: 'terminal', ...at(event), who, ...code });
}

function endWorktree(
  model: SessionModel,
  event: SessionEvent,
  body: Body<'worktree.merged'> | Body<'worktree.dropped'>,
): void {
  const branch = body.branch ?? model.worktree?.branch ?? '';
  const into = body.type === 'worktree.merged' ? body.into : undefined;
  if (model.worktree !== undefined && into === undefined)
    model.worktree = { ...model.worktree, isDropped: true };
  add(model, { kind: 'worktree', ...at(event), branch, into });
}

function changeContext(model: SessionModel, event: SessionEvent, body: Body<'context.changed'>): void {
  const { op, path = '' } = body;
  const others = op === 'clear' ? [] : model.contextFiles.filter((file) => file !== path);
  model.contextFiles = op === 'add_file' ? [...others, path] : others;
  add(model, { kind: 'context', ...at(event), op, path });
}

function add(model: SessionModel, entry: Entry): void {
  model.entries.push(entry);
}

function at({ seq, time }: SessionEvent): { key: string; time: number } {
  return { key: `e${seq}`, time };
}
