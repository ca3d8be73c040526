/**
 * The list of all routes at the end of docs/http.md, from the API table.
 * Usage: node scripts/api-doc.ts, after the table has changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Route, routeTable } from '@codelab/api';

const file = join(import.meta.dirname, '..', 'docs', 'http.md');
const heading = '## All routes';

/** docs/http.md with its last section as the table says it. */
export function httpDoc(): string {
  const text = readFileSync(file, 'utf8');
  const at = text.indexOf(`\n${heading}\n`);
  const before = at === -1 ? text.trimEnd() : text.slice(0, at).trimEnd();
  return `${before}\n\n${[heading, '', intro, ...Object.entries(routeTable).flatMap(section)].join('\n')}\n`;
}

const intro =
  'Every route, from the table in `packages/api` (`node scripts/api-doc.ts` writes this section). `/openapi.json` has the same with all schemas.';

function section([area, routes]: [string, readonly Route[]]): string[] {
  return ['', `### ${area}`, '', '| route | does | answers |', '|---|---|---|', ...routes.map(row)];
}

function row({ method, path, also = [], summary, status = 200, answer, media = [] }: Route): string {
  const kinds = [...(answer ? ['JSON'] : []), ...media.map((type) => `\`${type}\``)];
  const others = also.map((name) => `\`${name}\``);
  const address = [`\`${method} ${path}\``, ...(others.length > 0 ? [`also ${others.join(', ')}`] : [])];
  return `| ${address.join('; ')} | ${summary.replaceAll('|', '\\|')} | ${[status, ...kinds].join(' ')} |`;
}

if (import.meta.main) writeFileSync(file, httpDoc());
