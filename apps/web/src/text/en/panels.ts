// Words of the panels beside the conversation: todo list, context and processes.
import { plural } from '../plural.ts';

// Words of the todo panel.
export const enTodo = {
  name: 'Todo',
  none: 'No todo list yet',
  noneHint: 'For work in several steps, the agent writes its plan here and checks off what is done.',
  list: 'Todo list of the agent',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  left: (count: number) => plural('en', count, { one: '# left', other: '# left' }),
  status: { pending: 'To do', in_progress: 'In progress', completed: 'Done', cancelled: 'Cancelled' },
  priority: { high: 'High', medium: 'Medium', low: 'Low' },
};

// Words of the context panel.
export const enContext = {
  name: 'Context',
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
  name: 'Processes',
  terminal: 'Terminal',
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
  name: 'Terminal',
  new: 'New terminal',
  end: 'End the terminal',
  hide: 'Hide the terminal',
  toggle: 'Show or hide the terminal',
  height: 'Height of the terminal',
  none: 'No terminal is open',
  hint: 'Your own shell in the workspace, outside the sandbox. No rule applies to it, and the agent neither reads it nor types into it.',
  screen: (what: string) => `${what}: your terminal. Ctrl+\` leaves it.`,
  exited: (code: number) => `The shell exited with code ${code}.`,
  dropped: 'The beginning is no longer kept.',
  gone: 'This terminal has ended with the gateway.',
  close: 'Close',
  opened: (who: string) => `${who} opened a terminal`,
  closed: (code: number) => `The terminal was closed (code ${code})`,
  stopped: 'The terminal was closed',
};
