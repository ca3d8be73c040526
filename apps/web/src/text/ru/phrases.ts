// Sentences of the core in Russian; a key that is missing does not compile.
import type { PhraseKey, PhraseLanguage } from '@codelab/protocol';
import { ruCallPhrases } from './phrases/calls.ts';
import { ruCommandPhrases } from './phrases/commands.ts';
import { ruPlanPhrases } from './phrases/plans.ts';

const table: Record<PhraseKey, string> = { ...ruCommandPhrases, ...ruCallPhrases, ...ruPlanPhrases };

const rules = new Intl.PluralRules('ru');
const forms: Partial<Record<Intl.LDMLPluralRule, number>> = { one: 0, few: 1 };

export const ruPhrases: PhraseLanguage = {
  table,
  formOf: (count) => forms[rules.select(count)] ?? 2,
  between: ' ',
};
