// Files that a user names in a text as `@path` or `@"a path"`, read through the runtime like any call, under the same rules. `@skill:name`
// adds a skill. A name of a missing file is not a mention and stays text.
import { cutText, imageFrom, type TurnInput } from '@codelab/agent';
import { type Actor, type ImagePart, imageLimits, ToolError } from '@codelab/protocol';
import {
  createRegistry,
  defaultProfile,
  type Host,
  loadSkill,
  type Registry,
  randomId,
  readBytes,
} from '@codelab/runtime';

/** `problems` says why a named file or skill was not added. */
export type MentionedFiles = TurnInput & { problems: string[] };

const maxMentions = 20;
const maxFileChars = 100_000;
const maxChars = 300_000;

// Matches no `@` inside a word or an address.
const mention = /(?<![\p{L}\p{N}_@./\\+-])@(?:"([^"\n]{1,4096})"|([^\s"'`<>()[\]{},;@]{1,4096}))/gu;
const skillPrefix = 'skill:';

export async function readMentions(
  host: Host,
  text: string,
  { session, profile = defaultProfile, by }: { session: string; profile?: string | undefined; by: Actor },
): Promise<MentionedFiles> {
  const names = [...text.matchAll(mention)].map(([, quoted, unquoted = '']) => quoted ?? unquoted);
  const unique = [...new Set(names)].slice(0, maxMentions);
  if (unique.length === 0) return { text, problems: [] };
  const registry = await createRegistry(host, { session, profile, dialect: 'codelab', by });
  const files: NonNullable<TurnInput['files']> = [];
  const images: ImagePart[] = [];
  const problems: string[] = [];
  let remaining = maxChars;
  for (const name of unique) {
    try {
      const mentioned = await readMention({ host, registry }, name);
      if (mentioned === undefined || files.some(({ path }) => path === mentioned.path)) continue;
      if ('image' in mentioned) {
        images.push(countedImage(mentioned.image, images.length));
        continue;
      }
      if (remaining <= 0)
        throw new ToolError('FILE_TOO_LARGE', 'the files named before it fill the available space');
      const excerpt = cutText(mentioned.text, Math.min(remaining, maxFileChars));
      remaining -= excerpt.length;
      files.push({ path: mentioned.path, text: excerpt });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      problems.push(`@${name} was not attached: ${error.message}`);
    }
  }
  return {
    text,
    ...(files.length > 0 && { files }),
    ...(images.length > 0 && { images }),
    problems,
  };
}

type Reading = { host: Host; registry: Registry };
type FoundText = { path: string; text: string };
type Found = FoundText | { path: string; image: ImagePart };

const imageName = /\.(?:png|jpe?g|gif|webp)$/i;

function countedImage(image: ImagePart, before: number): ImagePart {
  if (before < imageLimits.count) return image;
  throw new ToolError('FILE_TOO_LARGE', `a message takes at most ${imageLimits.count} images`);
}

async function readMention({ host, registry }: Reading, name: string): Promise<Found | undefined> {
  if (name.startsWith(skillPrefix))
    return await readSkill({ host, registry }, name.slice(skillPrefix.length));
  // The end of a sentence, or a line number, may follow the name directly.
  const withoutLine = name.replace(/(?::\d+(?:-\d+)?)?[.:!?…]*$/u, '');
  for (const path of new Set([name, withoutLine])) {
    const file = path === '' ? undefined : await readPath({ host, registry }, path);
    if (file !== undefined) return file;
  }
  return undefined;
}

async function readPath({ host, registry }: Reading, path: string): Promise<Found | undefined> {
  try {
    if (imageName.test(path)) return { path, image: await readImage({ host, registry }, path) };
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

// The bytes of an image are no text that a call could return; the rules for reading the file apply all the same.
async function readImage({ host, registry }: Reading, path: string): Promise<ImagePart> {
  // A page is requested, because the limit for whole texts does not apply to images.
  const { verdict } = await registry.approvalRequest('read_file', { path, max_lines: 1 });
  if (verdict.verdict !== 'allow') throw new ToolError('PERMISSION_DENIED', verdict.reason);
  using place = host.workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
  const { bytes } = await readBytes(place, imageLimits.bytes);
  return imageFrom(bytes, path);
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

// The user named the skill, so no approval is needed; a deny rule still applies.
async function readSkill({ host, registry }: Reading, name: string): Promise<FoundText> {
  const { verdict } = await registry.approvalRequest('skill', { action: 'load', name });
  if (verdict.verdict === 'deny') throw new ToolError('PERMISSION_DENIED', verdict.reason);
  const { content } = loadSkill(host, name, AbortSignal.timeout(10_000));
  return { path: skillPrefix + name, text: content };
}
