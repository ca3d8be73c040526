// Messages made shorter, and about how many tokens each has. A reply is never cut: it has to go back as it was.
import { cutText } from './cut-text.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { tokensPerImage } from './images.ts';
import type { ModelMessage } from './model.ts';

const keptOfCutResult = 1000;
/** A message that is cut to less than this loses its images as well. */
const leastWithImages = 20_000;

/** The messages with their long texts cut so far that together they have at most so many tokens. */
export function cutToFit(messages: readonly ModelMessage[], tokens: number): ModelMessage[] {
  let cut = [...messages];
  for (let most = 100_000; most > 200 && sumOf(cut) > tokens; most = Math.floor(most / 2))
    cut = messages.map((message) => cutMessage(message, most));
  return cut;
}

function sumOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

export function cutResult(message: ModelMessage): ModelMessage {
  if (message.role !== 'tool') return message;
  const isLong = message.text.length > keptOfCutResult * 2 || message.images !== undefined;
  return isLong ? cutMessage(message, keptOfCutResult) : message;
}

/** What users and tools said. */
export function cutMessage(message: ModelMessage, most: number): ModelMessage {
  if (message.role === 'assistant') return message;
  const cut = most < leastWithImages ? withoutImages(message) : message;
  return cut.text.length <= most ? cut : { ...cut, text: cutText(cut.text, most) };
}

type WithImages = Exclude<ModelMessage, { role: 'assistant' }>;

function withoutImages(message: WithImages): WithImages {
  if (message.images === undefined) return message;
  const { images, ...rest } = message;
  const notes = images.map(({ name = 'image' }) => `\n[${name}: no longer shown, to save room]`);
  return { ...rest, text: rest.text + notes.join('') };
}

export function tokensOf(message: ModelMessage): number {
  if (message.role !== 'assistant')
    return estimateTokens(message.text) + (message.images?.length ?? 0) * tokensPerImage + 8;
  const { text, reasoning = '', calls } = message.reply;
  return estimateTokens(text) + estimateTokens(reasoning) + estimateTokens(JSON.stringify(calls)) + 8;
}
