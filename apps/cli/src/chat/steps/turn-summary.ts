// The summary of a turn, in one line at its end: steps, time, tokens, cost, changed files.
import type { AgentSignal } from '@codelab/protocol';
import { countOf, durationText } from '../../output/units.ts';
import type { ChangeTotals } from '../../review-turn/review-state.ts';
import { createTurnTally } from '../../run/tally.ts';
import { money, shortCount } from '../screen/status-line.ts';

/** Reads the turn's changes from its review. */
export type ReadChanges = () => Promise<ChangeTotals>;

export type TurnSummary = {
  count(signal: AgentSignal): void;
  /** Returns the line for the ended turn, and resets the counts. Empty for a turn that ended quickly and did nothing. */
  end(readChanges: ReadChanges): Promise<string>;
};

export function createTurnSummary(): TurnSummary {
  let tally = createTurnTally();
  let since: number | undefined;
  return {
    count(signal) {
      if (signal.type === 'status' && signal.status !== 'idle') since ??= Date.now();
      tally.count(signal);
    },
    async end(readChanges) {
      const ms = since === undefined ? 0 : Date.now() - since;
      const { calls, inputTokens, outputTokens, cost, effects } = tally;
      tally = createTurnTally();
      since = undefined;
      const tokens = inputTokens + outputTokens;
      // A review that can't be read costs the summary its last fact only.
      const changes = effects.length === 0 ? undefined : await readChanges().catch(() => undefined);
      const facts = [
        ...(calls.length > 0 ? [countOf(calls.length, 'step')] : []),
        durationText(ms),
        ...(tokens > 0 ? [`${shortCount(tokens)} tokens`] : []),
        ...(cost === undefined || cost === 0 ? [] : [money(cost)]),
        ...(changes && changes.files > 0
          ? [`${countOf(changes.files, 'file')} changed${linesText(changes)}`]
          : []),
      ];
      return calls.length === 0 && tokens === 0 ? '' : facts.join(' · ');
    },
  };
}

function linesText({ added, removed }: ChangeTotals): string {
  return added + removed === 0 ? '' : `, +${added} −${removed}`;
}
