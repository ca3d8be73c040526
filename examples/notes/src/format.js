// How notes look on the screen.

const open = '[ ]';
const done = '[x]';

export function formatNote(note) {
  const box = note.done ? done : open;
  return `${box} ${note.id}. ${note.text}${formatTags(note.tags)}`;
}

function formatTags(tags) {
  if (tags.length === 0) return '';
  return ` (${tags.join(', ')})`;
}

export function formatList(notes) {
  if (notes.length === 0) return 'Nothing to do.';
  return notes.map(formatNote).join('\n');
}
