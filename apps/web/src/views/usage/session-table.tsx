// Usage by turn and by session, the latest first.
import type { SessionUsage, TurnUsage } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { useState } from 'react';
import { showView } from '../../layout/show-view.ts';
import { openSession } from '../../session/current-session.ts';
import { compactNumber, duration, number, relativeTime, spellCost } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, Table } from '../../ui/table.tsx';

const fewTurns = 10;

/** The cost of each turn: the latest few, and more of the gateway's on request. */
export function TurnTable({
  turns,
  sessions,
}: {
  turns: readonly TurnUsage[];
  sessions: readonly SessionUsage[];
}) {
  const { usage: words, audit } = useViewText();
  const [isAll, setIsAll] = useState(false);
  const columns = useTurnColumns(new Map(sessions.map(({ id, title }) => [id, title])));
  if (turns.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{words.byTurn}</h3>
      <Table
        isStacked
        label={words.byTurn}
        columns={columns}
        rows={isAll ? turns : turns.slice(0, fewTurns)}
        keyOf={({ session, turn }) => `${session} ${turn}`}
      />
      {!isAll && turns.length > fewTurns && (
        <Button size="small" tone="quiet" className="self-start" onClick={() => setIsAll(true)}>
          {audit.more}
        </Button>
      )}
    </section>
  );
}

function useTurnColumns(titles: ReadonlyMap<string, string>): Column<TurnUsage>[] {
  const { usage: words, sessions } = useViewText();
  return [
    {
      id: 'turn',
      label: words.turn,
      isWide: true,
      cell: ({ turn, text }) => (
        <span className="block truncate">
          {turn}. {visibleLine(text)}
        </span>
      ),
    },
    {
      id: 'session',
      label: words.session,
      cell: ({ session }) => (
        <span className="block max-w-40 truncate">
          {visibleLine(titles.get(session) || sessions.untitled)}
        </span>
      ),
    },
    {
      id: 'started',
      label: words.started,
      isNumber: true,
      cell: ({ started_at: time }) => relativeTime(Date.parse(time)),
    },
    {
      id: 'in',
      label: words.input,
      isNumber: true,
      cell: ({ tokens_in: count }) => compactNumber(count),
    },
    {
      id: 'out',
      label: words.output,
      isNumber: true,
      cell: ({ tokens_out: count }) => compactNumber(count),
    },
    {
      id: 'cost',
      label: words.cost,
      isNumber: true,
      cell: ({ cost_usd: cost, is_partial: isPartial }) => atLeast(cost, isPartial),
    },
  ];
}

export function SessionTable({ sessions, leftOut }: { sessions: readonly SessionUsage[]; leftOut: number }) {
  const words = useViewText().usage;
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
function atLeast(cost: number | null, isPartial: boolean): string {
  if (cost === null) return '–';
  return isPartial ? `≥ ${spellCost(cost)}` : spellCost(cost);
}

function useColumns(): Column<SessionUsage>[] {
  const { usage: words, sessions } = useViewText();
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
    count('in', words.input, ({ tokens_in: tokens }) => compactNumber(tokens)),
    count('out', words.output, ({ tokens_out: tokens }) => compactNumber(tokens)),
    count('cost', words.cost, (row) => atLeast(row.cost_usd, row.unpriced_turns > 0)),
    count('calls', words.calls, ({ calls }) => number(calls)),
    count('approvals', words.approvals, ({ approvals }) => number(approvals)),
    count('waited', words.waitedShort, ({ waited_ms: waited }) => duration(waited)),
  ];
}
