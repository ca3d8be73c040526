// Figures of the usage view: the days of a plot, the upper end of its axis, and costs as they are spelled.
import type { DayUsage, UsageSum } from '@codelab/api';

const dayMs = 86_400_000;
const mostDays = 60;

const nothing: UsageSum = {
  turns: 0,
  tokens_in: 0,
  tokens_out: 0,
  tokens_cached: 0,
  cost_usd: null,
  unpriced_turns: 0,
  calls: 0,
  failed_calls: 0,
  approvals: 0,
  waited_ms: 0,
};

/** The latest days, those without any use as well: without them a week of rest would look like none. At least `least`, so that there is something to plot. */
export function allDays(days: readonly DayUsage[], today: string, least = 7): DayUsage[] {
  const last = [...days.map(({ day }) => day), today].toSorted().at(-1) ?? today;
  const first = days[0]?.day ?? today;
  const end = Date.parse(last);
  const long = Math.round((end - Date.parse(first)) / dayMs) + 1;
  const count = Math.min(mostDays, Math.max(least, long));
  const known = new Map(days.map((usage) => [usage.day, usage]));
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(end - (count - 1 - at) * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, ...nothing };
  });
}

/** The upper end of an axis: the next round number, so that its lines are round as well. */
export function axisMaximum(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return (
    ([1, 1.2, 1.6, 2, 4, 5, 6, 8, 10].find((step) => step * power >= most && isRound(step * power)) ?? 10) *
    power
  );
}

// Things that are counted have no halves: what is below ten stays with whole lines.
function isRound(top: number): boolean {
  return top < 12 || top % 4 === 0;
}
