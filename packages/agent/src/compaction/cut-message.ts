// Shortens messages and estimates their tokens. A reply is never cut, because it must be sent back unchanged.

import type { ModelMessage } from '../model.ts';
import { tokensPerImage } from '../tool-results.ts';
import { cutText, estimateTokens } from './estimate-tokens.ts';
import { summaryMark } from './summarize-by-rules.ts';

const keptOfCutResult = 1000;
/** Cutting a text as short as the note about the cut saves nothing. */
const shortNote = 100;
/** A message that is cut to less than this loses its images as well. */
const leastWithImages = 20_000;

/** Cuts long texts until all messages together have at most so many tokens. */
export function cutToFit(messages: readonly ModelMessage[], tokens: number): ModelMessage[] {
  let cut = [...messages];
  for (let maxChars = 100_000; maxChars > 200 && sumOf(cut) > tokens; maxChars = Math.floor(maxChars / 2))
    cut = messages.map((message) => cutMessage(message, maxChars));
  return cut;
}

function sumOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

/** An old result is cut; its whole text can still be read by the id of its call. */
export function cutResult(message: ModelMessage, maxChars = keptOfCutResult): ModelMessage {
  if (message.role !== 'tool') return message;
  const isLong = message.text.length > maxChars * 2 + shortNote || message.images !== undefined;
  if (!isLong) return message;
  const cut = cutMessage(message, maxChars);
  const note = `\n[Cut short. All of it: output:${message.callId}]`;
  return cut.role === 'tool' ? { ...cut, text: cut.text + note } : cut;
}

/** Cuts messages of users and tools. */
export function cutMessage(message: ModelMessage, maxChars: number): ModelMessage {
  if (message.role === 'assistant') return message;
  // A summary was made to fit when it was written, and all of it counts.
  if (message.text.startsWith(summaryMark)) return message;
  const cut = maxChars < leastWithImages ? withoutImages(message) : message;
  return cut.text.length <= maxChars ? cut : { ...cut, text: cutText(cut.text, maxChars) };
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
