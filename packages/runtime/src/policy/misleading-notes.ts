// Notes on characters in what a call would write or run that could mislead the eye: part of the plan, so that every screen shows them.
import { type Misleading, misleading, type Plan, readDiff, visibleLine } from '@codelab/protocol';
import { nameCodePoint } from './name-code-point.ts';

const mostNotes = 20;
const whatItDoes: Record<Misleading['kind'], string> = {
  bidi: 'turns the direction of the text',
  hidden: 'is not seen',
  lookalike: 'looks like another letter',
};

type Found = Misleading & { where: string };

export function misleadingNotes({ diff, command }: Plan): string[] {
  // Most of what is written is plain, and a change may be large.
  const text = `${diff?.text ?? ''}${command?.line ?? ''}`;
  if (!/[^\t\n\x20-\x7e]/.test(text)) return [];
  const found = [...inDiff(diff?.text ?? ''), ...inCommand(command?.line ?? '')];
  const notes = found.slice(0, mostNotes).map(note);
  const left = found.length - notes.length;
  return left > 0 ? [...notes, `… and ${left} more such places.`] : notes;
}

function inDiff(text: string): Found[] {
  const found: Found[] = [];
  for (const { header, hunks } of text === '' ? [] : (readDiff(text) ?? [])) {
    const name = header.find((line) => line.startsWith('+++ '))?.slice(4) ?? '';
    for (const { newStart, lines } of hunks) {
      let at = newStart;
      for (const line of lines) {
        if (line.startsWith('+'))
          found.push(...inLine(line.slice(1), `${name.replace(/^b\/|\t$/g, '')}:${at}`));
        if (!/^[-\\]/.test(line)) at++;
      }
    }
  }
  return found;
}

function inCommand(line: string): Found[] {
  return line.split('\n').flatMap((one) => inLine(one, 'The command'));
}

/** Of each kind the first in the line: one is enough to look closely. */
function inLine(line: string, where: string): Found[] {
  const kinds = new Map<string, Misleading>();
  for (const one of misleading(line)) if (!kinds.has(one.kind)) kinds.set(one.kind, one);
  return [...kinds.values()].map((one) => ({ ...one, where }));
}

function note({ kind, text, where }: Found): string {
  const character = kind === 'lookalike' ? [...text].find((one) => one.charCodeAt(0) > 0x7f) : text;
  const inWord = kind === 'lookalike' ? ` in ${JSON.stringify(visibleLine(text))}` : '';
  return `${visibleLine(where)} holds ${nameCodePoint(character ?? text)}${inWord}, which ${whatItDoes[kind]}.`;
}
