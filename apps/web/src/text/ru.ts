// Every word of the screen, in Russian.
import type { PhraseKey, PhraseLanguage } from '@codelab/protocol';
import type { UiTexts } from './en.ts';
import { ruApproval } from './ru/approval.ts';
import { ruAudit } from './ru/audit.ts';
import { ruChanges } from './ru/changes.ts';
import { ruConversation } from './ru/conversation.ts';
import { ruEditor } from './ru/editor.ts';
import { ruFiles, ruSearch } from './ru/files.ts';
import { ruFrame, ruUi } from './ru/frame.ts';
import { ruContext, ruProcesses, ruTerminals, ruTodo } from './ru/panels.ts';
import { ruCallPhrases } from './ru/phrases/calls.ts';
import { ruCommandPhrases } from './ru/phrases/commands.ts';
import { ruPlanPhrases } from './ru/phrases/plans.ts';
import { ruReview } from './ru/review.ts';
import { ruSessions } from './ru/sessions.ts';
import { ruSettings } from './ru/settings.ts';
import { ruTour } from './ru/tour.ts';
import { ruUsage } from './ru/usage.ts';

/** The core's texts; a missing key does not compile. */
const table: Record<PhraseKey, string> = { ...ruCommandPhrases, ...ruCallPhrases, ...ruPlanPhrases };

const rules = new Intl.PluralRules('ru');
const forms: Partial<Record<Intl.LDMLPluralRule, number>> = { one: 0, few: 1 };

const ruPhrases: PhraseLanguage = {
  table,
  formOf: (count) => forms[rules.select(count)] ?? 2,
  between: ' ',
};

export const ru: UiTexts = {
  ui: ruUi,
  frame: ruFrame,
  conversation: ruConversation,
  approval: ruApproval,
  review: ruReview,
  changes: ruChanges,
  context: ruContext,
  editor: ruEditor,
  files: ruFiles,
  processes: ruProcesses,
  terminals: ruTerminals,
  todo: ruTodo,
  audit: ruAudit,
  search: ruSearch,
  sessions: ruSessions,
  settings: ruSettings,
  tour: ruTour,
  usage: ruUsage,
  phrases: ruPhrases,
};
