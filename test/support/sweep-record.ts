// The progress of the whole sweep, one line per point, so that it can be stopped and continued later.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Failure } from './sweep-checks.ts';

/** `events` has the events tried on the state after a kill, with their faults; it is empty for a known state. */
export type Line = { name: string; wasKilled: boolean; state?: string; events: Record<string, Failure[]> };

export type SweepRecord = {
  lines: readonly Line[];
  has(name: string): boolean;
  /** The states that kills of this kind have left in a case. */
  statesOf(caseName: string, kind: string): Set<string>;
  add(line: Line): void;
};

export function openRecord(file: string | undefined, onLine: (line: Line) => void): SweepRecord {
  const lines: Line[] =
    file !== undefined && existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((text) => text.endsWith('}'))
          .map((text) => JSON.parse(text))
      : [];
  const names = new Set(lines.map(({ name }) => name));
  return {
    lines,
    has: (name) => names.has(name),
    statesOf: (caseName, kind) =>
      new Set(
        lines
          .filter(({ name }) => name.startsWith(`${caseName}/`) && name.endsWith(`/${kind}`))
          .flatMap(({ state }) => state ?? []),
      ),
    add(line) {
      lines.push(line);
      names.add(line.name);
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
      onLine(line);
    },
  };
}
