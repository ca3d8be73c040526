// Notes are plain objects: { id, text, tags, done }.

export function addNote(notes, text, tags = []) {
  const id = notes.reduce((highest, note) => Math.max(highest, note.id), 0) + 1;
  return [...notes, { id, text, tags, done: false }];
}

export function finishNote(notes, id) {
  return notes.map((note) => (note.id === id ? { ...note, done: true } : note));
}

export function openNotes(notes) {
  return notes.filter((note) => !note.done);
}

export function findNotes(notes, words) {
  const wanted = words.toLowerCase();
  return notes.filter((note) => note.text.toLowerCase().includes(wanted) || note.tags.includes(wanted));
}
