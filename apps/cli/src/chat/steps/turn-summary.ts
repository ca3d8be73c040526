// The summary of a turn, in one line at its end: steps, time, tokens, cost, changed files.
import type { AgentSignal, Plan } from '@codelab/protocol';
import { durationText } from '../../output/units.ts';
import { changedFiles, createTurnTally } from '../../run/tally.ts';
import { money, shortCount } from '../screen/status-line.ts';

export type TurnSummary = {
  count(signal: AgentSignal): void;
  plan(callId: string, plan: Plan): void;
  /** The line for the turn that ends, and a fresh count for the next. Empty when the turn ended at once and did nothing. */
  end(): string;
};

export function createTurnSummary(): TurnSummary {
  const diffs = new Map<string, { additions: number; deletions: number }>();
  let tally = createTurnTally();
  let since: number | undefined;
  const lines = { added: 0, removed: 0 };
  return {
    count(signal) {
      if (signal.type === 'status' && signal.status !== 'idle') since ??= Date.now();
      tally.count(signal);
      if (signal.type !== 'outcome') return;
      const diff = diffs.get(signal.call.id);
      diffs.delete(signal.call.id);
      if (diff === undefined || signal.outcome.effects.length === 0) return;
      lines.added += diff.additions;
      lines.removed += diff.deletions;
    },
    plan(callId, { diff }) {
      if (diff !== undefined && diff.text !== '') diffs.set(callId, diff);
    },
    end() {
      const ms = since === undefined ? 0 : Date.now() - since;
      const { calls, inputTokens, outputTokens, cost, effects } = tally;
      const files = changedFiles(effects).length;
      const tokens = inputTokens + outputTokens;
      const facts = [
        ...(calls.length > 0 ? [countOf(calls.length, 'step')] : []),
        durationText(ms),
        ...(tokens > 0 ? [`${shortCount(tokens)} tokens`] : []),
        ...(cost === undefined || cost === 0 ? [] : [money(cost)]),
        ...(files > 0 ? [`${countOf(files, 'file')} changed${linesText(lines)}`] : []),
      ];
      tally = createTurnTally();
      since = undefined;
      diffs.clear();
      Object.assign(lines, { added: 0, removed: 0 });
      return calls.length === 0 && tokens === 0 ? '' : facts.join(' · ');
    },
  };
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function linesText({ added, removed }: { added: number; removed: number }): string {
  return added + removed === 0 ? '' : `, +${added} −${removed}`;
}
