// Keys, addresses and the model that were set from a screen: `keys.json` in CodeLab's own folder, for the user alone to read.
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { readStateFile, writeStateFile } from './state-file.ts';

const Shape = () =>
  z.strictObject({
    model: z.optional(z.string()),
    keys: z._default(z.record(z.string(), z.string()), {}),
    base_urls: z._default(z.record(z.string(), z.string()), {}),
  });

export type KeysFile = z.infer<ReturnType<typeof Shape>>;

export function readKeysFile(home: string): KeysFile {
  const file = fileIn(home);
  const value = readStateFile(file);
  if (value === undefined) return { keys: {}, base_urls: {} };
  const parsed = Shape().safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ToolError('INVALID_ARGUMENTS', `${file} is not a list of keys; mend or remove it.`);
}

export function writeKeysFile(home: string, value: KeysFile): void {
  writeStateFile(fileIn(home), value);
}

function fileIn(home: string): string {
  return join(home, 'keys.json');
}
