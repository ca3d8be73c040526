// Notes on names and texts that look different from what they are.
import {
  type Misleading,
  misleading,
  type Phrase,
  type Plan,
  phrase,
  readDiff,
  type Touch,
  visibleLine,
} from '@codelab/protocol';

/** Notes on characters in what a call would write or run that could mislead the eye: part of the plan, so that every screen shows them. */
const mostNotes = 20;

/** `where` is a line of a file; without it, the command. */
type MisleadingPlace = Misleading & { where?: string };

export function misleadingNotes({ diff, command }: Pick<Plan, 'diff' | 'command'>): Phrase[] {
  const places = [...inDiff(diff?.text ?? ''), ...inCommand(command?.line ?? '')];
  const notes = places.slice(0, mostNotes).map(note);
  const unlisted = places.length - notes.length;
  return unlisted > 0 ? [...notes, phrase('note.misleadingMore', { count: unlisted })] : notes;
}

function inDiff(text: string): MisleadingPlace[] {
  const places: MisleadingPlace[] = [];
  for (const { header, hunks } of text === '' ? [] : (readDiff(text) ?? [])) {
    const name = header.find((line) => line.startsWith('+++ '))?.slice(4) ?? '';
    for (const { newStart, lines } of hunks) {
      let at = newStart;
      for (const line of lines) {
        if (line.startsWith('+'))
          places.push(...inLine(line.slice(1), `${name.replace(/^b\/|\t$/g, '')}:${at}`));
        if (!/^[-\\]/.test(line)) at++;
      }
    }
  }
  return places;
}

function inCommand(line: string): MisleadingPlace[] {
  return line.split('\n').flatMap((part) => inLine(part));
}

/** The first misleading character of each kind in a line: one of a kind is reason enough to look closely. */
function inLine(line: string, where?: string): MisleadingPlace[] {
  const kinds = new Map<string, Misleading>();
  for (const place of misleading(line)) if (!kinds.has(place.kind)) kinds.set(place.kind, place);
  return [...kinds.values()].map((place) => ({ ...place, ...(where !== undefined && { where }) }));
}

function note({ kind, text, where: place }: MisleadingPlace): Phrase {
  const shownText = kind === 'lookalike' ? [...text].find((letter) => letter.charCodeAt(0) > 0x7f) : text;
  const character = nameCodePoint(shownText ?? text);
  const where = place === undefined ? undefined : visibleLine(place);
  if (kind === 'lookalike') {
    const word = JSON.stringify(visibleLine(text));
    return where === undefined
      ? phrase('note.lookalikeCommand', { character, word })
      : phrase('note.lookalike', { where, character, word });
  }
  return where === undefined
    ? phrase(kind === 'bidi' ? 'note.bidiCommand' : 'note.hiddenCommand', { character })
    : phrase(kind === 'bidi' ? 'note.bidi' : 'note.hidden', { where, character });
}

// Misleading names: letters of one script that resemble another's, trailing blanks and dots, and characters that are invisible or reverse
// the text.

// Letters that most fonts draw like a Latin one.
const cyrillic = 'авекмнорстухіјѕԁԛԝһѵАВЕКМНОРСТУХІЈЅҮ';
const greek = 'ανορυκτχιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const lookalikes = new Set(cyrillic + greek);

/** Notes on misleading paths, as requested and as resolved. */
export function oddNames(touches: readonly Pick<Touch, 'asked' | 'path'>[]): Phrase[] {
  const paths = new Set(touches.flatMap(({ asked, path }) => [asked, path]));
  return [...paths].flatMap((path) => oddName(path) ?? []);
}

function oddName(path: string): Phrase | undefined {
  for (const name of path.split('/')) {
    const odd = name === '' || name === '.' || name === '..' ? undefined : whyOdd(name);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

function whyOdd(written: string): Phrase | undefined {
  const name = JSON.stringify(visibleLine(written));
  const hidden = [...written].find((letter) => visibleLine(letter) !== letter || /[^\P{Z} ]/u.test(letter));
  if (hidden !== undefined) return phrase('note.nameHidden', { name, character: nameCodePoint(hidden) });
  if (/^ | $/.test(written)) return phrase('note.nameBlank', { name });
  if (written.endsWith('.')) return phrase('note.nameDot', { name });
  const folded = [...written].find(
    (letter) => letter.charCodeAt(0) > 0x7f && /^[\x21-\x7e]+$/.test(letter.normalize('NFKC')),
  );
  if (folded !== undefined) return phrase('note.nameFolded', { name, character: nameCodePoint(folded) });
  const mixed = mixedLetter(written.replace(/(?<=.)(\.[a-z0-9]+)+$/i, ''));
  return mixed === undefined
    ? undefined
    : phrase('note.nameMixed', { name, character: nameCodePoint(mixed) });
}

// A name in one script is fine; one whose letters all resemble Latin ones, or that mixes them with Latin, is a disguise.
function mixedLetter(stem: string): string | undefined {
  const letters = [...stem].filter((letter) => /\p{L}/u.test(letter));
  const alike = letters.filter((letter) => lookalikes.has(letter));
  const [first] = alike;
  const isMixed = letters.some((letter) => /\p{Script=Latin}/u.test(letter));
  return isMixed || alike.length === letters.length ? first : undefined;
}

/** Names a character that resembles another one: `U+0441 (с)`. */
export function nameCodePoint(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const isShown = visibleLine(character) === character && !/[\p{C}\p{Z}]/u.test(character);
  return isShown ? `${code} (${character})` : code;
}
