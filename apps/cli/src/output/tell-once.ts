// Tells each text once, however often it comes up.

export function tellOnce(tell: (text: string) => void): (texts: readonly string[]) => void {
  const told = new Set<string>();
  return (texts) => {
    for (const text of texts) {
      if (told.has(text)) continue;
      told.add(text);
      tell(text);
    }
  };
}
