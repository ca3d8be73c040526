// The prompt of a headless turn: the words of the command line, standard input, or both.
import { UsageError } from '../command-line/define-command.ts';
import { isPiped, readInput } from './read-input.ts';

export type Prompt = { text: string; texts?: { path: string; text: string }[] };

const missing =
  'There is no prompt. Give one as an argument, as in codelab run "What does this project do?", or on standard input.';

/** `-` in the place of the prompt, or no prompt at all, is standard input alone; after a prompt it waits for standard input however long it takes. */
export async function readPrompt(
  [text = '-', more]: readonly string[],
  signal: AbortSignal,
): Promise<Prompt> {
  if (more !== undefined && more !== '-')
    throw new UsageError(`${JSON.stringify(more)} is too much: put the whole prompt in quotation marks.`);
  if (text !== '-') return await withInput(text, signal, more === '-');
  const isAwaited = isPiped();
  const input = isAwaited ? await readInput(signal, { isAwaited }) : undefined;
  if (input === undefined || input.trim() === '') throw new UsageError(missing);
  return { text: input };
}

async function withInput(text: string, signal: AbortSignal, isAwaited: boolean): Promise<Prompt> {
  if (text.trim() === '') throw new UsageError(missing);
  const input = isPiped() ? await readInput(signal, { isAwaited }) : undefined;
  return input === undefined ? { text } : { text, texts: [{ path: 'standard input', text: input }] };
}
