// The words of the first screen, in English. Their shape is the list of keys: a language that lacks one does not compile.
import type { PhraseKey, PhraseLanguage } from '@codelab/protocol';
import { enConversation } from './en/conversation.ts';
import { enErrors } from './en/errors.ts';
import { enFiles } from './en/files.ts';
import { enFirst } from './en/first.ts';
import { enFrame, enUi } from './en/frame.ts';

export const en = {
  ...enFirst,
  ui: enUi,
  frame: enFrame,
  conversation: enConversation,
  files: enFiles,
  errors: enErrors,
  /** The core's texts are already English. */
  phrases: undefined as PhraseLanguage | undefined,
};

export type UiTexts = typeof en;

/** The core's texts that say what a call does. */
export type PlanKey = Extract<PhraseKey, `plan.${string}`>;
