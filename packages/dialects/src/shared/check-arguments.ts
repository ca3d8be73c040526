// Arguments that do not match their row: interpreted where possible, else refused. A refusal names the argument as the wire does,
// what is wrong with it and which one was probably meant.
import { describeIssue, nearestName, ToolError } from '@codelab/protocol';
import type * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { lenientArguments } from './lenient-arguments.ts';
import { short } from './values.ts';

type Unfit = { isLenient: boolean; issues: Issues };

/**
 * Converts the arguments to the row's own names, for a call that does not match its row; `isLenient` accepts arguments with only one
 * possible meaning.
 */
export function parseWireArguments(row: WireTool, args: Json, { isLenient, issues }: Unfit): Json {
  if (!isLenient) throw refusal(row, args, issues);
  const understood = lenientArguments(row, args);
  const parsed = row.input().safeParse(understood);
  if (parsed.success) return parsed.data;
  throw refusal(row, understood, parsed.error.issues);
}

type Issues = readonly z.core.$ZodIssue[];

function refusal(row: WireTool, args: Json, issues: Issues): ToolError {
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  const wrong = issues.find((issue) => issue !== unknown);
  const field = wrong?.path.map(String).join('.') ?? '';
  const parts: string[] = [];
  if (wrong !== undefined) parts.push(`${row.name}: \`${field}\` ${describeIssue(wrong, args)}.`);
  if (unknown !== undefined) parts.push(...refuseUnknown(row, unknown, wrong === undefined));
  if (parts.length === 0) parts.push(`${row.name}: wrong arguments.`);
  const fieldName = wrong === undefined ? short(unknown?.keys.join(', ') ?? '') : field;
  return new ToolError('INVALID_ARGUMENTS', parts.join(' '), { field: fieldName });
}

function refuseUnknown(
  row: WireTool,
  { keys, path }: Extract<Issues[number], { code: 'unrecognized_keys' }>,
  isAlone: boolean,
): string[] {
  const place = path.length === 0 ? '' : ` in \`${path.map(String).join('.')}\``;
  const names = path.length === 0 ? Object.keys(row.input().shape) : [];
  const takes = names.length === 0 ? 'it takes no arguments' : `it takes: ${names.join(', ')}`;
  const suffix = path.length === 0 ? `; ${takes}` : '';
  const sentence = `${isAlone ? row.name : 'It'} does not take \`${short(keys.join(', '))}\`${place}${suffix}.`;
  return [sentence, ...keys.slice(0, 3).flatMap((key) => hintFor(row, key, names) ?? [])];
}

/** Hints for arguments of other harnesses whose meaning would be lost. */
const instead: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  run_command: {
    run_in_background: 'Start long-running programs with run_persistent, with a `process_id` of your choice.',
    is_background: 'Start long-running programs with run_persistent, with a `process_id` of your choice.',
    background: 'Start long-running programs with run_persistent, with a `process_id` of your choice.',
    dangerouslyDisableSandbox:
      'Set `network` when the command needs the network, or `sandbox` to "off": a human is asked.',
    stdin: 'Pass input in the command: `printf … | command`.',
    input: 'Pass input in the command: `printf … | command`.',
  },
  edit_file: {
    edits: 'Send several edits of one file with multi_edit.',
    code_edit: 'Send the text to replace as `old_string` and its replacement as `new_string`.',
    insert_line:
      'To insert, send a line of the file as `old_string`, and that line with the new text as `new_string`.',
    expected_replacements: 'Set `replace_all` to replace every occurrence.',
    content: 'Write a whole file with write_file.',
  },
  multi_edit: { old_string: 'Put each pair of `old_string` and `new_string` into the list `edits`.' },
  write_file: {
    append: 'Send the whole new content, or add to the file with edit_file.',
    mode: 'Send the whole new content, or add to the file with edit_file.',
    old_string: 'Replace a part of a file with edit_file.',
    diff: 'Apply a diff with apply_patch.',
  },
  search_in_project: { multiline: 'Lines are searched one by one: search for text of one line.' },
  list_files: {
    depth: 'Set `recursive` to list everything below.',
    max_depth: 'Set `recursive` to list everything below.',
  },
  apply_patch: { path: 'The patch itself names its files.', file_path: 'The patch itself names its files.' },
};

function hintFor({ name }: WireTool, key: string, names: readonly string[]): string | undefined {
  const hints = instead[name];
  if (hints !== undefined && Object.hasOwn(hints, key)) return hints[key];
  const nearest = nearestName(key, names);
  return nearest === undefined ? undefined : `Did you mean \`${nearest}\`?`;
}
