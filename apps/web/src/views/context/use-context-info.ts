// The gateway's data about the session beyond its log: the pinned files, the context use, and the cost of turns whose price was set later.
import type { ContextUse, TurnUsage } from '@codelab/api';
import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { api } from '../../api/api.ts';
import { useSession } from '../../session/session-store.ts';
import { useSettings } from '../../settings-store.ts';

export function useContextInfo(): ContextUse | undefined {
  const id = useSession((model) => model.id);
  const files = useSession(({ contextFiles }) => contextFiles);
  const turns = useSession((model) => model.turns.ended);
  const replies = useSession((model) => model.replies);
  const [info, setInfo] = useState<{ of: string; info: ContextUse } | undefined>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these says that the answer may be another.
  useEffect(() => {
    if (id === '') return;
    const ending = new AbortController();
    api.sessions
      .context(id, ending.signal)
      .then((answer) => setInfo({ of: id, info: answer }))
      // The list of files is known without it.
      .catch(() => undefined);
    return () => ending.abort();
  }, [id, files, turns, replies]);
  return info?.of === id ? info.info : undefined;
}

/** Costs that the log does not have, of the session that `of` names. `unpriced` counts its turns without a price. */
type Costs = { of: string; cost: number | null; unpriced: number; turns: ReadonlyMap<string, TurnUsage> };

const useCosts = create<Costs>(() => ({ of: '', cost: null, unpriced: 0, turns: new Map() }));

/** Asks what the replies without a cost come to by now; not at all while every reply has one. */
export function useFollowedCosts(): void {
  const id = useSession((model) => model.id);
  const unpriced = useSession(({ totals }) => totals.unpriced);
  const replies = useSession((model) => model.replies);
  const original = useSession(({ origin }) => origin?.session);
  const settings = useSettings();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reply and a change of the settings are the occasions.
  useEffect(() => {
    if (id === '' || (unpriced === 0 && original === undefined)) return;
    const ending = new AbortController();
    const sessions = [id, ...(original === undefined ? [] : [original])];
    Promise.all(sessions.map((session) => api.usage.ofSession(session, ending.signal)))
      .then((found) => {
        const total = found[0]?.total;
        const turns = found.flatMap(({ by_turn: each }) => each);
        useCosts.setState({
          ...{ of: id, cost: total?.cost_usd ?? null, unpriced: total?.unpriced_turns ?? 0 },
          turns: new Map(turns.map((turn) => [turnKey(turn.turn, Date.parse(turn.started_at)), turn])),
        });
      })
      // The log's data is shown then.
      .catch(() => undefined);
    return () => ending.abort();
  }, [id, unpriced, replies, original, settings]);
}

/** The cost of the session, undefined while none is known; `unpriced` counts turns that it leaves out. */
export function useSessionCost(): { cost: number | undefined; unpriced: number } {
  const id = useSession((model) => model.id);
  const cost = useSession(({ totals }) => (totals.hasCost ? totals.cost : undefined));
  const unpriced = useSession(({ totals }) => totals.unpriced);
  const known = useCosts();
  if (unpriced === 0 || known.of !== id) return { cost, unpriced };
  return { cost: known.cost ?? undefined, unpriced: known.unpriced };
}

/** The cost of a turn: `logged`, unless the gateway knows more. */
export function useTurnCost(key: string, logged: number): { cost: number; isPartial: boolean } {
  const id = useSession((model) => model.id);
  const known = useCosts(({ of, turns }) => (of === id ? turns.get(key) : undefined));
  if (known === undefined) return { cost: logged, isPartial: false };
  return { cost: known.cost_usd ?? 0, isPartial: known.is_partial };
}

/** A branch counts its own turns from one, so the number alone could be a turn of the original. */
export function turnKey(turn: number, startedAt: number): string {
  return `${turn} ${startedAt}`;
}
