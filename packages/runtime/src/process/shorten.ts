// A text for one line of a question. Blanks that push the rest out of sight are counted instead, and of what is too long the end is
// shown as well.

export function shorten(text: string): string {
  const dense = text.replace(/[^\S\n]{9,}/g, (blanks) => ` ⟨${blanks.length} blanks⟩ `);
  if (dense.length <= 600) return dense;
  const left = dense.length - 500;
  return `${dense.slice(0, 300)} ⟨${left} characters⟩ ${dense.slice(-200)}`;
}
