// The cards of the calls that are under way, and the plans the log has told of so far.
import type { Outcome, Plan, ToolCall } from '@codelab/protocol';
import { type Card, type CardSetting, endedLines, newCard, runningLines, withProgress } from './card.ts';

export type CardTable = {
  begin(call: ToolCall): void;
  plan(callId: string, plan: Plan): void;
  wait(callId: string): void;
  /** What waited has been decided. */
  goOn(): void;
  progress(callId: string, progress: Record<string, unknown>): void;
  /** Takes the card away and says what is told of the call from now on. */
  end(call: ToolCall, outcome: Outcome, text: string): string[];
  clear(): void;
  live(spinner: string): string[];
};

export function createCardTable(setting: () => CardSetting): CardTable {
  const cards = new Map<string, Card>();
  const plans = new Map<string, Plan>();
  const update = (id: string, change: (card: Card) => Card): void => {
    const card = cards.get(id);
    if (card !== undefined) cards.set(id, change(card));
  };
  return {
    begin: (call) => void cards.set(call.id, newCard(call)),
    plan: (callId, plan) => void plans.set(callId, plan),
    wait: (callId) => update(callId, (card) => ({ ...card, state: 'waiting', wasAsked: true })),
    goOn() {
      for (const [id, card] of cards)
        if (card.state === 'waiting') cards.set(id, { ...card, state: 'running', since: Date.now() });
    },
    progress: (callId, progress) => update(callId, (card) => withProgress(card, progress)),
    end(call, outcome, text) {
      const card = { ...(cards.get(call.id) ?? newCard(call)), plan: plans.get(call.id) };
      cards.delete(call.id);
      plans.delete(call.id);
      return endedLines(card, outcome, text, setting());
    },
    clear: () => cards.clear(),
    live: (spinner) => [...cards.values()].flatMap((card) => runningLines(card, spinner, setting())),
  };
}
