// Sentences that CodeLab writes about a call, each as a key with parameters. The English text is made from them by one table; a screen in
// another language has its own table.
import * as z from 'zod/mini';
import { lazily } from '../input.ts';
import { callPhrases } from './english/calls.ts';
import { commandPhrases } from './english/commands.ts';
import { planPhrases } from './english/plans.ts';

export const Phrase = lazily(() =>
  z.strictObject({
    key: z.string(),
    params: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  }),
);
export type Phrase = z.infer<ReturnType<typeof Phrase>>;

/** A language: its sentences by their keys, and how it counts and joins. */
export type PhraseLanguage = {
  table: Readonly<Record<string, string>>;
  /** The form in `{count:# file|# files}` for a number. */
  formOf(count: number): number;
  /** The separator between two sentences. */
  between: string;
};

/** The text of sentences; undefined when the table lacks one of their keys, as when the other side is newer. */
export function fillPhrases(phrases: readonly Phrase[], language: PhraseLanguage): string | undefined {
  const { table, formOf, between } = language;
  const sentences: string[] = [];
  for (const { key, params = {} } of phrases) {
    if (!Object.hasOwn(table, key)) return undefined;
    sentences.push(fillTemplate(table[key] ?? '', params, formOf));
  }
  return sentences.join(between);
}

/** Replaces `{name}` by the parameter, and `{name:one|many}` by the form for its number, in which `#` is the number. */
function fillTemplate(
  template: string,
  params: NonNullable<Phrase['params']>,
  formOf: PhraseLanguage['formOf'],
): string {
  // Most sentences have no parameters.
  if (!template.includes('{')) return template;
  return template.replace(/\{(\w+)(?::([^}]*))?\}/g, (_found, name: string, forms: string | undefined) => {
    const value = String(params[name] ?? '');
    if (forms === undefined) return value;
    const variants = forms.split('|');
    return (variants[formOf(Number(value))] ?? variants.at(-1) ?? '').replace('#', () => value);
  });
}

/**
 * The one table of English sentences; the texts on the wires and in the log are made from it. The page does not use it, and bundlers drop it from the
 * page only because the call is marked pure.
 */
export const englishPhrases = /* @__PURE__ */ Object.assign({}, commandPhrases, callPhrases, planPhrases);

export type PhraseKey = keyof typeof englishPhrases;

/** One sentence, or several in a row. */
export type Phrases = Phrase | readonly Phrase[];

type ParamNames<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? NameOf<Name> | ParamNames<Rest>
  : never;
type NameOf<Name extends string> = Name extends `${infer Plain}:${string}` ? Plain : Name;
type ParamsOf<Key extends PhraseKey> = ParamNames<(typeof englishPhrases)[Key]>;

/** A sentence with the parameters that its template names. */
export function phrase<Key extends PhraseKey>(
  key: Key,
  ...[params]: [ParamsOf<Key>] extends [never] ? [] : [Readonly<Record<ParamsOf<Key>, string | number>>]
): Phrase {
  return params === undefined ? { key } : { key, params: { ...params } };
}

const english: PhraseLanguage = {
  table: englishPhrases,
  formOf: (count) => (count === 1 ? 0 : 1),
  between: ' ',
};

export function englishText(phrases: Phrases): string {
  const text = fillPhrases(listOf(phrases), english);
  if (text === undefined) throw new Error(`There is no English for ${JSON.stringify(phrases)}.`);
  return text;
}

/** A reason as the wires have it: the English text, and the sentences for screens in other languages. */
export function because(phrases: Phrases): { reason: string; phrases: Phrase[] } {
  return { reason: englishText(phrases), phrases: [...listOf(phrases)] };
}

function listOf(phrases: Phrases): readonly Phrase[] {
  return 'key' in phrases ? [phrases] : phrases;
}

let plainKeys: Map<string, string> | undefined;

/** The sentence behind an English text that has no parameters, such as the reason of a built-in rule; a text of others stays as it is. */
export function phraseOf(text: string): Phrase {
  plainKeys ??= new Map(
    Object.entries(englishPhrases).flatMap(([key, template]) =>
      template.includes('{') ? [] : [[template, key] as const],
    ),
  );
  const key = plainKeys.get(text);
  return key === undefined ? phrase('text', { text }) : { key };
}

/** The sentences of a reason; an entry of an older log has only the text. */
export function reasonPhrases({
  reason,
  phrases,
}: {
  reason: string;
  phrases?: readonly Phrase[] | undefined;
}): readonly Phrase[] {
  return phrases ?? [phraseOf(reason)];
}

// The texts of a plan: a tool writes them as phrases, and they become English in one place.

/** A text written by others, such as the description of a skill, is a string and stays the same in every language. */
type DraftText = string | Phrases;

export type DraftTexts = { summary: DraftText; riskReason: DraftText; notes: readonly DraftText[] };

/** The texts as the log and the wires have them: each in English, and beside it the phrases it was made from. */
export function spellTexts({ summary, riskReason, notes }: DraftTexts): SpelledTexts {
  // Without spreads, which take V8 longer than the rest: every call has its texts spelled.
  const phrases: SpelledTexts['phrases'] = {};
  if (typeof summary !== 'string') phrases.summary = [...listOf(summary)];
  if (typeof riskReason !== 'string') phrases.riskReason = [...listOf(riskReason)];
  const noted = notes.map(phrasesIn);
  if (noted.some((each) => each !== null)) phrases.notes = noted;
  return { summary: spell(summary), riskReason: spell(riskReason), notes: notes.map(spell), phrases };
}

type SpelledTexts = {
  summary: string;
  riskReason: string;
  notes: string[];
  phrases: { summary?: Phrase[]; riskReason?: Phrase[]; notes?: (Phrase[] | null)[] };
};

function spell(text: DraftText): string {
  return typeof text === 'string' ? text : englishText(text);
}

function phrasesIn(text: DraftText): Phrase[] | null {
  return typeof text === 'string' ? null : [...listOf(text)];
}
