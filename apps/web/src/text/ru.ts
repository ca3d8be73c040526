// Every word of the screen, in Russian.
import type { Texts } from './en.ts';
import { approval } from './ru/approval.ts';
import { audit } from './ru/audit.ts';
import { changes } from './ru/changes.ts';
import { context } from './ru/context.ts';
import { conversation } from './ru/conversation.ts';
import { editor } from './ru/editor.ts';
import { files } from './ru/files.ts';
import { frame } from './ru/frame.ts';
import { processes } from './ru/processes.ts';
import { review } from './ru/review.ts';
import { sessions } from './ru/sessions.ts';
import { settings } from './ru/settings.ts';
import { todo } from './ru/todo.ts';
import { tour } from './ru/tour.ts';
import { ui } from './ru/ui.ts';
import { usage } from './ru/usage.ts';

export const ru: Texts = {
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
