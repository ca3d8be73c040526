// The text of an outcome for the model, within its share of the window; the rest can be read by the id of the call.
import { boundText, cutText, estimateTokens, headWithin, type Model } from '@codelab/agent';
import { type Dialect, findDialect } from '@codelab/dialects';
import { type Actor, nextStep, type Outcome, type ToolCall } from '@codelab/protocol';
import { type FileLines, type Host, outputPath, tellLines } from '@codelab/runtime';
import { addNote } from './turn-log.ts';

export function outcomeForModel(host: Host, dialect: Dialect, outcome: Outcome, tokens: number): string {
  const row = dialect.tools.find(({ tool }) => tool === 'read_file');
  const readOn = (path: string): string => (row === undefined ? '' : `Read on: ${row.name} ${path}`);
  const page = pageOf(outcome);
  if (page !== undefined) return pageText(page, tokens, readOn);
  const lines = linesOf(outcome);
  if (lines !== undefined) {
    const text = linesWithin(lines, tokens);
    if (text !== undefined) return text;
    // A line that is too long is continued by byte offset.
    return boundText(lines.content, tokens, (byte) => readOn(outputPath(outcome.callId, byte)));
  }
  const text = textOf(host, dialect, outcome);
  return boundText(text, tokens, (byte) => readOn(outputPath(outcome.callId, hasFile(outcome) ? 0 : byte)));
}

function textOf(host: Host, dialect: Dialect, outcome: Outcome): string {
  if (outcome.status === 'completed') {
    const tool = host.tools.get(outcome.tool) ?? host.foreign;
    return tool?.tell(outcome.data) ?? JSON.stringify(outcome.data);
  }
  const error = dialect.renameFailure(outcome.tool, outcome.error);
  const next = outcome.status === 'failed' ? nextStep(error) : undefined;
  const message = /[.?!]$/.test(error.message) ? error.message : `${error.message}.`;
  return wireNames([`${error.code}: ${message}`, ...(next === undefined ? [] : [next])].join(' '));
}

/** Providers take no dots in names: a model knows git.status as git_status. */
function wireNames(text: string): string {
  return text.replace(/\bgit\.(diff|status|log|branch|commit)\b/g, 'git_$1');
}

/** The lines of a file that was read. */
function linesOf(outcome: Outcome): FileLines | undefined {
  if (outcome.status !== 'completed' || outcome.tool !== 'read_file') return undefined;
  const { content, images } = outcome.data;
  return typeof content === 'string' && images === undefined ? (outcome.data as FileLines) : undefined;
}

/** As many lines as fit, and where to continue; undefined when not even one fits. */
function linesWithin(lines: FileLines, tokens: number): string | undefined {
  const least = lines.content.split('\n', 1)[0]?.length ?? 0;
  for (let chars = tokens * 4; chars >= least; chars = Math.floor(chars * 0.7)) {
    const text = tellLines(lines, chars);
    if (estimateTokens(text) <= tokens) return text;
  }
  return undefined;
}

/** Whether the whole output of a command is in a file, because the outcome has only a part of it. */
function hasFile(outcome: Outcome): boolean {
  const result = outcome.status === 'completed' ? outcome.data : outcome.error.details;
  return result?.output_file !== undefined;
}

type Page = { filePath: string; content: string; from: number; end: number; size: number };

/** A page of an earlier output. */
function pageOf(outcome: Outcome): Page | undefined {
  if (outcome.status !== 'completed' || outcome.tool !== 'read_file') return undefined;
  const { path, content, start_byte: from, end_byte: end, size } = outcome.data;
  if (typeof from !== 'number' || typeof end !== 'number' || typeof size !== 'number') return undefined;
  const filePath = String(path)
    .replace(/^output:/, '')
    .replace(/@\d+$/, '');
  return { filePath, content: String(content), from, end, size };
}

function pageText(page: Page, tokens: number, readOn: (path: string) => string): string {
  const { filePath, content, from, size } = page;
  const text = headWithin(content, tokens);
  // Never beyond the shown part: an invalid byte is one character here, and an escape sequence none.
  const bytes = Buffer.byteLength(text) - 2 * (text.match(/\ufffd/g)?.length ?? 0);
  const end = text.length === content.length ? page.end : from + Math.max(1, bytes);
  const next = end < size ? ` ${readOn(outputPath(filePath, end))}` : '';
  return `${text}\n[Bytes ${from} to ${end} of ${size}.${next}]`;
}

// A call that a person ran beside the conversation, as a note that the model reads before the next message.
const maxTold = 8000;

export function ownCallNote({ tool, args }: Pick<ToolCall, 'tool' | 'args'>, text: string): string {
  const action = typeof args.command === 'string' ? `a command myself: ${args.command}` : `${tool} myself.`;
  return `I ran ${action}\n\n${cutText(text, maxTold)}`;
}

/** In a session without a turn the note names the next model and role; without a model, nothing is recorded. */
export async function describeOwnCall(
  host: Host,
  call: Pick<ToolCall, 'session' | 'tool' | 'args'> & { by: Actor },
  outcome: Outcome,
  role: { profile: string; openModel(): Promise<Model> },
): Promise<void> {
  const dialect = findDialect('codelab', { root: host.workspace.root.real });
  const text = ownCallNote(call, outcomeForModel(host, dialect, outcome, Number.POSITIVE_INFINITY));
  const model = await role.openModel().catch(() => undefined);
  const who = model && { model: model.name, profile: role.profile };
  await addNote(host, call.session, { text, by: call.by }, who);
}
