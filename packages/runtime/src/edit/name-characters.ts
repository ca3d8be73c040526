/** Writes a piece of a line so that what looks alike or like nothing can be told apart: `⟨tab⟩`, `⟨3 blanks⟩`, `’⟨U+2019⟩`. */
import { visibleLine } from '@codelab/protocol';

const SHORT = 8;

/** `isAtEnd` when the piece is the end of its line, so that its blanks are trailing ones. */
export function nameCharacters(piece: string, isAtEnd: boolean): string {
  if (piece === '') return isAtEnd ? '⟨end of line⟩' : 'nothing';
  const isShort = piece.length <= SHORT;
  const named = piece.replace(RUN, (run, at: number) => {
    const isEdge = at === 0 || at + run.length === piece.length;
    if (run === ' ' && !isEdge) return run;
    return nameRun(run, isAtEnd && at + run.length === piece.length);
  });
  const marked = named.replace(isShort ? NOT_ASCII : LOOKALIKE, markCharacter);
  return visibleLine(marked);
}

const RUN = / +|\t+/g;
const LOOKALIKE = /[\u00a0\u2007\u202f\u2010-\u2015\u2212\u2018-\u201f]/g;
// The brackets are our own marks.
const NOT_ASCII = /[^\0-\x7f⟨⟩]/gu;
const NO_BREAK = /[\u00a0\u2007\u202f]/;

function nameRun(run: string, isTrailing: boolean): string {
  const kind = run[0] === '\t' ? 'tab' : 'blank';
  const count = run.length === 1 ? '' : `${run.length} `;
  return `⟨${count}${isTrailing ? 'trailing ' : ''}${kind}${run.length === 1 ? '' : 's'}⟩`;
}

function markCharacter(character: string): string {
  const shown = visibleLine(character);
  if (shown !== character) return shown;
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (NO_BREAK.test(character)) return `⟨${code} no-break space⟩`;
  return `${character}⟨${code}⟩`;
}
