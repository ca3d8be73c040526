// The changes of a session as a list of turns, newest first: each call's change to each file, and whether it still stands.
import type { ChangedFile, ChangeState, ChangeTurn, ChangedCall as ListedCall } from '@codelab/api';
import type { Effect } from '@codelab/protocol';
import { type ChangeIndex, diffEffects, type Host, hasItem, shownEffects } from '@codelab/runtime';
import type { ChangingCall } from './change-fold.ts';

type Counts = { added: number | null; removed: number | null };

type Viewed = { id: string; host: Pick<Host, 'home' | 'workspace'> };

type ChangeView = (session: Viewed, calls: readonly ChangingCall[], index: ChangeIndex) => ChangeTurn[];

const mostCalls = 1000;
const mostFiles = 200;
const mostCounted = 5000;
// Lines are counted once, and in one request only for this long; later requests count the rest.
const countingMs = 150;

export function createChangeView(): ChangeView {
  const countsByKey = new Map<string, Counts[]>();

  function countLines({ id, host }: Viewed, call: ChangingCall, index: ChangeIndex, until: number): Counts[] {
    const key = JSON.stringify([id, call.outcome.callId]);
    const cachedCounts = countsByKey.get(key);
    if (cachedCounts !== undefined) return cachedCounts;
    if (performance.now() > until) return [];
    const { home, workspace } = host;
    const places = { home, workspace, versions: index.versions };
    const effects = shownEffects(call.outcome.effects).slice(0, mostFiles);
    const files = diffEffects(effects, places, { maxChars: Number.MAX_SAFE_INTEGER });
    const counts = files.map(({ added, removed }) => ({ added, removed }));
    countsByKey.set(key, counts);
    if (countsByKey.size > mostCounted) countsByKey.delete(countsByKey.keys().next().value ?? key);
    return counts;
  }

  return (session, calls, index) => {
    const until = performance.now() + countingMs;
    const { home } = session.host;
    const standing = standingIn(session.id, index);
    const latest = calls.slice(-mostCalls).toReversed();
    const views = latest.map((call) => {
      const effects = shownEffects(call.outcome.effects);
      const counts = countLines(session, call, index, until);
      const standingPaths = standing.get(call.outcome.callId) ?? new Set<string>();
      const files = effects.slice(0, mostFiles).map((effect, i) => ({
        path: effect.path,
        ...(effect.from !== undefined && { from: effect.from }),
        op: effect.op,
        state: stateOf(effect, standingPaths, home),
        ...(effect.uncertain && { uncertain: true as const }),
        added: counts[i]?.added ?? null,
        removed: counts[i]?.removed ?? null,
      }));
      return { turn: call.turn ?? null, view: viewOf(call, files, effects.length) };
    });
    return byTurn(views);
  };
}

function viewOf(
  { outcome, summary, time }: ChangingCall,
  files: ChangedFile[],
  fileCount: number,
): ListedCall {
  const omitted = fileCount - files.length;
  return {
    call_id: outcome.callId,
    tool: outcome.tool,
    summary,
    time: new Date(time).toISOString(),
    state: together(files.map(({ state }) => state)),
    files,
    ...(omitted > 0 && { more_files: omitted }),
  };
}

function standingIn(session: string, { standing }: ChangeIndex): Map<string, Set<string>> {
  const ofSession = standing.filter((call) => call.session === session);
  return new Map(ofSession.map((call) => [call.callId, new Set(call.groups.flat().map(({ path }) => path))]));
}

function stateOf(
  { path, before, trashId }: Effect,
  standingPaths: ReadonlySet<string>,
  home: string,
): ChangeState {
  if (!standingPaths.has(path)) return 'undone';
  // An empty folder needs nothing to be made again.
  if (before === null || (before.type === 'directory' && trashId === undefined)) return 'done';
  return trashId !== undefined && hasItem(home, trashId) ? 'done' : 'evicted';
}

// A group counts as done when any of its changes can still be undone.
function together(states: readonly ChangeState[]): ChangeState {
  if (states.includes('done')) return 'done';
  return states.includes('evicted') ? 'evicted' : 'undone';
}

// A person's call belongs to no turn and is listed separately.
function byTurn(views: readonly { turn: number | null; view: ListedCall }[]): ChangeTurn[] {
  const turns: { turn: number | null; calls: [ListedCall, ...ListedCall[]] }[] = [];
  for (const { turn, view } of views) {
    const same = turn === null ? undefined : turns.find((other) => other.turn === turn);
    if (same === undefined) turns.push({ turn, calls: [view] });
    else same.calls.push(view);
  }
  return turns.map(({ turn, calls }) => ({
    turn,
    time: calls[0].time,
    state: together(calls.map(({ state }) => state)),
    calls,
  }));
}
