// Every word of the screen, in Chinese.
import type { Texts } from './en.ts';
import { approval } from './zh/approval.ts';
import { audit } from './zh/audit.ts';
import { changes } from './zh/changes.ts';
import { context } from './zh/context.ts';
import { conversation } from './zh/conversation.ts';
import { editor } from './zh/editor.ts';
import { files } from './zh/files.ts';
import { frame } from './zh/frame.ts';
import { processes } from './zh/processes.ts';
import { review } from './zh/review.ts';
import { sessions } from './zh/sessions.ts';
import { settings } from './zh/settings.ts';
import { todo } from './zh/todo.ts';
import { tour } from './zh/tour.ts';
import { ui } from './zh/ui.ts';
import { usage } from './zh/usage.ts';

export const zh: Texts = {
  ui,
  frame,
  conversation,
  approval,
  review,
  changes,
  context,
  editor,
  files,
  processes,
  todo,
  audit,
  sessions,
  settings,
  tour,
  usage,
};
