// The state of a session as a fold over its events, which `live-session.ts` keeps up to date. Also refuses calls that would change a file
// with unsaved text in an editor.
import {
  type CallPass,
  type CallState,
  createMessageQueue,
  type Effect,
  type EventBody,
  type MessageQueue,
  nextCallState,
  type PolicyMode,
  passIn,
  type Rule,
  type SessionEvent,
  type Touch,
} from '@codelab/protocol';
import type { PlanContext, Planned } from '../../tool/define-tool.ts';
import { refuseUnsaved } from '../../workspace/file-checks.ts';

/** A finished call: the positions of its outcome and of its request in the log. */
export type Finished = { seq: number; received: number };

type OpenedSession = Extract<EventBody, { type: 'session.opened' }>;

export type FoldedSession = {
  readonly rules: Rule[];
  /** Undefined until a mode is chosen for the session. */
  mode: PolicyMode | undefined;
  opened: OpenedSession | undefined;
  /** Calls that have not ended. */
  readonly open: Map<string, CallState>;
  /** Log positions at which the unfinished calls were received. */
  readonly received: Map<string, number>;
  /** For each unfinished call: what let it run, and who runs it. */
  readonly passes: Map<string, CallPass>;
  readonly finished: Map<string, Finished>;
  /** Includes those of finished calls. */
  readonly decidedApprovals: Set<string>;
  /** The version of each file at its last read or write. */
  readonly seen: Map<string, string>;
  /** Log position at which the latest completed call of each tool ended. */
  readonly latest: Map<string, number>;
  /** Unsaved texts of editors, by path in the workspace. */
  readonly unsavedTexts: Map<string, string>;
  /** For each unfinished call: the unsaved texts of the files that it changes. */
  readonly changing: Map<string, readonly [path: string, text: string][]>;
  /** Undefined while no message was sent to a working agent. */
  messages: MessageQueue | undefined;
};

export function newFoldedSession(): FoldedSession {
  return {
    rules: [],
    mode: undefined,
    opened: undefined,
    open: new Map(),
    received: new Map(),
    passes: new Map(),
    finished: new Map(),
    decidedApprovals: new Set(),
    seen: new Map(),
    latest: new Map(),
    unsavedTexts: new Map(),
    changing: new Map(),
    messages: undefined,
  };
}

/** Events must be applied in order. */
export function applyEvent(state: FoldedSession, event: SessionEvent): void {
  const { body } = event;
  applyToTexts(state, body);
  if (body.type.startsWith('message.') || body.type.startsWith('turn.')) messageQueueOf(state).apply(event);
  if (body.type === 'rule.remembered') state.rules.push(body.rule);
  if (body.type === 'mode.changed') state.mode = body.mode;
  if (body.type === 'session.opened') state.opened = body;
  if (body.type === 'approval.decided') state.decidedApprovals.add(body.approvalId);
  const callId = body.type === 'call.received' ? body.call.id : 'callId' in body ? body.callId : undefined;
  if (callId !== undefined && !state.finished.has(callId)) applyToCall(state, callId, event);
}

/** Messages that were sent while the agent works. */
export function messageQueueOf(state: FoldedSession): MessageQueue {
  state.messages ??= createMessageQueue();
  return state.messages;
}

function applyToCall(state: FoldedSession, callId: string, event: SessionEvent): void {
  const pass = passIn(event.body);
  if (pass !== undefined) state.passes.set(callId, { ...state.passes.get(callId), ...pass });
  const next = nextCallState(state.open.get(callId), event);
  if (next === undefined) return;
  if (!('outcome' in next)) {
    if (event.body.type === 'call.received' && !state.received.has(callId))
      state.received.set(callId, event.seq);
    state.open.set(callId, next);
    return;
  }
  if (next.outcome.status === 'completed') {
    state.latest.set(next.outcome.tool, event.seq);
    for (const { path, print } of next.outcome.seen ?? []) state.seen.set(path, print);
  }
  state.finished.set(callId, { seq: event.seq, received: state.received.get(callId) ?? 0 });
  state.open.delete(callId);
  state.passes.delete(callId);
  state.received.delete(callId);
}

function applyToTexts({ unsavedTexts: texts, changing }: FoldedSession, body: EventBody): void {
  if (body.type === 'context.changed') changeTexts(texts, body);
  if (body.type === 'call.planned') {
    const changed = [...texts].filter(([path]) => body.plan.touches.some((touch) => changes(touch, path)));
    if (changed.length > 0) changing.set(body.callId, changed);
    else changing.delete(body.callId);
  }
  if (body.type !== 'call.finished') return;
  const changed = changing.get(body.callId) ?? [];
  changing.delete(body.callId);
  if (body.outcome.status !== 'completed') return;
  // The call changed the file, so the editor's text is no longer newer. A text that arrived after the plan stays.
  for (const [path, text] of changed) if (texts.get(path) === text) texts.delete(path);
}

type ContextChanged = Extract<EventBody, { type: 'context.changed' }>;

function changeTexts(texts: Map<string, string>, { op, path, content }: ContextChanged): void {
  if (op === 'clear') texts.clear();
  else if (path !== undefined && op === 'add_file' && content !== undefined) texts.set(path, content);
  else if (path !== undefined) texts.delete(path);
}

/** Throws STALE when the call would change a file whose unsaved text differs from the disk. A client that has the files checks its own. */
export function checkUnsaved(
  planned: Planned<unknown>,
  texts: ReadonlyMap<string, string>,
  context: Pick<PlanContext, 'unsaved'>,
): void {
  if (texts.size === 0 || planned.isElsewhere) return;
  const touches = [...planned.plan.touches, ...(planned.within ?? []), ...planned.intents.flatMap(touchesOf)];
  for (const path of texts.keys())
    if (touches.some((touch) => changes(touch, path))) refuseUnsaved(path, context);
}

type Place = Pick<Touch, 'path' | 'access'>;

function touchesOf({ op, path, from }: Effect): Place[] {
  const place: Place = { path, access: op === 'delete' ? 'delete' : 'write' };
  return from === undefined ? [place] : [place, { path: from, access: 'delete' }];
}

// A deleted or moved folder takes the files inside it along.
function changes({ path, access }: Place, file: string): boolean {
  return access !== 'read' && (path === file || (access === 'delete' && file.startsWith(`${path}/`)));
}
