// The words of the first screen, in Chinese.
import type { PhraseLanguage } from '@codelab/protocol';
import type { PlanKey, UiTexts } from './en.ts';
import { zhConversation } from './zh/conversation.ts';
import { zhErrors } from './zh/errors.ts';
import { zhFiles } from './zh/files.ts';
import { zhFirst } from './zh/first.ts';
import { zhFrame, zhUi } from './zh/frame.ts';
import { zhPlanPhrases } from './zh/phrases/plans.ts';

/** A missing key does not compile. */
const table: Record<PlanKey, string> = zhPlanPhrases;

/** What a call does; why it is asked about is among the words of the views. */
const phrases: PhraseLanguage = { table, formOf: () => 0, between: '' };

export const zh: UiTexts = {
  ...zhFirst,
  ui: zhUi,
  frame: zhFrame,
  conversation: zhConversation,
  files: zhFiles,
  errors: () => zhErrors,
  phrases,
};
