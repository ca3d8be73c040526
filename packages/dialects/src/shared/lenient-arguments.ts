// Converts arguments as models write them into those that a row takes, wherever they can have only one meaning: names of other harnesses,
// values in strings, remarks without effect. Used only when the arguments do not match as they are; what is left over is refused.
import { limitProfiles, parseJson } from '@codelab/protocol';
import type * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { isJson } from './values.ts';

type Shape = Readonly<Record<string, z.core.$ZodType>>;

export function lenientArguments(row: WireTool, args: Json): Json {
  return readObject(row.input().shape, row.reshape?.(args) ?? args);
}

/** Remarks for people and settings of other harnesses; the call means the same without them. */
const harmless = new Set([
  ...['description', 'justification', 'explanation', 'reason', 'reasoning', 'rationale', 'purpose', 'intent'],
  ...[
    'thought',
    'thoughts',
    'thinking',
    'summary',
    'title',
    'comment',
    'one_sentence_summary',
    'instruction',
    'instructions',
  ],
  ...['yield_time_ms', 'max_output_tokens', 'max_chars', 'login', 'security_risk', 'task_progress'],
  ...['with_escalated_permissions', 'sandbox_permissions', 'prefix_rule', 'active_form'],
  ...['tool_summary', 'tool_action', 'wait_for_previous_tools'],
]);

/** Harmless only with the value that matches what happens here anyway. */
const usual: Readonly<Record<string, unknown>> = {
  run_in_background: false,
  is_background: false,
  background: false,
  blocking: true,
  tty: false,
  requires_approval: false,
  safe_to_auto_run: false,
  dangerously_disable_sandbox: false,
  dry_run: false,
  multiline: false,
  expected_replacements: 1,
  create_dirs: true,
  create_parents: true,
  should_read_entire_file: true,
  respect_git_ignore: true,
  follow: false,
  '-n': true,
};

/** Names that other harnesses use for an argument. A row takes at most one name of each line. */
const synonyms: readonly (readonly string[])[] = [
  [
    ...['path', 'file_path', 'notebook_path', 'filepath', 'filename', 'file_name', 'file', 'target_file'],
    ...['absolute_path', 'relative_path', 'relative_workspace_path', 'absolute_file_path'],
    ...['dir_path', 'directory', 'directory_path', 'dir', 'folder', 'target_directory', 'search_path'],
  ],
  ['cwd', 'workdir', 'working_directory', 'working_dir', 'directory', 'dir_path'],
  ['content', 'contents', 'file_text', 'file_content', 'code_content', 'text', 'step', 'task', 'todo'],
  ['old_string', 'old_str', 'old_text', 'old', 'search', 'find', 'old_content', 'target_content'],
  [
    'new_string',
    'new_str',
    'new_text',
    'new',
    'replace',
    'replacement',
    'new_content',
    'replacement_content',
  ],
  ['replace_all', 'replace_all_occurrences', 'allow_multiple', 'global'],
  ['edits', 'replacements', 'replacement_chunks', 'changes'],
  ['command', 'cmd', 'command_line', 'script', 'shell_command', 'bash_command'],
  ['query', 'search_term', 'search_query', 'search_string', 'text', 'keyword'],
  [
    'file_pattern',
    'include',
    'glob',
    'include_pattern',
    'file_glob',
    'includes',
    'glob_pattern',
    'glob_filter',
  ],
  ['pattern', 'glob', 'glob_pattern', 'file_pattern', 'search_pattern'],
  ['max_results', 'head_limit', 'limit', 'max_matches', 'max_count', 'num_results'],
  ['max_matches', 'max_results', 'head_limit', 'limit'],
  ['start_line', 'offset', 'start', 'line_start', 'start_line_one_indexed', 'from_line'],
  ['end_line', 'end', 'line_end', 'end_line_one_indexed', 'end_line_one_indexed_inclusive', 'to_line'],
  ['offset', 'start_line', 'line_offset'],
  ['max_lines', 'limit', 'line_count', 'num_lines'],
  ['limit', 'max_lines', 'max_count', 'count'],
  ['context', 'context_lines', '-C', '-A', '-B', 'before_context', 'after_context'],
  ['diff', 'patch', 'input', 'patch_text', 'patch_content', 'unified_diff'],
  ['patch', 'diff', 'input', 'patch_text'],
  ['from', 'source', 'src', 'source_path', 'old_path', 'from_path'],
  ['to', 'destination', 'dest', 'destination_path', 'target', 'new_path', 'to_path'],
  ['todos', 'plan', 'items', 'todo_list', 'tasks'],
  ['message', 'question', 'prompt', 'commit_message'],
  ['actions', 'options', 'choices', 'follow_up', 'suggestions'],
  ['files', 'paths', 'file_paths'],
  ['paths', 'files'],
  ['staged', 'cached'],
  ['process_id', 'session_id', 'shell_id', 'bash_id', 'terminal_id', 'pid', 'id'],
  ['input', 'chars', 'stdin', 'text'],
  ['objective', 'prompt', 'task', 'instructions'],
  ['agent', 'subagent_type', 'agent_type', 'agent_name'],
  ['name', 'skill', 'skill_name', 'branch', 'branch_name'],
];

function readObject(shape: Shape, args: Json): Json {
  const read: Json = {};
  for (const [name, value] of Object.entries(args)) {
    const expected = shape[name];
    const target = expected === undefined ? nameFor(name, shape, args) : name;
    if (target === undefined) {
      if (!isHarmless(name, value)) read[name] = value;
    } else if (value !== null || !isOptional(shape[target])) {
      const converted = readValue(shape[target], value, target);
      // Of two names for one argument, such as `-A` and `-B`, the larger number covers both.
      const before = read[target];
      read[target] = typeof before === 'number' ? Math.max(before, Number(converted)) : converted;
    }
  }
  return read;
}

function isHarmless(name: string, value: unknown): boolean {
  const folded = snakeCase(name);
  if (harmless.has(folded) || value === null) return true;
  return Object.hasOwn(usual, folded) && String(usual[folded]) === String(value).toLowerCase();
}

/** The only argument of the row that a name can mean, unless the call has that argument as well. */
function nameFor(name: string, shape: Shape, args: Json): string | undefined {
  const folded = snakeCase(name);
  if (folded in shape && args[folded] === undefined) return folded;
  const candidates = synonyms
    .filter((names) => names.includes(folded))
    .flatMap((names) => names.find((synonym) => synonym in shape) ?? []);
  const free = [...new Set(candidates)].filter((argument) => args[argument] === undefined);
  return free.length === 1 ? free[0] : undefined;
}

function snakeCase(name: string): string {
  if (name.startsWith('-')) return name;
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-\s]/g, '_')
    .toLowerCase();
}

type Def = z.core.$ZodTypeDef & {
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  shape?: Shape;
};

function defOf(schema: z.core.$ZodType | undefined): Def | undefined {
  const def = schema?._zod.def as Def | undefined;
  return def?.innerType === undefined ? def : defOf(def.innerType);
}

function isOptional(schema: z.core.$ZodType | undefined): boolean {
  return schema?._zod.optin === 'optional';
}

/** The value in the type of the argument; unchanged where a conversion would be a guess. */
function readValue(schema: z.core.$ZodType | undefined, value: unknown, name: string): unknown {
  const def = defOf(schema);
  switch (def?.type) {
    case 'string':
      return readText(value, name);
    case 'number':
      return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
    case 'boolean':
      return readFlag(value);
    case 'array':
      return readList(def.element, value, name);
    case 'record':
      return fromJson(value, isJson);
    case 'object': {
      const object = fromJson(value, isJson);
      return isJson(object) && def.shape !== undefined ? readObject(def.shape, object) : object;
    }
    default:
      return value;
  }
}

function readText(value: unknown, name: string): unknown {
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return value;
  if (name === 'command') return commandLine(value);
  return value.length === 1 ? value[0] : value;
}

/** `["bash", "-lc", "npm test"]` means its last word; other lists are the words of a command. */
function commandLine(words: readonly string[]): string {
  const [shell = '', option = '', line] = words;
  if (words.length === 3 && line !== undefined && /(^|\/)(ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(option))
    return line;
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

function readFlag(value: unknown): unknown {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : value;
}

function readList(element: z.core.$ZodType | undefined, value: unknown, name: string): unknown {
  const list = fromJson(value, Array.isArray);
  if (Array.isArray(list)) return list.map((item) => readItem(element, item, name));
  const isSingle = defOf(element)?.type === 'object' ? isJson(list) : isOneName(list);
  return isSingle ? [readItem(element, list, name)] : list;
}

// A todo may be given as its text alone.
function readItem(element: z.core.$ZodType | undefined, item: unknown, name: string): unknown {
  if (name === 'todos' && typeof item === 'string') return { content: item };
  return readValue(element, item, name);
}

function isOneName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !/[,\n]/.test(value);
}

const { argsBytes, argsDepth } = limitProfiles.codelab;

function fromJson(value: unknown, isValid: (value: unknown) => boolean): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    const parsed = parseJson(value, { bytes: argsBytes, depth: argsDepth });
    // Some models encode the value as a string twice.
    const inner = typeof parsed === 'string' && parsed !== value ? fromJson(parsed, isValid) : parsed;
    return isValid(inner) ? inner : value;
  } catch {
    return value;
  }
}
