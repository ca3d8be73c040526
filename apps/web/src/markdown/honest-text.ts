// Prose made safe to read: characters that reverse its direction or are invisible are shown as marks. Joiners and emoji stay as they are.
const misleading =
  /(?![\t\n]|\r\n)\p{Cc}|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

export function honestText(text: string): string {
  return text.replace(misleading, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}
