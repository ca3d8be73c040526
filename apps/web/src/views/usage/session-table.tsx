// Usage by session, the latest first.
import type { SessionUsage } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { showView } from '../../layout/show-view.ts';
import { openSession } from '../../session/current-session.ts';
import { compactNumber, duration, number, relativeTime, spellCost } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { type Column, Table } from '../../ui/table.tsx';

export function SessionTable({ sessions, leftOut }: { sessions: readonly SessionUsage[]; leftOut: number }) {
  const words = useText().usage;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{words.bySession}</h3>
      <Table
        isStacked
        label={words.bySession}
        columns={useColumns()}
        rows={sessions}
        keyOf={({ id }) => id}
      />
      {leftOut > 0 && <p className="text-small text-muted">{words.leftOut(leftOut)}</p>}
    </section>
  );
}

/** At least so much, where some turns have no price. */
function shownCost({ cost_usd: cost, unpriced_turns: unpriced }: SessionUsage): string {
  if (cost === null) return '–';
  return unpriced > 0 ? `≥ ${spellCost(cost)}` : spellCost(cost);
}

function useColumns(): Column<SessionUsage>[] {
  const { usage: words, sessions } = useText();
  const count = (id: string, label: string, read: (row: SessionUsage) => string): Column<SessionUsage> => ({
    id,
    label,
    isNumber: true,
    cell: read,
  });
  return [
    {
      id: 'session',
      label: words.session,
      isWide: true,
      cell: ({ id, title }) => {
        const name = title === '' ? sessions.untitled : visibleLine(title);
        return (
          <button
            type="button"
            aria-label={words.openSession(name)}
            className="block max-w-full truncate text-left text-accent hover:underline"
            onClick={() => {
              openSession(id);
              showView('conversation');
            }}
          >
            {name}
          </button>
        );
      },
    },
    count('last', words.last, ({ updated_at: time }) => relativeTime(Date.parse(time))),
    count('turns', words.turns, ({ turns }) => number(turns)),
    count('in', words.tokensIn, ({ tokens_in: tokens }) => compactNumber(tokens)),
    count('out', words.tokensOut, ({ tokens_out: tokens }) => compactNumber(tokens)),
    count('cost', words.cost, (row) => shownCost(row)),
    count('calls', words.calls, ({ calls }) => number(calls)),
    count('approvals', words.approvals, ({ approvals }) => number(approvals)),
    count('waited', words.waitedShort, ({ waited_ms: waited }) => duration(waited)),
  ];
}
