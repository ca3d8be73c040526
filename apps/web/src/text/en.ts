// Every word of the screen, in English. Its shape is the list of keys: a language that lacks one does not compile.
import { approval } from './en/approval.ts';
import { audit } from './en/audit.ts';
import { changes } from './en/changes.ts';
import { context } from './en/context.ts';
import { conversation } from './en/conversation.ts';
import { editor } from './en/editor.ts';
import { files } from './en/files.ts';
import { frame } from './en/frame.ts';
import { processes } from './en/processes.ts';
import { review } from './en/review.ts';
import { sessions } from './en/sessions.ts';
import { settings } from './en/settings.ts';
import { todo } from './en/todo.ts';
import { tour } from './en/tour.ts';
import { ui } from './en/ui.ts';
import { usage } from './en/usage.ts';

export const en = {
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

export type Texts = typeof en;
