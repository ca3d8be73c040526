// Lines from 1, inclusive, or a count of lines: the core knows only a start and a count.
import { ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Json } from '../dialect.ts';

type Line = z.ZodMiniOptional<z.ZodMiniNumberFormat>;

export function lineRangeInput(): Record<'start_line' | 'end_line' | 'max_lines', Line> {
  const line = z.optional(z.int().check(z.positive()));
  return { start_line: line, end_line: line, max_lines: line };
}

type LineRange = { start_line?: number; end_line?: number; max_lines?: number };

export function lineRange(args: Json): Json {
  const { start_line, end_line, max_lines } = args as LineRange;
  if (end_line === undefined) return { start_line, max_lines };
  if (max_lines !== undefined) throw wrong('and `max_lines` say the same; send one of them');
  const first = start_line ?? 1;
  if (end_line < first) throw wrong('comes before `start_line`');
  return { start_line: first, max_lines: end_line - first + 1 };
}

function wrong(fault: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `read_file: \`end_line\` ${fault}.`, { field: 'end_line' });
}
