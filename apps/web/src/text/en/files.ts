// Words of the file tree.
import { plural } from '../plural.ts';

export const files = {
  name: 'Files',
  tree: 'Files of the workspace',
  filter: 'Find a file',
  refresh: 'Read the folders again',
  collapse: 'Close all folders',
  loading: 'Reading the folder…',
  empty: 'This folder is empty.',
  none: 'No file fits.',
  failed: 'The folder cannot be read:',
  cut: 'The folder has more than is shown.',
  found: (count: number) => plural('en', count, { one: '# file found', other: '# files found' }),
  more: (name: string) => `What can be done with ${name}`,
  open: 'Open',
  copyPath: 'Copy the path',
  copied: 'The path is copied.',
  addToContext: 'Add to the context',
  inContext: (path: string) => `${path} is in the context from now on.`,
  mention: 'Mention in the message',
  noSession: 'Say something first: the context belongs to a session.',
  marks: {
    added: 'new in this session',
    changed: 'changed in this session',
    deleted: 'deleted in this session',
  },
  unsaved: 'not saved',
};
