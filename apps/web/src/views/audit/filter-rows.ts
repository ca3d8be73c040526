// Which rows of the audit fit what is looked for.
import type { AuditRow } from './audit-rows.ts';

export type AuditFilter = { text: string; tool: string; outcome: string; who: string };

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
