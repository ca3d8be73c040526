// Days without anything belong into the picture too: without them a week of rest would look like none.
import type { DayUsage, UsageSum } from '@codelab/api';

const dayMs = 86_400_000;
const mostDays = 60;

const nothing: UsageSum = {
  turns: 0,
  tokens_in: 0,
  tokens_out: 0,
  tokens_cached: 0,
  cost_usd: null,
  calls: 0,
  failed_calls: 0,
  approvals: 0,
  waited_ms: 0,
};

/** The latest days, at least as many as look like a picture. */
export function allDays(days: readonly DayUsage[], today: string, least = 7): DayUsage[] {
  const last = [...days.map(({ day }) => day), today].toSorted().at(-1) ?? today;
  const first = days[0]?.day ?? today;
  const end = Date.parse(last);
  const long = Math.round((end - Date.parse(first)) / dayMs) + 1;
  const count = Math.min(mostDays, Math.max(least, long));
  const known = new Map(days.map((one) => [one.day, one]));
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(end - (count - 1 - at) * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, ...nothing };
  });
}
