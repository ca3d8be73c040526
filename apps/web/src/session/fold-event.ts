// One entry of the log more: what it changes on the screen. Costs the same however long the session is.
import type { EventBody, SessionEvent } from '@codelab/protocol';
import { foldCallEvent } from './fold-call-event.ts';
import { readTodos } from './read-todos.ts';
import type { Entry, SessionModel, Turn } from './session-model.ts';

export function foldEvent(model: SessionModel, event: SessionEvent): void {
  // After a reconnect some entries may come twice.
  if (event.seq <= model.lastSeq) return;
  model.lastSeq = event.seq;
  const { body } = event;
  switch (body.type) {
    case 'session.opened':
      model.workspace = body.workspace;
      model.title = body.title ?? model.title;
      if (body.forkedFrom !== undefined)
        add(model, { kind: 'forked', ...at(event), from: body.forkedFrom.session });
      return;
    case 'session.titled':
      model.title = body.title;
      return;
    case 'turn.started':
      startTurn(model, event, body);
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
    case 'rule.remembered':
      add(model, { kind: 'rule', ...at(event), rule: body.rule, by: body.by });
      return;
    case 'call.received':
    case 'call.taken':
    case 'call.recovered':
    case 'call.planned':
    case 'approval.requested':
    case 'approval.warned':
    case 'approval.decided':
    case 'approval.expired':
    case 'call.started':
      foldCallEvent(model, event);
      return;
    case 'call.finished':
      foldCallEvent(model, event);
      if (body.outcome.effects.length > 0)
        model.touched.push({ callId: body.callId, effects: body.outcome.effects });
      if (body.outcome.status === 'completed') model.todos = readTodos(body.outcome.data) ?? model.todos;
      return;
  }
}

type Body<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

function startTurn(model: SessionModel, event: SessionEvent, body: Body<'turn.started'>): void {
  if (body.agent !== undefined) return;
  const { turn, text, profile } = body;
  if (model.title === '') model.title = text.slice(0, 80);
  model.profile = profile;
  model.model = body.model;
  model.status = 'thinking';
  model.live = undefined;
  const { by } = body;
  model.turns.push({ turn, startedAt: event.time, startSeq: event.seq, tokens: 0, ...(by && { by }) });
  const files = (body.files ?? []).map(({ path }) => path);
  add(model, { kind: 'user', ...at(event), turn, text, files, model: body.model, profile });
}

function hearReply(model: SessionModel, event: SessionEvent, body: Body<'model.replied'>): void {
  const { text, reasoning = '', usage } = body.reply;
  const { totals } = model;
  model.totals = {
    inputTokens: totals.inputTokens + usage.inputTokens,
    outputTokens: totals.outputTokens + usage.outputTokens,
    cost: totals.cost + (usage.cost ?? 0),
    hasCost: totals.hasCost || usage.cost !== undefined,
  };
  changeTurn(model, ({ tokens }) => ({ tokens: tokens + usage.inputTokens + usage.outputTokens }));
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
  add(model, { kind: 'said', ...at(event), turn: body.turn, text, reasoning, model: body.reply.model });
}

function endTurn(model: SessionModel, event: SessionEvent, body: Body<'turn.ended'>): void {
  if (body.agent !== undefined) return;
  model.live = undefined;
  model.retry = undefined;
  model.status = body.end === 'failed' ? 'error' : 'idle';
  const started = model.turns.at(-1);
  changeTurn(model, () => ({ endedAt: event.time, end: body.end }));
  const durationMs = started === undefined ? 0 : event.time - started.startedAt;
  const { turn, end, message = '' } = body;
  add(model, {
    kind: 'ended',
    ...at(event),
    turn,
    end,
    message,
    durationMs,
    tokens: model.turns.at(-1)?.tokens ?? 0,
  });
}

function changeTurn(model: SessionModel, change: (turn: Turn) => Partial<Turn>): void {
  const last = model.turns.at(-1);
  if (last !== undefined) model.turns[model.turns.length - 1] = { ...last, ...change(last) };
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
