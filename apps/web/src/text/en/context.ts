// Words of the context panel.
export const context = {
  name: 'Context',
  none: 'No files in the context',
  noneHint: 'Files added here are shown to the model at every turn.',
  files: 'Files the model sees at every turn',
  add: 'Add a file',
  found: 'Files that fit',
  remove: (path: string) => `Take ${path} out`,
  clear: 'Take all out',
  used: 'Room in the model’s context',
  usedOf: (used: string, all: string) => `${used} of ${all} tokens`,
  usedOnly: (used: string) => `${used} tokens`,
  pinned: (used: string) => `${used} of them files`,
  tokens: (count: string) => `${count} tokens`,
  missing: 'not readable now',
  noSession: 'The context belongs to a session, which begins with its first message.',
};
