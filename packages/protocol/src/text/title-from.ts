// The title of an unnamed session: the subject of its first message, short enough for a list.

const maxLetters = 60;

/** The first sentence or line that says something, without Markdown, cut between words. */
export function titleFrom(text: string): string {
  const lines = text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
    .split('\n')
    .map(plainLine);
  const subject = lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? plainLine(text);
  const sentence = /^.{12,}?[.!?。！？](?=\s|$)/u.exec(subject)?.[0] ?? subject;
  return cutBetweenWords(sentence.replace(/[\s.:;,]+$/u, ''));
}

function plainLine(line: string): string {
  return line
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:[#>*+-]+|\d+[.)])\s+/, '')
    .replaceAll(/(\*\*|__|`+)(?=\S)([^*_`]+)\1/g, '$2')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function cutBetweenWords(text: string): string {
  const letters = [...text];
  if (letters.length <= maxLetters) return text;
  const cut = letters.slice(0, maxLetters).join('');
  const space = cut.lastIndexOf(' ');
  // A text without spaces, or one long word, is cut at the limit.
  return `${(space > maxLetters / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–-]+$/u, '')}…`;
}
