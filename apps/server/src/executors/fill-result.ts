// A result in a wire's few words, filled up to what the tool itself would have said: what is not told is taken from the arguments, or
// is none. Fields that the wire has under another name get their own.
type Json = Record<string, unknown>;

export function fillResult(tool: string, args: Json, said: Json): Json {
  const fill = Object.hasOwn(fills, tool) ? fills[tool] : undefined;
  const { path, from, to, query, process_id } = args;
  const told = { path, from, to, query, process_id, ...said };
  // The caller's own spelling of a place is not the core's.
  const places = {
    ...(path !== undefined && { path: plain(path) }),
    ...(from !== undefined && { from: plain(from), to: plain(to) }),
  };
  return { ...told, ...fill?.(args, said), ...places };
}

const nothingChanged = { additions: 0, deletions: 0, diff: '', structured_patch: [] };

const fills: Record<string, (args: Json, said: Json) => Json> = {
  read_file: (_args, said) => ({
    ...said,
    encoding: 'utf-8',
    has_bom: false,
    size: said.size ?? bytesOf(said.content),
  }),
  write_file: ({ content }, said) => ({
    operation: 'updated',
    bytes_written: bytesOf(content),
    ...nothingChanged,
    ...said,
  }),
  edit_file: editOf,
  multi_edit: editOf,
  notebook_edit: (_args, said) => ({ ...nothingChanged, ...said }),
  apply_patch: ({ dry_run }, said) => ({
    files: said.files ?? listOf(said.files_modified).map(patchedFile),
    applied: dry_run !== true && said.success !== false,
  }),
  list_files({ path }, said) {
    const entries = listOf(said.entries ?? said.files).map((one) => entryOf(objectOf(one), path));
    return { entries, total: said.total ?? entries.length, truncated: said.truncated ?? false };
  },
  search_in_project({ path }, said) {
    const matches = listOf(said.matches).map((one) => matchOf(objectOf(one)));
    const total = said.total ?? said.total_matches ?? matches.length;
    const truncated = said.truncated ?? false;
    return { path: path ?? '.', matches, total, truncated, duration_ms: whole(said.duration_ms) ?? 0 };
  },
  create_directory: (_args, said) => ({ created: true, ...said }),
  delete_file: (_args, said) => ({
    deleted: true,
    files: 1,
    bytes: 0,
    recoverable: false,
    trash_id: '',
    ...said,
  }),
  move_file: (_args, said) => ({ moved: true, ...said }),
  run_command: commandOf,
  execute_command: commandOf,
  'git.diff': (_args, said) => ({
    files: String(said.diff ?? '').match(/^diff --git /gm)?.length ?? 0,
    lossy: false,
    ...said,
  }),
  'git.commit': (_args, said) => ({ branch: null, files_committed: 0, insertions: 0, deletions: 0, ...said }),
  'git.status'(_args, said) {
    const entries = listOf(said.entries);
    const counts = { total: entries.length, truncated: false, clean: entries.length === 0 };
    return { branch: null, ahead: 0, behind: 0, ...counts, ...said };
  },
  'git.branch': (_args, said) => ({ current: null, ...said }),
  undo: takenBackOf,
  redo: takenBackOf,
};

function editOf(_args: Json, said: Json): Json {
  const lines = listOf(said.structured_patch).flatMap((one) => listOf(objectOf(one).lines).map(String));
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const counted = { additions: count('+'), deletions: count('-') };
  const edit = { operation: 'updated', replacements: 1, occurrences: [], tolerant: [] };
  return { ...edit, ...nothingChanged, ...counted, ...said };
}

function commandOf(_args: Json, said: Json): Json {
  const { stdout = '', stderr = '' } = said;
  return {
    ...said,
    stdout,
    stderr,
    duration_ms: whole(said.duration_ms) ?? 0,
    timed_out: said.timed_out ?? false,
    truncated: said.truncated ?? false,
    stdout_bytes: whole(said.stdout_bytes) ?? bytesOf(stdout),
    stderr_bytes: whole(said.stderr_bytes) ?? bytesOf(stderr),
  };
}

function takenBackOf(_args: Json, said: Json): Json {
  return { taken_back: [], refused: [], steps: [], ...said };
}

function patchedFile(path: unknown): Json {
  const counts = { additions: 0, deletions: 0, offsets: [], tolerant: [], bytes: 0 };
  return { path: plain(path), operation: 'update', ...counts };
}

function entryOf({ name, path, type, size, modified, is_directory }: Json, listed: unknown): Json {
  const kind = type ?? (is_directory === true ? 'directory' : 'file');
  const own = plain(path ?? name);
  const base = own.split('/').findLast((part) => part !== '') ?? own;
  const below = typeof listed === 'string' && listed !== '.' && listed !== '' ? `${plain(listed)}/` : '';
  const whole = own.startsWith(below) ? own : `${below}${own}`;
  const facts = { ...(size != null && { size }), ...(modified != null && { modified }) };
  return { name: name ?? base, path: whole, type: kind, ...facts };
}

function matchOf({ file, line, column, text, match, matched_text, line_content }: Json): Json {
  const shown = text ?? line_content ?? '';
  return { file: plain(file), line, column: column ?? 1, text: shown, match: match ?? matched_text ?? '' };
}

/** A slash in front means the root of the workspace. */
function plain(path: unknown): string {
  const text = String(path ?? '')
    .replace(/^(?:\.?\/+)+/, '')
    .replace(/\/+$/, '');
  return text === '' ? '.' : text;
}

function bytesOf(text: unknown): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : 0;
}

function whole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : undefined;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
