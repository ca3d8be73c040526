import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatList, formatNote } from '../src/format.js';
import { addNote, findNotes, finishNote, openNotes } from '../src/notes.js';

const notes = addNote(addNote([], 'Buy milk', ['errand']), 'Call home');

test('a new note gets the next number and is open', () => {
  assert.deepEqual(notes, [
    { id: 1, text: 'Buy milk', tags: ['errand'], done: false },
    { id: 2, text: 'Call home', tags: [], done: false },
  ]);
});

test('a finished note is no longer open', () => {
  assert.deepEqual(openNotes(finishNote(notes, 1)), [notes[1]]);
});

test('notes are found by their words and their tags', () => {
  assert.deepEqual(findNotes(notes, 'HOME'), [notes[1]]);
  assert.deepEqual(findNotes(notes, 'errand'), [notes[0]]);
});

test('a note shows its number, its text and its tags', () => {
  assert.equal(formatNote(notes[0]), '[ ] 1. Buy milk (errand)');
});

test('an empty list says so', () => {
  assert.equal(formatList([]), 'Nothing to do.');
});
