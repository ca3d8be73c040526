/** Replaces typographic quotes, dashes and no-break spaces by their ASCII twins, one character for one. */
export function foldTypography(text: string): string {
  return TYPOGRAPHIC.test(text)
    ? text.replace(QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(DASHES, '-').replace(SPACES, ' ')
    : text;
}

const TYPOGRAPHIC = /[\u00a0\u2007\u202f\u2010-\u2015\u2212\u2018-\u201f]/;
const QUOTES = /[\u2018-\u201b]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const SPACES = /[\u00a0\u2007\u202f]/g;
