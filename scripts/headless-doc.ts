/**
 * The exit codes and the JSON Schema in docs/headless.md, from the source.
 * Usage: node scripts/headless-doc.ts, after one of them has changed. A test compares the two.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSchema } from '../apps/cli/src/run/run-schema.ts';
import { stopReasons } from '../apps/cli/src/run/stop-reason.ts';

const file = join(import.meta.dirname, '..', 'docs', 'headless.md');

/** docs/headless.md with its generated parts as the source says them. */
export function headlessDoc(): string {
  const text = readFileSync(file, 'utf8');
  return replaceAfter(
    replaceAfter(text, '## Exit codes', exitCodes()),
    'this is the one of `json`:',
    schema(),
  );
}

function exitCodes(): string {
  const rows = Object.entries(stopReasons).map(
    ([reason, { exitCode, meaning }]) => `| ${exitCode} | \`${reason}\` | ${meaning} |`,
  );
  return ['| code | `stop_reason` | means |', '|---|---|---|', ...rows].join('\n');
}

function schema(): string {
  return `\`\`\`json\n${JSON.stringify(runSchema('json'), null, 2)}\n\`\`\``;
}

/** The text between the mark and the next heading, or the end. */
function replaceAfter(text: string, mark: string, part: string): string {
  const from = text.indexOf(mark) + mark.length;
  const next = text.indexOf('\n## ', from);
  return `${text.slice(0, from)}\n\n${part}\n${next === -1 ? '' : text.slice(next)}`;
}

if (import.meta.main) writeFileSync(file, headlessDoc());
