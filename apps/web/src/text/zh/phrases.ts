// Sentences of the core in Chinese; a key that is missing does not compile.
import type { PhraseKey, PhraseLanguage } from '@codelab/protocol';
import { zhCallPhrases } from './phrases/calls.ts';
import { zhCommandPhrases } from './phrases/commands.ts';
import { zhPlanPhrases } from './phrases/plans.ts';

const table: Record<PhraseKey, string> = { ...zhCommandPhrases, ...zhCallPhrases, ...zhPlanPhrases };

export const zhPhrases: PhraseLanguage = { table, formOf: () => 0, between: '' };
