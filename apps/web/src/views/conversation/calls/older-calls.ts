// Drops the arguments and results of older calls from memory; they are read from the log again when a card is opened. So a page that stays
// open does not grow with thousands of steps.
import { lossNotes, outsideCall, type Plan, type SessionEvent, testCounts } from '@codelab/protocol';
import { useEffect } from 'react';
import { api } from '../../../api/api.ts';
import { failedExit, outputOf } from '../../../session/command-exit.ts';
import { foldCallEvent } from '../../../session/fold-call-event.ts';
import { type CallModel, emptySession, type SessionModel } from '../../../session/session-model.ts';
import { announce, useConnection, useSessionStore } from '../../../session/session-store.ts';

/** So many of the latest calls stay whole. */
const keptWhole = 100;
type CompletedOutcome = Extract<CallModel['outcome'], { status: 'completed' }>;
/** How many calls more there are before older ones are looked through again. */
const often = 25;
const longestText = 200;

/** Calls that are looked at stay whole: how often each is, and how often all are. */
const held = new Map<string, number>();
let allHeld = 0;

/** Lets go of what older calls brought, whenever there are some more calls. */
export function useLeanCalls(): void {
  useEffect(() => {
    let seen: { model: SessionModel | undefined; size: number } = { model: undefined, size: 0 };
    const look = ({ model } = useSessionStore.getState()): void => {
      if (seen.model === model && model.calls.size < seen.size + often) return;
      seen = { model, size: model.calls.size };
      makeLean(model);
    };
    look();
    return useSessionStore.subscribe((state) => look(state));
  }, []);
}

function makeLean(model: SessionModel): void {
  if (allHeld > 0) return;
  let older = model.calls.size - keptWhole;
  for (const call of model.calls.values()) {
    if (older-- <= 0) return;
    if (call.lean !== undefined || held.has(call.id) || !mayBeLean(call)) continue;
    model.calls.set(call.id, leanCall(call));
    // The call has ended: no later event changes its state.
    model.states.delete(call.id);
  }
}

/** Calls that somebody was asked about are few, and one that failed or removed something for good says so while it is folded. */
function mayBeLean({ call, outcome, approval }: CallModel): boolean {
  if (outcome?.status !== 'completed' || approval !== undefined) return false;
  if (lossNotes(outcome).length > 0) return false;
  return failedExit(outcome) === undefined && outsideCall(call, outcome) === undefined;
}

// One empty value for all older calls: thousands of lists and objects without anything in them would be most of what is kept.
const noItems: never[] = [];
const noData: Readonly<Record<string, unknown>> = {};
const noCounts = { counts: undefined };

/** With all that the folded card, its group and the audit show. */
function leanCall(view: CallModel): CallModel {
  const { call, plan, outcome, verdict: _verdict, output: _output, progress: _progress, ...rest } = view;
  if (outcome?.status !== 'completed') return view;
  return {
    ...rest,
    call: { ...call, args: withoutLongTexts(call.args) },
    ...(plan && { plan: leanPlan(plan) }),
    outcome: leanOutcome(outcome, call.id),
    lean: leanCounts(outputOf(outcome)),
  };
}

function leanOutcome(outcome: CompletedOutcome, callId: string): CompletedOutcome {
  const effects = outcome.effects.length === 0 ? noItems : outcome.effects;
  return { ...outcome, callId, effects, data: withoutTexts(outcome.data) };
}

function leanCounts(output: string): NonNullable<CallModel['lean']> {
  const counts = testCounts(output);
  return counts === undefined ? noCounts : { counts };
}

function leanPlan(plan: Plan): Plan {
  const { diff, phrases, command } = plan;
  return {
    ...plan,
    riskReason: '',
    notes: noItems,
    basis: noItems,
    touches: leanTouches(plan.touches),
    ...(diff && { diff: { ...diff, text: '' } }),
    ...(phrases && { phrases: phrases.summary === undefined ? {} : { summary: phrases.summary } }),
    ...(command && { command: { ...command, parts: [] } }),
  };
}

const knownTouches = new Map<string, Plan['touches']>();

/** Only how a call touches files counts; calls that do so in the same way share the list. */
function leanTouches(touches: Plan['touches']): Plan['touches'] {
  const key = touches.map(({ access }) => access).join();
  const known = knownTouches.get(key) ?? touches.map(({ access }) => ({ asked: '', path: '', access }));
  if (key.length < longestText) knownTouches.set(key, known);
  return known;
}

/** The title of a call may be made of what it was given. */
function withoutLongTexts(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) =>
      typeof value === 'string' ? value.length <= longestText : typeof value !== 'object',
    ),
  );
}

/** Numbers stay, such as an exit code; of a list, that it is one. */
function withoutTexts(data: Record<string, unknown>): Record<string, unknown> {
  const facts = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (Array.isArray(value)) return [[name, noItems]];
    return typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : [];
  });
  return facts.length === 0 ? noData : Object.fromEntries(facts);
}

/** While it is wanted, the call is whole as soon as the gateway has told it. */
export function useWholeCall(view: CallModel | undefined, isWanted = true): void {
  const id = view?.id;
  const isMissing = isWanted && view?.lean !== undefined;
  const isLive = useConnection() === 'live';
  useEffect(() => {
    if (!isWanted || id === undefined) return;
    held.set(id, (held.get(id) ?? 0) + 1);
    return () => {
      const others = (held.get(id) ?? 1) - 1;
      if (others > 0) held.set(id, others);
      else held.delete(id);
    };
  }, [id, isWanted]);
  // A line that is cut meanwhile: it is asked for again when the session is live again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it says.
  useEffect(() => {
    const known = useSessionStore.getState().model.calls.get(id ?? '');
    if (isMissing && known !== undefined) readAgain([known]).catch(() => undefined);
  }, [id, isMissing, isLive]);
}

/** All calls of the session whole, until the returned function is called. */
export async function holdAllCalls(): Promise<() => void> {
  allHeld++;
  const release = (): void => {
    allHeld--;
    makeLean(useSessionStore.getState().model);
  };
  try {
    const { calls } = useSessionStore.getState().model;
    await readAgain([...calls.values()].filter(({ lean }) => lean !== undefined));
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** Calls of a branch may be in the log of the session it came from. */
async function readAgain(calls: readonly CallModel[]): Promise<void> {
  const { model } = useSessionStore.getState();
  for (const [session, inSession] of Map.groupBy(calls, ({ call }) => call.session)) {
    const missing = new Set(inSession.map(({ id }) => id));
    const found = emptySession(session);
    let since = Math.min(...inSession.map(({ seq }) => seq)) - 1;
    while (missing.size > 0) {
      const limit = missing.size === 1 ? 100 : 2000;
      const { events } = await api.sessions.log(session, { since, limit });
      const last = events.at(-1);
      if (last === undefined) return;
      for (const event of events) foldOne(event, { missing, found, model });
      since = last.seq;
      announce();
    }
  }
}

type Reading = { missing: Set<string>; found: SessionModel; model: SessionModel };

function foldOne(event: SessionEvent, { missing, found, model }: Reading): void {
  const { body } = event;
  const id = body.type === 'call.received' ? body.call.id : 'callId' in body ? body.callId : undefined;
  if (id === undefined || !missing.has(id)) return;
  foldCallEvent(found, event);
  if (body.type !== 'call.finished') return;
  missing.delete(id);
  const [whole, known] = [found.calls.get(id), model.calls.get(id)];
  if (whole === undefined || known?.lean === undefined) return;
  const { lean: _lean, ...shown } = known;
  model.calls.set(id, { ...shown, ...whole, inner: known.inner });
}
