// Words on the first screen that belong to views which are loaded later: their names, their actions, and what the composer says of them.
import { plural } from '../plural.ts';

export const enFirst = {
  approval: {
    name: 'Waiting',
    next: 'Go to the next approval',
    notify: 'Notify me when something is waiting',
    notifyOff: 'Stop notifying me',
    notifyDenied: 'The browser blocks notifications from this page.',
    notice: (tool: string) => `${tool} is waiting for you`,
    noticeDone: 'The agent is done',
    noticeStopped: 'The agent has stopped',
    noticeMany: (count: number) => `${count} calls are waiting for you`,
    typeAnswer: 'To reject, type what to do instead.',
    typeChoice: 'Type an answer, or why not.',
    approvesNow: 'approves',
    enterApproves: 'Enter approves.',
    enterApprovesAll: (count: number) => `Enter approves all ${count}.`,
    enterRejects: 'Enter rejects with this reason.',
    enterRejectsAll: (count: number) => `Enter rejects all ${count} with this reason.`,
    enterAnswers: (action: string) => `Enter answers “${action}”.`,
    enterDecidesNothing: 'Not typed for this question: Enter sends it as a message. Edit it to answer.',
  },
  changes: {
    name: 'Changes',
    one: 'Change',
    undoLast: 'Undo the latest change',
    redoLast: 'Redo',
  },
  sessions: {
    name: 'Sessions',
    untitled: 'Untitled',
    goesOn: 'This session continues another one; the agent knows what was said there.',
    original: 'Open the original',
    worktree: {
      name: 'Worktree',
      choose: 'Start in a worktree',
      chooseHint:
        'The session works on a new branch in a folder of its own; the files here stay as they are.',
      menu: (branch: string) => `Worktree on ${branch}`,
      merge: 'Merge worktree…',
      drop: 'Drop worktree…',
      state: { present: '', dropped: 'dropped', missing: 'missing' },
      mergedInto: (into: string) => `merged into ${into}`,
      ended: (branch: string, into: string | undefined) =>
        into === undefined ? `The worktree on ${branch} was dropped.` : `${branch} was merged into ${into}.`,
      gone: {
        dropped: 'The worktree of this session was dropped.',
        missing: 'The worktree of this session is missing.',
      },
      goneHint: (path: string, branch: string) =>
        `Nothing can be run here any more; what was said stays readable. The folder was ${path}, the branch ${branch}. Start a new session to go on.`,
    },
  },
  settings: {
    name: 'Settings',
    modes: {
      strict: 'Strict',
      balanced: 'Ask each time',
      review: 'Let it work, then review',
      trusted: 'Trusted',
    },
    modeHints: {
      strict: 'Asks before every change and every command.',
      balanced: 'Reads without asking. Asks before changes.',
      review: 'Edits that can be undone and sandboxed commands run without asking. You review the result.',
      trusted: 'Also runs known build, test and package programs without asking.',
    },
  },
  modePicker: {
    mode: 'Mode',
    switchMode: 'Switch the mode',
    plan: 'Plan only',
    planHint: 'Reads and plans. Changes nothing.',
  },
  /** The line that says a review waits. */
  reviewPrompt: {
    open: 'Review what was changed',
    hint: 'Keep, discard or comment on what this turn changed.',
    review: (files: number) => plural('en', files, { one: 'Review # file', other: 'Review # files' }),
  },
  usage: {
    name: 'Usage',
    noCost: 'price unknown',
    unpricedTurns: (count: number) =>
      plural('en', count, { one: '# turn has no price', other: '# turns have no price' }),
  },
  tour: {
    start: 'Take the tour',
    scripted: 'Demo model: scripted, no AI',
    suggestions: 'Try asking',
    forDemo: ['Fix the shop and run its tests', 'read src/cart.js', 'find quantity in src', 'run npm test'],
    forModel: [
      'Explain what this project does and how it is built',
      'Run the tests and fix what fails',
      'Find TODO comments and list them',
    ],
  },
  terminals: {
    name: 'Terminal',
    toggle: 'Show or hide the terminal',
    height: 'Height of the terminal',
    opened: (who: string) => `${who} opened a terminal`,
    closed: (code: number) => `The terminal was closed (code ${code})`,
    stopped: 'The terminal was closed',
  },
  editor: {
    name: 'File',
    unsaved: 'unsaved',
  },
  processes: {
    name: 'Processes',
    terminal: 'Terminal',
  },
  search: {
    name: 'Search',
    field: 'Search in the project',
  },
  review: {
    name: 'Review',
  },
  context: {
    name: 'Context',
  },
  audit: {
    name: 'Audit',
  },
  todo: {
    name: 'Todo',
    none: 'No todo list yet',
    noneHint: 'For work in several steps, the agent writes its plan here and checks off what is done.',
    list: 'Todo list of the agent',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    left: (count: number) => plural('en', count, { one: '# left', other: '# left' }),
    status: { pending: 'To do', in_progress: 'In progress', completed: 'Done', cancelled: 'Cancelled' },
    priority: { high: 'High', medium: 'Medium', low: 'Low' },
  },
};
