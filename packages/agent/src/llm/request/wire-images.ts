// Images as the wires accept them: which of a conversation are still sent, where they go, and the notes that replace the others.
import type { ImagePart } from '@codelab/protocol';
import type { ModelMessage } from '../../model.ts';

/** Providers limit a request to 20 to 50 MB, and accept few images at full size. */
const mostImages = 20;
const mostChars = 20_000_000;

export function dataUrl({ mediaType, data }: ImagePart): string {
  return `data:${mediaType};base64,${data}`;
}

export function hasImages(messages: readonly ModelMessage[]): boolean {
  return messages.some((message) => message.role !== 'assistant' && message.images !== undefined);
}

type Spoken = Exclude<ModelMessage, { role: 'assistant' }>;

const changed = new WeakMap<ModelMessage, Spoken>();

/** `isTaken` false: the model accepts none. Otherwise the newest that fit stay, and a note replaces each of the others. */
export function boundImages(messages: readonly ModelMessage[], isTaken: boolean): readonly ModelMessage[] {
  if (!hasImages(messages)) return messages;
  let count = isTaken ? mostImages : 0;
  let chars = mostChars;
  const reason = isTaken ? 'no longer shown, to save room' : 'not shown: this model takes no images';
  return messages
    .toReversed()
    .map((message) => {
      if (message.role === 'assistant' || message.images === undefined) return message;
      count -= message.images.length;
      chars -= message.images.reduce((sum, { data }) => sum + data.length, 0);
      return count >= 0 && chars >= 0 ? message : withNotes(message, reason);
    })
    .toReversed();
}

/** The same message gives the same object, so that a wire finds its cached form. */
function withNotes(message: Spoken, reason: string): Spoken {
  const cached = changed.get(message);
  if (cached !== undefined) return cached;
  const { images = [], ...rest } = message;
  const notes = images.map(({ name = 'image' }) => `\n[${name}: ${reason}]`);
  const withoutImages = { ...rest, text: rest.text + notes.join('') };
  changed.set(message, withoutImages);
  return withoutImages;
}

const lifted = new WeakMap<ModelMessage, ModelMessage>();

/** For a wire whose results hold only text: the images of results follow as a message of the user. */
export function liftImages(messages: readonly ModelMessage[]): ModelMessage[] {
  const out: ModelMessage[] = [];
  const imageMessages: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') out.push(...imageMessages.splice(0));
    out.push(message);
    if (message.role === 'tool' && message.images !== undefined)
      imageMessages.push(asUser(message, message.images));
  }
  return [...out, ...imageMessages];
}

function asUser(
  message: Extract<ModelMessage, { role: 'tool' }>,
  images: readonly ImagePart[],
): ModelMessage {
  const cached = lifted.get(message);
  if (cached !== undefined) return cached;
  const imageMessage: ModelMessage = {
    role: 'user',
    text: `Images of the result of ${message.tool}:`,
    images,
  };
  lifted.set(message, imageMessage);
  return imageMessage;
}
