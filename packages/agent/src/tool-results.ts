// The text of a finished call for the model: its result, its images, and notes about files that changed meanwhile.
import {
  type ImagePart,
  imageLimits,
  imageType,
  imageTypes,
  type Outcome,
  type Reply,
  ToolError,
  type WantedCall,
} from '@codelab/protocol';
import { cutText } from './compaction/estimate-tokens.ts';

/** The text of a call: the result, the fields that a human changed, and a hint when the model repeats itself. */
type ResultParts = { outcome: Outcome; modelCall: WantedCall; outcomeText: string; hint: string | undefined };

const maxFieldChars = 400;

export function resultText({ outcome, modelCall, outcomeText, hint }: ResultParts): string {
  const parts = [outcomeText];
  if (outcome.status === 'completed' && outcome.changedBy !== undefined)
    parts.unshift(describeChange(modelCall.args, outcome.changedBy));
  if (hint !== undefined) parts.push(hint);
  return parts.join('\n');
}

type Change = NonNullable<Extract<Outcome, { status: 'completed' }>['changedBy']>;

function describeChange(requestedArgs: Record<string, unknown>, { kind, args, feedback }: Change): string {
  // Some fields have another name inside CodeLab; those are not compared.
  const fields = Object.keys(requestedArgs)
    .filter((name) => name in args)
    .filter((name) => JSON.stringify(requestedArgs[name]) !== JSON.stringify(args[name]))
    .map(
      (name) =>
        `- ${name}: you wanted ${valueText(requestedArgs[name])}, what ran was ${valueText(args[name])}`,
    );
  const change = kind === 'hunks' ? 'took only some hunks of this call' : 'edited this call before it ran';
  const remark = feedback === undefined ? [] : [`They say: ${feedback}`];
  return [`A human ${change}:`, ...fields, ...remark].join('\n');
}

function valueText(value: unknown): string {
  return value === undefined ? 'nothing' : cutText(JSON.stringify(value), maxFieldChars);
}

// Images for a model: made from a file's bytes, found in a tool's result, and counted before they are sent.

/** Throws a ToolError that says what to do instead. */
export function imageFrom(bytes: Buffer, name: string): ImagePart {
  const mediaType = imageType(bytes);
  if (mediaType === undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${name} is not a PNG, JPEG, GIF or WebP image. Convert it first.`,
    );
  if (bytes.length > imageLimits.bytes)
    throw new ToolError(
      'FILE_TOO_LARGE',
      `${name} has ${bytes.length} bytes; an image may have ${imageLimits.bytes}. Make it smaller first.`,
    );
  return { mediaType, data: bytes.toString('base64'), name };
}

/** The images of a result: its field `images`, for every tool. */
export function resultImages(outcome: Outcome): ImagePart[] {
  if (outcome.status !== 'completed' || !Array.isArray(outcome.data.images)) return [];
  return outcome.data.images.filter(isImage).slice(0, imageLimits.count);
}

function isImage(value: unknown): value is ImagePart {
  if (typeof value !== 'object' || value === null) return false;
  const { mediaType, data } = value as Partial<ImagePart>;
  return imageTypes.some((type) => type === mediaType) && typeof data === 'string';
}

/** Providers count by the size in pixels; this is about what they charge for the largest image that they do not scale down. */
export const tokensPerImage = 1600;

/** Notes for a model besides people's messages: why its reply ended early, which files a person changed back, which were attached. */
const notes = {
  cut: 'Your reply was cut off at the length limit. Go on exactly where it stopped; repeat nothing. Write long files in parts.',
  interrupted: '[Your reply was interrupted here.]',
  uncalled:
    'You announced a tool call, but none arrived. Make the call now, or say what you did and what is left.',
  empty: 'Your reply was empty. Call a tool, or say what you did and what is left.',
};

/** The note for a reply that did not come to its end. It is part of the conversation, so every request has it. */
export function noteAfter({ calls, stop, text }: Reply): string | undefined {
  if (calls.length > 0) return undefined;
  if (stop === 'length') return notes.cut;
  if (stop === 'interrupted') return notes.interrupted;
  if (stop === 'calls') return notes.uncalled;
  const isEmpty = text.trim() === '' && stop !== 'refused' && stop !== 'paused';
  return isEmpty ? notes.empty : undefined;
}

const verbs: Record<string, string> = { undo: 'undid', redo: 'redid', discard_changes: 'discarded' };

/** Undefined for a call that is no undo. */
export function noteOnFiles(outcome: Outcome): string | undefined {
  const verb = Object.hasOwn(verbs, outcome.tool) ? verbs[outcome.tool] : undefined;
  if (verb === undefined || outcome.status !== 'completed') return undefined;
  const paths = [...new Set(outcome.effects.map(({ path }) => path))].join(', ');
  if (paths === '') return undefined;
  return `[The user ${verb} changes to: ${paths}. Read these files again before you rely on them.]`;
}

export function attachedFiles(files: readonly { path: string; text: string }[] = []): string {
  return files.map((file) => `\n\n<file path=${JSON.stringify(file.path)}>\n${file.text}\n</file>`).join('');
}
