// A stranger's text, cut so that repeating it in an error stays cheap.
export function short(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
