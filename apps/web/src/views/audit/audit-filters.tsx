// The filters of the audit: tool, outcome, person and text.
import { visibleLine } from '@codelab/protocol';
import { useViewText } from '../../text/use-text.ts';
import { Select, TextField } from '../../ui/text-field.tsx';
import { type AuditRow, outcomes } from './audit-rows.ts';

type Props = { rows: readonly AuditRow[]; filter: AuditFilter; onChange(filter: AuditFilter): void };
type Option = { value: string; label: string };

export function AuditFilters({ rows, filter, onChange }: Props) {
  const words = useViewText().audit;
  const set = (change: Partial<AuditFilter>): void => onChange({ ...filter, ...change });
  const happened = new Set(rows.map(({ outcome }) => outcome));
  const ended = outcomes.filter((outcome) => happened.has(outcome));
  const withAny = (options: Option[]): Option[] => [{ value: '', label: words.any }, ...options];
  return (
    <search aria-label={words.filters} className="grid grid-cols-2 gap-2 @2xl:grid-cols-4">
      <TextField
        type="search"
        label={words.text}
        value={filter.text}
        onChange={({ target }) => set({ text: target.value })}
      />
      <Select
        label={words.tool}
        value={filter.tool}
        options={withAny(named(rows.map(({ tool }) => tool)))}
        onChange={(tool) => set({ tool })}
      />
      <Select
        label={words.outcome}
        value={filter.outcome}
        options={withAny(ended.map((value) => ({ value, label: words.outcomes[value] })))}
        onChange={(outcome) => set({ outcome })}
      />
      <Select
        label={words.person}
        value={filter.who}
        options={withAny(named(rows.map(({ who }) => who)))}
        onChange={(who) => set({ who })}
      />
    </search>
  );
}

function named(values: readonly string[]): Option[] {
  const all = [...new Set(values)].filter((value) => value !== '').toSorted();
  return all.map((value) => ({ value, label: visibleLine(value) }));
}

// Which rows of the audit fit what is looked for.
type AuditFilter = { text: string; tool: string; outcome: string; who: string };

export const noFilter: AuditFilter = { text: '', tool: '', outcome: '', who: '' };

/** Empty means any. */
export function filterRows(rows: readonly AuditRow[], filter: AuditFilter): AuditRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(
    ({ tool, outcome, who, askedBy, title, id }) =>
      (filter.tool === '' || tool === filter.tool) &&
      (filter.outcome === '' || outcome === filter.outcome) &&
      (filter.who === '' || who === filter.who) &&
      words.every((word) => `${title} ${tool} ${who} ${askedBy} ${id}`.toLowerCase().includes(word)),
  );
}
