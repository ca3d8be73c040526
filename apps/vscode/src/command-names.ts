// The commands that package.json names, without their prefix.
export const commandIds = [
  'openChat',
  'newChat',
  'chats',
  'explainSelection',
  'refactorSelection',
  'fixErrors',
  'approve',
  'reject',
  'reviewChange',
  'undoLastTurn',
  'setToken',
  'showLog',
] as const;

export type CommandName = (typeof commandIds)[number];
