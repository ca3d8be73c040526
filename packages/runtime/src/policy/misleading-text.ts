// Names and texts that are not what they look like.
import { type Misleading, misleading, type Plan, readDiff, visibleLine } from '@codelab/protocol';

/** Notes on characters in what a call would write or run that could mislead the eye: part of the plan, so that every screen shows them. */
const mostNotes = 20;
const whatItDoes: Record<Misleading['kind'], string> = {
  bidi: 'turns the direction of the text',
  hidden: 'is not seen',
  lookalike: 'looks like another letter',
};

type MisleadingPlace = Misleading & { where: string };

export function misleadingNotes({ diff, command }: Plan): string[] {
  // Most of what is written is plain, and a change may be large.
  const text = `${diff?.text ?? ''}${command?.line ?? ''}`;
  if (!/[^\t\n\x20-\x7e]/.test(text)) return [];
  const found = [...inDiff(diff?.text ?? ''), ...inCommand(command?.line ?? '')];
  const notes = found.slice(0, mostNotes).map(note);
  const left = found.length - notes.length;
  return left > 0 ? [...notes, `… and ${left} more such places.`] : notes;
}

function inDiff(text: string): MisleadingPlace[] {
  const found: MisleadingPlace[] = [];
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

function inCommand(line: string): MisleadingPlace[] {
  return line.split('\n').flatMap((one) => inLine(one, 'The command'));
}

/** Of each kind the first in the line: one is enough to look closely. */
function inLine(line: string, where: string): MisleadingPlace[] {
  const kinds = new Map<string, Misleading>();
  for (const one of misleading(line)) if (!kinds.has(one.kind)) kinds.set(one.kind, one);
  return [...kinds.values()].map((one) => ({ ...one, where }));
}

function note({ kind, text, where }: MisleadingPlace): string {
  const character = kind === 'lookalike' ? [...text].find((one) => one.charCodeAt(0) > 0x7f) : text;
  const inWord = kind === 'lookalike' ? ` in ${JSON.stringify(visibleLine(text))}` : '';
  return `${visibleLine(where)} holds ${nameCodePoint(character ?? text)}${inWord}, which ${whatItDoes[kind]}.`;
}

// Names that are not what they look like: letters of one script that pass for another's, blanks and dots at the end, characters that
// are not seen or turn the text around.

// Letters that most fonts draw like a Latin one.
const cyrillic = 'авекмнорстухіјѕԁԛԝһѵАВЕКМНОРСТУХІЈЅҮ';
const greek = 'ανορυκτχιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const lookalikes = new Set(cyrillic + greek);

/** What is odd about a path, as a sentence; undefined when nothing is. */
export function oddName(path: string): string | undefined {
  if (/^[\x21-\x7e]*$/.test(path) && !/\.(\/|$)/.test(path)) return undefined;
  for (const name of path.split('/')) {
    const why = name === '' || name === '.' || name === '..' ? undefined : whyOdd(name);
    if (why !== undefined) return `The name ${JSON.stringify(visibleLine(name))} ${why}.`;
  }
  return undefined;
}

function whyOdd(name: string): string | undefined {
  const hidden = [...name].find((one) => visibleLine(one) !== one || /[^\P{Z} ]/u.test(one));
  if (hidden !== undefined) return `holds ${nameCodePoint(hidden)}, which is not seen or moves the text`;
  if (/^ | $/.test(name)) return 'begins or ends with a blank';
  if (name.endsWith('.')) return 'ends with a dot';
  const folded = [...name].find(
    (one) => one.charCodeAt(0) > 0x7f && /^[\x21-\x7e]+$/.test(one.normalize('NFKC')),
  );
  if (folded !== undefined) return `holds ${nameCodePoint(folded)}, which looks like another character`;
  return whyMixed(name.replace(/(?<=.)(\.[a-z0-9]+)+$/i, ''));
}

// A name in one script is a name; one whose letters all pass for Latin ones, or that mixes them with Latin, is a disguise.
function whyMixed(stem: string): string | undefined {
  const letters = [...stem].filter((one) => /\p{L}/u.test(one));
  const alike = letters.filter((one) => lookalikes.has(one));
  const [first] = alike;
  const isMixed = letters.some((one) => /\p{Script=Latin}/u.test(one));
  if (first === undefined || !(isMixed || alike.length === letters.length)) return undefined;
  return `holds ${nameCodePoint(first)}, which looks like a Latin letter`;
}

/** A character that can't be told from another by looking at it, named: `U+0441 (с)`. */
export function nameCodePoint(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const isShown = visibleLine(character) === character && !/[\p{C}\p{Z}]/u.test(character);
  return isShown ? `${code} (${character})` : code;
}
