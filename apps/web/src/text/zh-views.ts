// The words of the views, in Chinese, and the core's texts about calls.
import type { AddedTexts, ReasonKey } from './en-views.ts';
import { zhApproval } from './zh/approval.ts';
import { zhAudit } from './zh/audit.ts';
import { zhChanges } from './zh/changes.ts';
import { zhEditor } from './zh/editor.ts';
import { zhContext, zhProcesses, zhSearch, zhTerminals, zhTreeEdit } from './zh/panels.ts';
import { zhCallPhrases } from './zh/phrases/calls.ts';
import { zhCommandPhrases } from './zh/phrases/commands.ts';
import { zhRiskPhrases } from './zh/phrases/risks.ts';
import { zhReview } from './zh/review.ts';
import { zhSessions } from './zh/sessions.ts';
import { zhSettings } from './zh/settings.ts';
import { zhTour } from './zh/tour.ts';
import { zhUsage } from './zh/usage.ts';

/** A missing key does not compile. */
const reasons: Record<ReasonKey, string> = { ...zhCommandPhrases, ...zhCallPhrases, ...zhRiskPhrases };

export const zhViews: AddedTexts = {
  approval: zhApproval,
  audit: zhAudit,
  changes: zhChanges,
  context: zhContext,
  editor: zhEditor,
  files: zhTreeEdit,
  processes: zhProcesses,
  review: zhReview,
  search: zhSearch,
  sessions: zhSessions,
  settings: zhSettings,
  terminals: zhTerminals,
  tour: zhTour,
  usage: zhUsage,
  reasons,
};
