// How an outcome looks, in the picture and as a mark. A word always stands beside the colour.
import type { BadgeTone } from '../../ui/badge.tsx';
import type { AuditOutcome } from './audit-rows.ts';

export const outcomeLooks: Record<AuditOutcome, { fill: string; tone: BadgeTone }> = {
  waiting: { fill: 'fill-bar-warn', tone: 'warn' },
  running: { fill: 'fill-accent', tone: 'accent' },
  completed: { fill: 'fill-good', tone: 'good' },
  failed: { fill: 'fill-bad', tone: 'bad' },
  rejected: { fill: 'fill-high', tone: 'high' },
  expired: { fill: 'fill-high', tone: 'high' },
  timed_out: { fill: 'fill-bad', tone: 'bad' },
  cancelled: { fill: 'fill-faint', tone: 'plain' },
};
