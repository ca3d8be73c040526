// Keeps the names that outsiders choose few: the first so many are kept, all later ones are one.

const otherName = 'other';

export function createFewNames(most = 50): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= most || name.length > 100) return otherName;
    known.add(name);
    return name;
  };
}
