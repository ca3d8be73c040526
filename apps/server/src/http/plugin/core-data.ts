// What the editor plugin says a tool returned, as the tool's own data, so that models and other wires read it like any other.
import { ToolError } from '@codelab/protocol';
import type { Job, JobEnd } from '../../executors/job.ts';

type Json = Record<string, unknown>;

/** `said` is the plugin's result object in seed 002's form. */
export function coreData({ tool, args }: Job, said: Json): JobEnd {
  const make = Object.hasOwn(makers, tool) ? makers[tool] : undefined;
  if (make === undefined)
    return new ToolError('EXECUTION_FAILED', `A result of ${tool} cannot be read here.`);
  return make(args, said);
}

const makers: Record<string, (args: Json, said: Json) => JobEnd> = {
  read_file({ path }, { output, metadata }) {
    if (typeof output !== 'string') return misfit('output', 'must be the text of the file');
    const size = numberIn(metadata, 'size_bytes') ?? Buffer.byteLength(output);
    return { path, content: output, encoding: 'utf-8', has_bom: false, size };
  },
  write_file({ path, content }, { output, metadata }) {
    const bytes = numberIn(output, 'size_bytes') ?? Buffer.byteLength(String(content));
    const operation = objectOf(metadata).created === true ? 'created' : 'updated';
    const nothing = { additions: 0, deletions: 0, diff: '', structured_patch: [] };
    return { path, operation, bytes_written: bytes, ...nothing };
  },
  list_files({ path }, { output, metadata }) {
    const { entries } = objectOf(output);
    if (!Array.isArray(entries)) return misfit('output.entries', 'must be a list');
    const read = entries.map((entry: unknown) => entryOf(objectOf(entry)));
    const total = numberIn(output, 'total_count') ?? read.length;
    return { path, entries: read, total, truncated: objectOf(metadata).truncated === true };
  },
  execute_command(_args, said) {
    const { output, metadata, error, status } = said;
    const code = numberIn(said, 'exitCode') ?? numberIn(said, 'exit_code');
    const stderr =
      textOf(objectOf(metadata).stderr) ?? textOf(objectOf(error).message) ?? textOf(error) ?? '';
    const stdout = textOf(output) ?? '';
    return {
      stdout,
      stderr: status === 'success' ? (textOf(objectOf(metadata).stderr) ?? '') : stderr,
      exit_code: code ?? (status === 'success' ? 0 : status === 'timeout' ? 124 : 1),
      duration_ms: Math.round(numberIn(said, 'duration_ms') ?? numberIn(metadata, 'duration_ms') ?? 0),
      timed_out: status === 'timeout',
      truncated: false,
      stdout_bytes: numberIn(metadata, 'output_size_bytes') ?? Buffer.byteLength(stdout),
      stderr_bytes: numberIn(metadata, 'error_size_bytes') ?? Buffer.byteLength(stderr),
    };
  },
};

function entryOf({ name, path, type }: Json): Json {
  return {
    name: String(name ?? ''),
    path: String(path ?? name ?? ''),
    type: type === 'directory' ? 'directory' : 'file',
  };
}

function misfit(field: string, fault: string): ToolError {
  return new ToolError('EXECUTION_FAILED', `The client’s answer does not fit: \`${field}\` ${fault}.`, {
    field,
  });
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberIn(value: unknown, name: string): number | undefined {
  const found = objectOf(value)[name];
  return typeof found === 'number' && Number.isSafeInteger(Math.round(found)) ? Math.round(found) : undefined;
}
