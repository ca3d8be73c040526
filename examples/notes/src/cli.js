import { readFileSync } from 'node:fs';
import { formatList } from './format.js';
import { openNotes } from './notes.js';

const file = new URL('../data/notes.json', import.meta.url);
const notes = JSON.parse(readFileSync(file, 'utf8'));
const wantsAll = process.argv.includes('--all');

console.log(formatList(wantsAll ? notes : openNotes(notes)));
