// Words of the panels beside the conversation: todo list, context and processes.
import { plural } from '../plural.ts';

// Words of the context panel.
export const enContext = {
  none: 'No pinned files',
  noneHint: 'Files added here are shown to the model at every turn.',
  files: 'Files the model sees at every turn',
  add: 'Add a file',
  found: 'Matching files',
  remove: (path: string) => `Remove ${path}`,
  clear: 'Remove all',
  used: 'Context window',
  usedOf: (used: string, all: string) => `${used} of ${all} tokens`,
  usedOnly: (used: string) => `${used} tokens`,
  pinned: (used: string) => `${used} of them in files`,
  tokens: (count: string) => `${count} tokens`,
  missing: 'cannot be read',
  noSession: 'The context belongs to a session. Send a message to start one.',
};

// Words of running commands, long-running processes and their terminals.
export const enProcesses = {
  none: 'Nothing is running',
  noneHint: 'Running commands, and servers that the agent keeps running, are shown here with their output.',
  commands: 'Running commands',
  processes: 'Long-running processes',
  running: 'Running',
  exited: (code: number) => `Exited with ${code}`,
  ended: 'Ended',
  stop: 'Stop',
  stopping: 'Stopping…',
  openTab: 'Open in a tab',
  stopOne: (what: string) => `Stop ${what}`,
  restartOne: (what: string) => `Restart ${what}`,
  show: (what: string) => `Show the output of ${what}`,
  input: 'Input',
  inputHint: 'Line to send to the process',
  send: 'Send',
  sendsEnter: 'Enter sends the line. It is checked and recorded like a call of the agent.',
  output: (what: string) => `Output of ${what}`,
  dropped: 'Earlier output is no longer available.',
  startedAt: (when: string) => `started ${when}`,
  refused: 'The rules do not allow this:',
  waits: 'This is waiting for an approval in the conversation.',
  gone: 'It has ended, and its output is no longer available.',
};

// Words of a person's own terminals.
export const enTerminals = {
  new: 'New terminal',
  end: 'End the terminal',
  hide: 'Hide the terminal',
  none: 'No terminal is open',
  hint: 'Your own shell in the workspace, outside the sandbox. No rule applies to it, and the agent neither reads it nor types into it.',
  screen: (what: string) => `${what}: your terminal. Ctrl+\` leaves it.`,
  exited: (code: number) => `The shell exited with code ${code}.`,
  dropped: 'The beginning is no longer kept.',
  gone: 'This terminal has ended with the gateway.',
  close: 'Close',
};

// Words of the search in the project.
export const enSearch = {
  matchCase: 'Match case',
  regex: 'Regular expression',
  pattern: 'Files to include',
  patternHint: 'Files, e.g. src/**/*.ts',
  hint: 'Ignored and binary files and those that may hold secrets are left out.',
  none: 'No results',
  noneHint: 'Ignored and binary files and those that may hold secrets are left out.',
  results: 'Results',
  lines: 'lines',
  more: 'Show more',
  found: (lines: number, files: number) =>
    `${plural('en', lines, { one: '# line', other: '# lines' })} in ${plural('en', files, { one: '# file', other: '# files' })}`,
};

// Words of creating, renaming and deleting in the file tree.
export const enTreeEdit = {
  cancel: 'Cancel',
  nameField: 'Name',
  nameIn: (folder: string) => `Name in ${folder}`,
  editTitles: { file: 'New file', folder: 'New folder', rename: 'Rename', delete: 'Delete?' },
  editVerbs: { file: 'Create', folder: 'Create', rename: 'Rename', delete: 'Delete' },
  saveFirst: 'It has unsaved changes. Save them first.',
  made: (path: string) => `Created ${path}. You can undo it in Changes.`,
  renamed: (path: string) => `Renamed to ${path}. You can undo it in Changes.`,
  removed: (path: string) => `Moved ${path} to the trash. You can undo it in Changes.`,
  removeFile: (path: string) => `${path} will be moved to the trash. You can restore it from there.`,
  removeFolder: (path: string) =>
    `${path} and everything in it will be moved to the trash. You can restore it from there.`,
  removeUnsaved: 'Unsaved changes will be lost.',
};
