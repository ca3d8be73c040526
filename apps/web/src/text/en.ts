// Every word of the screen, in English. Its shape is the list of keys: a language that lacks one does not compile.
import type { PhraseLanguage } from '@codelab/protocol';
import { enApproval } from './en/approval.ts';
import { enAudit } from './en/audit.ts';
import { enChanges } from './en/changes.ts';
import { enConversation } from './en/conversation.ts';
import { enEditor } from './en/editor.ts';
import { enFiles, enSearch } from './en/files.ts';
import { enFrame, enUi } from './en/frame.ts';
import { enContext, enProcesses, enTerminals, enTodo } from './en/panels.ts';
import { enReview } from './en/review.ts';
import { enSessions } from './en/sessions.ts';
import { enSettings } from './en/settings.ts';
import { enTour } from './en/tour.ts';
import { enUsage } from './en/usage.ts';

export const en = {
  ui: enUi,
  frame: enFrame,
  conversation: enConversation,
  approval: enApproval,
  review: enReview,
  changes: enChanges,
  context: enContext,
  editor: enEditor,
  files: enFiles,
  processes: enProcesses,
  terminals: enTerminals,
  todo: enTodo,
  audit: enAudit,
  search: enSearch,
  sessions: enSessions,
  settings: enSettings,
  tour: enTour,
  usage: enUsage,
  /** The core's texts are already English. */
  phrases: undefined as PhraseLanguage | undefined,
};

export type UiTexts = typeof en;
