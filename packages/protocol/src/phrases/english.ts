// The one table of English sentences: what stands on the wires and in the log is made from it, by a key and its parameters.
import { callPhrases } from './english/calls.ts';
import { commandPhrases } from './english/commands.ts';
import { planPhrases } from './english/plans.ts';

export const englishPhrases = { ...commandPhrases, ...callPhrases, ...planPhrases } as const;

export type PhraseKey = keyof typeof englishPhrases;
