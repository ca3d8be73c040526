// Writes apps/cli/config.schema.json from the schema in the source: `node scripts/config-schema.ts`. A test compares the two.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '@codelab/server';
import * as z from 'zod/mini';

export function configSchema(): string {
  const schema = z.toJSONSchema(Config(), { io: 'input' });
  return `${JSON.stringify({ ...schema, title: 'CodeLab configuration' }, null, 2)}\n`;
}

if (import.meta.main)
  writeFileSync(join(import.meta.dirname, '..', 'apps', 'cli', 'config.schema.json'), configSchema());
