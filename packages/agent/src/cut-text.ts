// A long text as its beginning and its end, with a line between that says how much is missing.

export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, endOfCharacter(text, half));
  const tail = text.slice(endOfCharacter(text, text.length - half));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

// Never between the halves of a surrogate pair.
function endOfCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
