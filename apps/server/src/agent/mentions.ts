// Files that a user names in a text as `@path` or `@"a path"`, read through the runtime like any call: a rule that denies or wants
// to ask holds here too. `@skill:name` brings a skill along. What isn't there is left alone: it was no mention.
import { cutText, type TurnInput } from '@codelab/agent';
import { type Actor, ToolError } from '@codelab/protocol';
import {
  createRegistry,
  defaultProfile,
  type Host,
  loadSkill,
  type Registry,
  randomId,
} from '@codelab/runtime';

/** `problems` says why something named was not brought along. */
export type Mentioned = TurnInput & { problems: string[] };

const maxMentions = 20;
const maxFileChars = 100_000;
const maxChars = 300_000;

// Not inside a word or an address.
const mention = /(?<![\p{L}\p{N}_@./\\+-])@(?:"([^"\n]{1,4096})"|([^\s"'`<>()[\]{},;@]{1,4096}))/gu;
const skillPrefix = 'skill:';

export async function readMentions(
  host: Host,
  text: string,
  { session, profile = defaultProfile, by }: { session: string; profile?: string | undefined; by: Actor },
): Promise<Mentioned> {
  const names = [...text.matchAll(mention)].map(([, quoted, plain = '']) => quoted ?? plain);
  const unique = [...new Set(names)].slice(0, maxMentions);
  if (unique.length === 0) return { text, problems: [] };
  const registry = await createRegistry(host, { session, profile, dialect: 'codelab', by });
  const files: NonNullable<TurnInput['files']> = [];
  const problems: string[] = [];
  let room = maxChars;
  for (const name of unique) {
    try {
      const found = await readMention({ host, registry }, name);
      if (found === undefined || files.some(({ path }) => path === found.path)) continue;
      if (room <= 0)
        throw new ToolError('FILE_TOO_LARGE', 'the files named before it fill the room there is');
      const shown = cutText(found.text, Math.min(room, maxFileChars));
      room -= shown.length;
      files.push({ path: found.path, text: shown });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      problems.push(`@${name} was not brought along: ${error.message}`);
    }
  }
  return { text, ...(files.length > 0 && { files }), problems };
}

type Reading = { host: Host; registry: Registry };
type Found = { path: string; text: string };

async function readMention({ host, registry }: Reading, name: string): Promise<Found | undefined> {
  if (name.startsWith(skillPrefix))
    return await readSkill({ host, registry }, name.slice(skillPrefix.length));
  // The end of a sentence, or a line number, may be stuck to it.
  const bare = name.replace(/(?::\d+(?:-\d+)?)?[.:!?…]*$/u, '');
  for (const path of new Set([name, bare])) {
    const found = path === '' ? undefined : await readPath(registry, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readPath(registry: Registry, path: string): Promise<Found | undefined> {
  try {
    const { content } = await readBy(registry, 'read_file', { path });
    return { path, text: String(content) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (error.code === 'FILE_NOT_FOUND' || error.code === 'NOT_A_DIRECTORY') return undefined;
    if (error.code !== 'NOT_REGULAR_FILE') throw error;
  }
  const { entries } = await readBy(registry, 'list_files', { path });
  const names = (entries as { path: string; type: string }[]).map((entry) =>
    entry.type === 'directory' ? `${entry.path}/` : entry.path,
  );
  return { path: `${path.replace(/\/+$/, '')}/`, text: names.join('\n') };
}

// A recorded call, so that the session knows which version of the file the model was shown.
async function readBy(
  registry: Registry,
  tool: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { verdict } = await registry.approvalRequest(tool, args);
  if (verdict.verdict !== 'allow') throw new ToolError('PERMISSION_DENIED', verdict.reason);
  const outcome = await registry.execute(tool, args, { callId: `mention_${randomId()}` });
  if (outcome.status === 'completed') return outcome.data;
  throw new ToolError(outcome.error.code, outcome.error.message);
}

// The user named it, so nobody is asked; a rule that denies it still holds.
async function readSkill({ host, registry }: Reading, name: string): Promise<Found> {
  const { verdict } = await registry.approvalRequest('skill', { action: 'load', name });
  if (verdict.verdict === 'deny') throw new ToolError('PERMISSION_DENIED', verdict.reason);
  const { content } = loadSkill(host, name, AbortSignal.timeout(10_000));
  return { path: skillPrefix + name, text: content };
}
