// Writes docs/errors.md from the table in the source: `node scripts/errors-doc.ts`. A test compares the two.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes, errorTable, pluginErrorName } from '@codelab/protocol';

export function errorsDoc(): string {
  const rows = errorCodes.map((code) => {
    const { meaning, next } = errorTable[code];
    const plugin = pluginErrorName(code, undefined);
    return `| \`${code}\` | ${meaning} | ${next} | ${plugin === code ? '' : `\`${plugin}\``} |`;
  });
  return `# Error codes

Every failure carries one of these codes, a message that names what was wrong, and sometimes details. The plugin dialect has names of
its own for some of them; the other dialects use ours. Made from \`packages/protocol/src/errors.ts\` by \`node scripts/errors-doc.ts\`.

| code | means | what to do | in \`plugin\` |
|---|---|---|---|
${rows.join('\n')}
`;
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', 'docs', 'errors.md'), errorsDoc());
