// The one table of error codes: what each means, what to do next, and what each dialect calls it.
import * as z from 'zod/mini';

type Entry = {
  meaning: string;
  next: string;
  /** The name of the code on this wire; a `reason` in the details may choose a more specific one. */
  plugin?: string | Record<string, string>;
};

export const errorTable = {
  // Arguments and names
  INVALID_ARGUMENTS: {
    meaning: 'The arguments are not valid for the tool.',
    next: 'Correct the field that the message names.',
  },
  TOOL_NOT_FOUND: {
    meaning: 'There is no such tool, or this profile hides it.',
    next: 'Choose a tool that `codelab tools` lists.',
  },
  INVALID_FORMAT: {
    meaning: 'The message is not valid JSON or not a known message.',
    next: 'Send one JSON object in the form of the dialect.',
  },
  DUPLICATE_CALL: {
    meaning: 'This call id was used before with other arguments.',
    next: 'Use a new call id.',
  },

  // Paths and files
  INVALID_PATH: {
    meaning: 'The workspace does not accept this path.',
    next: 'Give a relative path without `..`.',
    plugin: { default: 'INVALID_CHARACTERS', empty: 'EMPTY_PATH', traversal: 'PATH_TRAVERSAL' },
  },
  PATH_OUTSIDE_WORKSPACE: {
    meaning: 'The path leads out of the workspace.',
    next: 'Stay inside the workspace, or open another one with --workspace.',
    plugin: {
      default: 'OUTSIDE_WORKSPACE',
      traversal: 'PATH_TRAVERSAL',
      symlink: 'SYMLINK_OUTSIDE_WORKSPACE',
    },
  },
  FILE_NOT_FOUND: {
    meaning: 'There is nothing at that path.',
    next: 'List the directory to see what is there.',
  },
  FILE_TOO_LARGE: {
    meaning: 'The file or the content is over the limit of this dialect.',
    next: 'Read it in pages, or write it in parts.',
    plugin: 'FILE_SIZE_EXCEEDED',
  },
  NOT_REGULAR_FILE: {
    meaning: 'The path is a directory, FIFO, device or socket, not a file.',
    next: 'Name a regular file; `list_files` shows what is in a directory.',
    plugin: 'NOT_A_FILE',
  },
  NOT_A_DIRECTORY: { meaning: 'The path is a file, not a directory.', next: 'Name a directory.' },
  PARENT_NOT_FOUND: {
    meaning: 'The directory that should hold the file is missing.',
    next: 'Create the directory first.',
    plugin: 'PARENT_DIR_NOT_FOUND',
  },
  ALREADY_EXISTS: {
    meaning: 'Something is already there.',
    next: 'Choose another name, or ask to overwrite.',
  },
  DIRECTORY_NOT_EMPTY: {
    meaning: 'The directory is not empty.',
    next: 'Send `recursive: true` to remove it with its contents.',
  },
  ENCODING_ERROR: {
    meaning: 'The bytes can’t be represented as text without loss.',
    next: 'Only UTF-8 text is written; `read_file` also reads utf-16le and latin1 where it takes `encoding`.',
  },
  PERMISSION_DENIED: {
    meaning: 'A rule or the operating system forbids it.',
    next: 'Do it another way, or ask the user; `codelab policy list` shows the rules.',
  },
  NO_SPACE: { meaning: 'The disk or quota is full.', next: 'Free some space; nothing was changed.' },
  IO_ERROR: {
    meaning: 'The disk or file system failed.',
    next: 'Check the system log; nothing was changed.',
  },
  RESOURCE_LIMIT: {
    meaning: 'The system has no file descriptors, processes or memory left.',
    next: 'Close other programs, or raise the limit that the message names; then repeat the call.',
  },
  STALE: { meaning: 'What the decision was based on has changed.', next: 'Read again and repeat the call.' },

  // Git, patches, commands
  GIT_NOT_INITIALIZED: { meaning: 'This is not a git repository.', next: 'Run `git init` first.' },
  GIT_ERROR: { meaning: 'git failed.', next: 'Read what git said.' },
  PATCH_APPLY_FAILED: {
    meaning: 'The patch does not apply to the files.',
    next: 'Create the diff again from the current files.',
  },
  COMMAND_NOT_FOUND: { meaning: 'The program is not installed.', next: 'Install it or use another.' },
  COMMAND_NOT_ALLOWED: {
    meaning: 'The command may not run.',
    next: 'Ask `codelab policy explain` why.',
    plugin: 'COMMAND_BLACKLISTED',
  },
  COMMAND_NOT_WHITELISTED: {
    meaning: 'The program is not on the allowed list.',
    next: 'Use one of the allowed programs.',
  },
  OUTPUT_SIZE_EXCEEDED: { meaning: 'The command printed more than is kept.', next: 'Make it print less.' },
  EXECUTION_FAILED: { meaning: 'The tool ran and failed.', next: 'Read the message.' },

  // Approval
  REJECTED: { meaning: 'A human refused.', next: 'Do it another way; the feedback says why.' },
  APPROVAL_EXPIRED: {
    meaning: 'No decision was made in time.',
    next: 'Repeat the call when a person can answer.',
  },
  APPROVAL_PENDING: {
    meaning: 'A human has not decided yet.',
    next: 'Make the same call again after the decision.',
  },
  APPROVAL_NOT_FOUND: { meaning: 'No such approval is waiting.', next: 'List what waits.' },
  ALREADY_DECIDED: {
    meaning: 'The approval was already decided.',
    next: 'Nothing to do: the first decision counts.',
  },

  // Running
  TIMEOUT: { meaning: 'The call exceeded its time limit.', next: 'Give it more time or less work.' },
  CANCELLED: { meaning: 'The call was cancelled.', next: 'Call again if it is still wanted.' },
  OUTCOME_UNKNOWN: {
    meaning: 'The process ended, or the disk failed, while the call ran.',
    next: 'Check the files; the call is not repeated automatically.',
  },
  CONCURRENT_LIMIT_EXCEEDED: { meaning: 'Too many calls are waiting.', next: 'Wait for some to finish.' },

  // Sessions, wires, models
  SESSION_NOT_FOUND: {
    meaning: 'There is no such session.',
    next: 'List them with `codelab sessions list`.',
  },
  LOG_CONFLICT: { meaning: 'Another writer appended first.', next: 'Read the log and try again.' },
  LOG_DAMAGED: { meaning: 'The log does not verify.', next: 'Run `codelab audit verify` to see where.' },
  UNAUTHORIZED: { meaning: 'The caller may not do that.', next: 'Use a token that may.' },
  RATE_LIMITED: { meaning: 'Too many requests.', next: 'Slow down.' },
  AGENT_ERROR: { meaning: 'The agent failed.', next: 'Read the message.' },
  LLM_ERROR: { meaning: 'The model failed.', next: 'Check the model’s address and key.' },
  INTERNAL: { meaning: 'A defect in CodeLab.', next: 'Please report it with the session’s audit export.' },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof errorTable;
export const errorCodes = Object.keys(errorTable) as ErrorCode[];
/** Not cached like other schemas: the message schemas that contain it are. */
export const ErrorCode = () => z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]);

/** Names other programs use for our codes, read leniently. */
const aliases: Record<string, ErrorCode> = {
  FILE_SIZE_EXCEEDED: 'FILE_TOO_LARGE',
  OUTSIDE_WORKSPACE: 'PATH_OUTSIDE_WORKSPACE',
  PATH_TRAVERSAL: 'PATH_OUTSIDE_WORKSPACE',
  SYMLINK_OUTSIDE_WORKSPACE: 'PATH_OUTSIDE_WORKSPACE',
  EMPTY_PATH: 'INVALID_PATH',
  INVALID_CHARACTERS: 'INVALID_PATH',
  BLOCKED_PATTERN: 'PERMISSION_DENIED',
  DIRECTORY_NOT_FOUND: 'FILE_NOT_FOUND',
  NOT_A_FILE: 'NOT_REGULAR_FILE',
  PARENT_DIR_NOT_FOUND: 'PARENT_NOT_FOUND',
  STALE_FILE: 'STALE',
  CONCURRENT_MODIFICATION: 'STALE',
  APPROVAL_DENIED: 'REJECTED',
  USER_REJECTED: 'REJECTED',
  COMMAND_TIMEOUT: 'TIMEOUT',
  TOOL_TIMEOUT: 'TIMEOUT',
  COMMAND_BLACKLISTED: 'COMMAND_NOT_ALLOWED',
  COMMAND_FAILED: 'EXECUTION_FAILED',
  TOOL_EXECUTION_ERROR: 'EXECUTION_FAILED',
  UNSUPPORTED_TOOL: 'TOOL_NOT_FOUND',
  RATE_LIMIT_EXCEEDED: 'RATE_LIMITED',
  INTERNAL_ERROR: 'INTERNAL',
  INVALID_MESSAGE: 'INVALID_FORMAT',
};

/** Our code for a name from a wire, in any case; unknown names mean a failed execution. */
export function readErrorCode(name: string): ErrorCode {
  const upper = name.toUpperCase();
  if (Object.hasOwn(errorTable, upper)) return upper as ErrorCode;
  return (Object.hasOwn(aliases, upper) ? aliases[upper] : undefined) ?? 'EXECUTION_FAILED';
}

/** The plugin dialect's name of a code; `reason` picks the more specific one. */
export function pluginErrorName(code: ErrorCode, reason: unknown): string {
  const entry: Entry = errorTable[code];
  if (entry.plugin === undefined) return code;
  if (typeof entry.plugin === 'string') return entry.plugin;
  const finer =
    typeof reason === 'string' && Object.hasOwn(entry.plugin, reason) ? entry.plugin[reason] : undefined;
  return finer ?? entry.plugin.default ?? code;
}

/** The next step, where the message has none after its first sentence and does not name what is wrong with an argument. */
export function nextStep({ code, message }: { code: ErrorCode; message: string }): string | undefined {
  const saysItself = code === 'INVALID_ARGUMENTS' || /[.?!]["')]?\s+\S/.test(message);
  return saysItself ? undefined : errorTable[code].next;
}

/** The one expected failure: a code from the table, a message that says what to do, and details. Anything else thrown is a bug. */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    this.details = details;
  }
}

/** The approval had no decision in time, so the turn stops there: the call stays open, and the turn asks again when it continues. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';

  constructor() {
    super('The approval was not answered in the configured time, so the agent stopped. Nothing was run.');
  }
}

/** Failures because the system has run out of something. They are no defect, and pass when some of it is free again. */
const causes: Partial<Record<string, string>> = {
  EMFILE:
    'This process has reached its limit of open files. Raise the limit (`ulimit -n`, or LimitNOFILE in a service), or run fewer calls at the same time',
  ENFILE: 'The system has as many files open as it can. Close other programs, or raise fs.file-max',
  ENOMEM: 'The system has no memory left. Close other programs',
  EAGAIN: 'The system starts no further process for this user. Close other programs, or raise `ulimit -u`',
};

/** The ToolError for such a failure; undefined for any other. */
export function resourceLimit(error: unknown): ToolError | undefined {
  if (!(error instanceof Error)) return undefined;
  // Removing a tree reports the limit in words only.
  const known = /Too many open files/.test(error.message) ? 'EMFILE' : '';
  const errno = 'code' in error && error.code !== '' ? String(error.code) : known;
  // Reading and writing report EAGAIN as well, where it has nothing to do with a limit.
  const isSpawn = errno === 'EAGAIN' && /\bspawn/.test(error.message);
  const text = errno === 'EAGAIN' && !isSpawn ? undefined : causes[errno];
  if (text === undefined) return undefined;
  return new ToolError('RESOURCE_LIMIT', `${text}. Then repeat the call.`, { errno });
}
