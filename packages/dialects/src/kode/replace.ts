// Writes a whole file.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { failureText } from './failure-text.ts';

export function replace(paths: PathSpelling): WireTool {
  return {
    name: 'Replace',
    tool: 'write_file',
    input: () => z.strictObject({ file_path: z.string(), content: z.string() }),
    names: { file_path: 'path' },
    toCore: ({ file_path, content }, { isLasting }) => ({
      path: paths.toCore(file_path as string),
      content,
      ...(isLasting ? { must_have_read: true } : {}),
    }),
    toWire: ({ operation, structured_patch }, { file_path, content }) => {
      const isNew = operation === 'created';
      return {
        type: isNew ? 'create' : 'update',
        filePath: file_path,
        content,
        structuredPatch: isNew ? [] : structured_patch,
      };
    },
    failed: failureText,
  };
}
