// A diagnostic as a compiler prints it, counted from 1.
import type { FoundDiagnostic } from './look-up.ts';

type TextDiagnostic = Pick<FoundDiagnostic, 'range' | 'severity' | 'message'> & {
  code?: string | undefined;
  source?: string | undefined;
};

export function tellDiagnostic(
  path: string,
  { range, severity, message, source, code }: TextDiagnostic,
): string {
  const { line, character } = range.start;
  const by = [source, code].filter((part) => part !== undefined).join(' ');
  return `${path}:${line + 1}:${character + 1}: ${severity}: ${message}${by === '' ? '' : ` [${by}]`}`;
}
