// The words of the first screen, in Russian.
import type { PhraseLanguage } from '@codelab/protocol';
import type { PlanKey, UiTexts } from './en.ts';
import { ruConversation } from './ru/conversation.ts';
import { ruErrors } from './ru/errors.ts';
import { ruFiles } from './ru/files.ts';
import { ruFirst } from './ru/first.ts';
import { ruFrame, ruUi } from './ru/frame.ts';
import { ruPlanPhrases } from './ru/phrases/plans.ts';

const rules = new Intl.PluralRules('ru');
const forms: Partial<Record<Intl.LDMLPluralRule, number>> = { one: 0, few: 1 };

/** A missing key does not compile. */
const table: Record<PlanKey, string> = ruPlanPhrases;

/** What a call does; why it is asked about is among the words of the views. */
const phrases: PhraseLanguage = {
  table,
  formOf: (count) => forms[rules.select(count)] ?? 2,
  between: ' ',
};

export const ru: UiTexts = {
  ...ruFirst,
  ui: ruUi,
  frame: ruFrame,
  conversation: ruConversation,
  files: ruFiles,
  errors: () => ruErrors,
  phrases,
};
