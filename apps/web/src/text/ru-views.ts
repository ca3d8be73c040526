// The words of the views, in Russian, and the core's texts about calls.
import type { AddedTexts, ReasonKey } from './en-views.ts';
import { ruApproval } from './ru/approval.ts';
import { ruAudit } from './ru/audit.ts';
import { ruChanges } from './ru/changes.ts';
import { ruEditor } from './ru/editor.ts';
import { ruContext, ruProcesses, ruSearch, ruTerminals, ruTreeEdit } from './ru/panels.ts';
import { ruCallPhrases } from './ru/phrases/calls.ts';
import { ruCommandPhrases } from './ru/phrases/commands.ts';
import { ruRiskPhrases } from './ru/phrases/risks.ts';
import { ruReview } from './ru/review.ts';
import { ruSessions } from './ru/sessions.ts';
import { ruSettings } from './ru/settings.ts';
import { ruTour } from './ru/tour.ts';
import { ruUsage } from './ru/usage.ts';

/** A missing key does not compile. */
const reasons: Record<ReasonKey, string> = { ...ruCommandPhrases, ...ruCallPhrases, ...ruRiskPhrases };

export const ruViews: AddedTexts = {
  approval: ruApproval,
  audit: ruAudit,
  changes: ruChanges,
  context: ruContext,
  editor: ruEditor,
  files: ruTreeEdit,
  processes: ruProcesses,
  review: ruReview,
  search: ruSearch,
  sessions: ruSessions,
  settings: ruSettings,
  terminals: ruTerminals,
  tour: ruTour,
  usage: ruUsage,
  reasons,
};
