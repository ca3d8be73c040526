// The words of the views, in English: they are loaded with the first view that is opened, and added to those of the first screen.
import type { PhraseKey } from '@codelab/protocol';
import { enApproval } from './en/approval.ts';
import { enAudit } from './en/audit.ts';
import { enChanges } from './en/changes.ts';
import { enEditor } from './en/editor.ts';
import { enContext, enProcesses, enSearch, enTerminals, enTreeEdit } from './en/panels.ts';
import { enReview } from './en/review.ts';
import { enSessions } from './en/sessions.ts';
import { enSettings } from './en/settings.ts';
import { enTour } from './en/tour.ts';
import { enUsage } from './en/usage.ts';
import type { UiTexts } from './en.ts';

export const enViews = {
  approval: enApproval,
  audit: enAudit,
  changes: enChanges,
  context: enContext,
  editor: enEditor,
  files: enTreeEdit,
  processes: enProcesses,
  review: enReview,
  search: enSearch,
  sessions: enSessions,
  settings: enSettings,
  terminals: enTerminals,
  tour: enTour,
  usage: enUsage,
};

/** The core's texts about a call: what it does is on the first screen, why it is asked about is not. */
export type ReasonKey = Exclude<PhraseKey, `plan.${string}`>;

/** What a language adds. */
export type AddedTexts = typeof enViews & { reasons?: Readonly<Record<ReasonKey, string>> };

export type ViewTexts = UiTexts & typeof enViews;
