// A diagnostic as a compiler writes it, counted from 1.
import type { FoundDiagnostic } from './look-up.ts';

type Told = Pick<FoundDiagnostic, 'range' | 'severity' | 'message'> & {
  code?: string | undefined;
  source?: string | undefined;
};

export function tellDiagnostic(path: string, { range, severity, message, source, code }: Told): string {
  const { line, character } = range.start;
  const by = [source, code].filter((part) => part !== undefined).join(' ');
  return `${path}:${line + 1}:${character + 1}: ${severity}: ${message}${by === '' ? '' : ` [${by}]`}`;
}
