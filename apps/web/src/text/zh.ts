// Every word of the screen, in Chinese.
import type { PhraseKey, PhraseLanguage } from '@codelab/protocol';
import type { UiTexts } from './en.ts';
import { zhApproval } from './zh/approval.ts';
import { zhAudit } from './zh/audit.ts';
import { zhChanges } from './zh/changes.ts';
import { zhConversation } from './zh/conversation.ts';
import { zhEditor } from './zh/editor.ts';
import { zhFiles, zhSearch } from './zh/files.ts';
import { zhFrame, zhUi } from './zh/frame.ts';
import { zhContext, zhProcesses, zhTerminals, zhTodo } from './zh/panels.ts';
import { zhCallPhrases } from './zh/phrases/calls.ts';
import { zhCommandPhrases } from './zh/phrases/commands.ts';
import { zhPlanPhrases } from './zh/phrases/plans.ts';
import { zhReview } from './zh/review.ts';
import { zhSessions } from './zh/sessions.ts';
import { zhSettings } from './zh/settings.ts';
import { zhTour } from './zh/tour.ts';
import { zhUsage } from './zh/usage.ts';

/** The core's texts; a missing key does not compile. */
const table: Record<PhraseKey, string> = { ...zhCommandPhrases, ...zhCallPhrases, ...zhPlanPhrases };

const zhPhrases: PhraseLanguage = { table, formOf: () => 0, between: '' };

export const zh: UiTexts = {
  ui: zhUi,
  frame: zhFrame,
  conversation: zhConversation,
  approval: zhApproval,
  review: zhReview,
  changes: zhChanges,
  context: zhContext,
  editor: zhEditor,
  files: zhFiles,
  processes: zhProcesses,
  terminals: zhTerminals,
  todo: zhTodo,
  audit: zhAudit,
  search: zhSearch,
  sessions: zhSessions,
  settings: zhSettings,
  tour: zhTour,
  usage: zhUsage,
  phrases: zhPhrases,
};
