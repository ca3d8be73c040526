// Which part of a session is reviewed: the whole of it, or one turn. Kept by this browser for each session, and small: whoever opens a
// review says it before the review is loaded.
import { create } from 'zustand';
import { showView } from '../../layout/show-view.ts';
import { remembered } from '../../remembered.ts';

type Turns = Record<string, number | null>;

const mostKept = 50;
const storedTurns = remembered<Turns>('review-turns', {});

const useTurns = create<{ turns: Turns }>(() => ({ turns: storedTurns.read() }));

/** Null: the whole session. */
export function useReviewTurn(session: string): number | null {
  return useTurns(({ turns }) => (Object.hasOwn(turns, session) ? (turns[session] ?? null) : null));
}

export function chooseReviewTurn(session: string, turn: number | null): void {
  const { [session]: _old, ...others } = useTurns.getState().turns;
  const turns = Object.fromEntries([...Object.entries(others).slice(1 - mostKept), [session, turn]]);
  useTurns.setState({ turns });
  storedTurns.write(turns);
}

export function openSessionReview(session: string, turn: number | null): void {
  chooseReviewTurn(session, turn);
  showView('session-review');
}
